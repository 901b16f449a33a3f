internal import Foundation
internal import TestFixtures
internal import Testing
internal import ThumbturnCrypto
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

/// The secrets that an internet password has beside its data (VAULT.md §3: in the secret box).
@Suite("Further secrets of internet passwords")
struct ExtraSecretTests {
  private let attributes: [Attribute: AttributeValue] = [.server: .text("example.com"), .account: .text("me")]

  private func page(_ text: String? = "data", _ extra: [Attribute: String] = [:]) throws -> NewItem {
    var item = NewItem(.internetPassword, attributes, secret: try text.map(secret))
    item.extraSecrets = try extra.mapValues(secret)
    return item
  }
  private func found(_ backend: LocalBackend, wantsExtra: Bool = true) throws -> FoundItem? {
    var query = ItemQuery(.internetPassword, attributes, wantsSecret: true)
    query.wantsExtraSecrets = wantsExtra
    return try backend.find(query, for: me).first
  }
  private func texts(_ item: FoundItem?) -> [Attribute: String] {
    (item?.extraSecrets ?? [:]).mapValues { $0.withBytes { String(decoding: $0.copied(), as: UTF8.self) } }
  }

  @Test("come back when they are asked for, and are no attributes")
  func roundTrip() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    let extra: [Attribute: String] = [.extraNotes: "notes", .extraHistory: "", .clientDefined3: "three"]
    _ = try scratch.backend.add(try page(nil, extra), for: me)
    let item = try found(scratch.backend)
    #expect(texts(item) == extra && item?.secret == nil)
    #expect(try texts(found(scratch.backend, wantsExtra: false)).isEmpty)
    #expect(item?.attributes[.extraNotes] == nil)
    #expect(throws: KeychainError(.parameter)) {
      try scratch.backend.find(ItemQuery(.internetPassword, [.extraNotes: .data([1])]), for: me)
    }
  }

  @Test("that an update does not name stay, with the data or without")
  func update() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    _ = try scratch.backend.add(try page("data", [.extraNotes: "notes", .clientDefined0: "zero"]), for: me)
    let query = ItemQuery(.internetPassword, attributes)
    var change = ItemChange()
    change.extraSecrets = [.clientDefined0: try secret("new")]
    try scratch.backend.update(query, with: change, for: me)
    #expect(try found(scratch.backend)?.text == "data")
    #expect(try texts(found(scratch.backend)) == [.extraNotes: "notes", .clientDefined0: "new"])
    try scratch.backend.update(query, with: ItemChange(secret: try secret("other")), for: me)
    #expect(try found(scratch.backend)?.text == "other")
    #expect(try texts(found(scratch.backend)) == [.extraNotes: "notes", .clientDefined0: "new"])
  }

  @Test("are of internet passwords alone")
  func otherClasses() throws {
    let scratch = try Scratch()
    for itemClass in ItemClass.allCases where itemClass != .internetPassword {
      var item = NewItem(itemClass, [:])
      item.extraSecrets = [.extraNotes: try secret("notes")]
      #expect(throws: KeychainError(.noSuchAttribute)) { try scratch.backend.add(item, for: me) }
      var change = ItemChange()
      change.extraSecrets = item.extraSecrets
      #expect(throws: KeychainError(.noSuchAttribute)) {
        try scratch.backend.update(ItemQuery(itemClass), with: change, for: me)
      }
    }
    var item = try page()
    item.extraSecrets = [.label: try secret("no secret")]
    #expect(throws: KeychainError(.noSuchAttribute)) { try scratch.backend.add(item, for: me) }
    #expect(try scratch.backend.status().isPresent == false, "nothing was made for them")
  }

  @Test("have 16 MiB together with the data, also after an update")
  func limit() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    let half = try secret([UInt8](repeating: 1, count: 8_388_608))
    let more = try secret([UInt8](repeating: 1, count: 8_388_609))
    var item = NewItem(.internetPassword, attributes, secret: half)
    item.extraSecrets = [.extraNotes: more]
    #expect(throws: KeychainError(.dataTooLarge)) { try scratch.backend.add(item, for: me) }
    item.extraSecrets = [.extraNotes: half]
    _ = try scratch.backend.add(item, for: me)
    #expect(throws: KeychainError(.dataTooLarge)) {
      try scratch.backend.update(ItemQuery(.internetPassword), with: ItemChange(secret: more), for: me)
    }
    #expect(try found(scratch.backend)?.extraSecrets[.extraNotes]?.count == 8_388_608)
  }

  @Test("are on the disk sealed only")
  func sealed() throws {
    let scratch = try Scratch()
    _ = try scratch.backend.add(try page("canary data", [.extraNotes: "canary notes"]), for: me)
    scratch.end()
    let folder = scratch.home.location.vaultFolder
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
      for canary in ["canary data", "canary notes"] { #expect(bytes.range(of: Data(canary.utf8)) == nil, "\(name)") }
    }
  }

  @Test("that cannot be read any more are not lost by an update of the data: it is refused")
  func damaged() throws {
    let scratch = try Scratch()
    _ = try scratch.backend.add(try page("data", [.extraNotes: "notes"]), for: me)
    scratch.end()
    try Rows(scratch.home).run("UPDATE items SET secret = zeroblob(length(secret))")
    let again = scratch.another()
    defer { again.close() }
    #expect(throws: KeychainError(.decode)) {
      try again.update(ItemQuery(.internetPassword), with: ItemChange(secret: try secret("new")), for: me)
    }
  }
}
