internal import Testing
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

/// Identities at the backend; what a program sees of them is tested at the face.
@Suite("Identities in the vault")
struct IdentityTests {
  private let hash: [UInt8] = [9, 9]

  private func certificate(_ serial: UInt8, _ more: [Attribute: AttributeValue] = [:]) throws -> NewItem {
    let own: [Attribute: AttributeValue] = [.serialNumber: .data([serial]), .publicKeyHash: .data(hash)]
    return NewItem(.certificate, own.merging(more) { $1 }, secret: try secret("certificate \(serial)"))
  }
  private func key(_ more: [Attribute: AttributeValue] = [:]) throws -> NewItem {
    let own: [Attribute: AttributeValue] = [
      .keyClass: .number(1), .isPrivate: .number(1), .applicationLabel: .data(hash),
    ]
    return NewItem(.key, own.merging(more) { $1 }, secret: try secret("key"))
  }
  private func identities(_ key: [Attribute: AttributeValue] = [:], limit: ItemQuery.Limit = .all) -> ItemQuery {
    var query = ItemQuery(.certificate, limit: limit, wantsSecret: true)
    query.identityKey = key
    return query
  }

  @Test("hold both secrets, and neither when none is wanted")
  func secrets() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    _ = try scratch.backend.add(certificate(1), for: me)
    _ = try scratch.backend.add(key(), for: me)
    let found = try scratch.backend.find(identities(), for: me)
    #expect(found.map(\.text) == ["certificate 1"] && found.map(\.identityKey?.text) == ["key"])
    var query = identities()
    query.wantsSecret = false
    let bare = try scratch.backend.find(query, for: me)
    #expect(bare.map(\.text) == [nil] && bare.map(\.identityKey?.text) == [nil])
  }

  @Test("are each certificate with each key that fits, up to the limit")
  func pairs() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    for serial in 1...3 { _ = try scratch.backend.add(certificate(UInt8(serial)), for: me) }
    for tag in ["a", "b"] { _ = try scratch.backend.add(key([.applicationTag: .text(tag)]), for: me) }
    #expect(try scratch.backend.find(identities(), for: me).count == 6)
    #expect(try scratch.backend.find(identities([.applicationTag: .text("b")]), for: me).count == 3)
    #expect(try scratch.backend.find(identities(limit: .count(4)), for: me).count == 4)
    for limit in [0, -1] {
      #expect(throws: KeychainError(.itemNotFound)) {
        try scratch.backend.find(identities(limit: .count(limit)), for: me)
      }
    }
  }

  @Test("with a damaged half are none, and nothing is changed")
  func damaged() throws {
    let scratch = try Scratch()
    _ = try scratch.backend.add(certificate(1), for: me)
    _ = try scratch.backend.add(key(), for: me)
    scratch.end()
    try Rows(scratch.home).run("UPDATE items SET secret = zeroblob(length(secret))")
    let again = scratch.another()
    defer { again.close() }
    #expect(throws: KeychainError(.itemNotFound)) { try again.find(identities(), for: me) }
  }

  @Test("an update of a secret is refused, and one that collides changes neither half")
  func update() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    for serial in [1, 2] as [UInt8] { _ = try scratch.backend.add(certificate(serial), for: me) }
    _ = try scratch.backend.add(key(), for: me)
    #expect(throws: KeychainError(.parameter)) {
      try scratch.backend.update(identities(), with: ItemChange(secret: try secret("x")), for: me)
    }
    #expect(throws: KeychainError(.duplicateItem)) {
      try scratch.backend.update(
        identities(), with: ItemChange([.label: .text("l"), .serialNumber: .data([7])]), for: me)
    }
    #expect(throws: KeychainError(.itemNotFound)) {
      try scratch.backend.find(ItemQuery(.key, [.label: .text("l")]), for: me)
    }
    try scratch.backend.update(identities(), with: ItemChange([.label: .text("l")]), for: me)
    #expect(try scratch.backend.find(ItemQuery(.key, [.label: .text("l")]), for: me).count == 1)
    #expect(try scratch.backend.find(ItemQuery(.certificate, [.label: .text("l")], limit: .all), for: me).count == 2)
  }

  @Test("a shared key goes with its last certificate, and not with one in a group that the caller cannot see")
  func delete() throws {
    let scratch = try Scratch()
    defer { scratch.end() }
    let both = Caller(accessGroups: ["one", "two"])
    let one = Caller(accessGroups: ["one"])
    _ = try scratch.backend.add(certificate(1), for: both)
    _ = try scratch.backend.add(certificate(2, [.accessGroup: .text("two")]), for: both)
    _ = try scratch.backend.add(key([.accessGroup: .text("two")]), for: both)
    var first = identities()
    first.attributes = [.serialNumber: .data([1])]
    #expect(throws: KeychainError(.itemNotFound)) { try scratch.backend.delete(first, for: one) }
    try scratch.backend.delete(first, for: both)
    #expect(try scratch.backend.find(identities(), for: both).count == 1)
    try scratch.backend.delete(identities(), for: both)
    #expect(throws: KeychainError(.itemNotFound)) { try scratch.backend.find(ItemQuery(.key), for: both) }
    #expect(throws: KeychainError(.itemNotFound)) { try scratch.backend.delete(identities(), for: both) }
  }
}
