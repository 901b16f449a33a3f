internal import Foundation
internal import Testing
internal import ThumbturnCrypto
internal import ThumbturnKeychain

@testable internal import ThumbturnVault

/// VAULT.md §3: a larger major is refused, a larger minor is read-only.
@Suite("Newer formats")
struct NewerFormatTests {
  private let home: FormatHome
  private let backend: LocalBackend
  private let query = ItemQuery(.genericPassword, [.service: .text("com.example.updated")], wantsSecret: true)

  init() throws {
    home = try FormatHome(fixture: "format-1.0")
    backend = LocalBackend(location: home.location)
  }

  private func change(_ path: String, at offset: Int, to bytes: [UInt8]) throws {
    var file = try home.bytes(path)
    file.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    try home.put(file, to: path)
  }

  /// Writes the keybag anew with another format and with more bytes behind its fields.
  private func putKeybag(_ format: FormatVersion, added: [UInt8]) throws {
    let old = try home.bytes("vault/keybag")
    var keybag = try Keybag(decoding: old.span)
    keybag.format = format
    let device = try home.bytes(home.deviceKey)
    let key = try SecretBytes(copying: device.span.extracting(28..<60))
    let parents = try ParentKeys(deviceKey: key)
    let fields = keybag.encoded() + added
    let sum = try Keybag.sum(fields.span, vault: keybag.vaultID, under: parents)
    try home.put(fields + sum, to: "vault/keybag")
  }

  /// That nothing can be done with the vault, for `code`, and that nothing in it changes.
  private func expectRefused(_ code: VaultError.Code, _ part: VaultError.Part) throws {
    let before = try home.files()
    let calls: [() throws -> Void] = [
      { _ = try backend.find(query, for: FixtureItem.caller) },
      { _ = try backend.add(NewItem(.genericPassword, [:]), for: FixtureItem.caller) },
      { try backend.update(query, with: ItemChange(), for: FixtureItem.caller) },
      { try backend.delete(query, for: FixtureItem.caller) }, { _ = try backend.status() },
    ]
    for call in calls {
      let error = #expect(throws: KeychainError(.notAvailable)) { try call() }
      #expect(error?.cause?.code == code)
      #expect(error?.cause?.part == part)
    }
    backend.close()
    #expect(try home.files() == before)
  }

  /// That everything can be read and nothing written.
  private func expectReadOnly() throws {
    let before = try home.files()
    let listing = try String(
      contentsOf: FormatHome.fixture("format-1.0").appending(path: "contents.txt"), encoding: .utf8)
    #expect(try FixtureListing.of(backend) == listing)
    let new = NewItem(.genericPassword, [.service: .text("new")], secret: try secret([1]))
    #expect(throws: KeychainError(.readOnly)) { try backend.add(new, for: FixtureItem.caller) }
    #expect(throws: KeychainError(.readOnly)) {
      try backend.update(query, with: ItemChange(), for: FixtureItem.caller)
    }
    #expect(throws: KeychainError(.readOnly)) { try backend.delete(query, for: FixtureItem.caller) }
    backend.close()
    #expect(try home.files() == before)
  }

  @Test("a larger major of the keybag is refused before its MAC is looked at")
  func keybagMajor() throws {
    try change("vault/keybag", at: 8, to: [2, 0])
    try expectRefused(.newerFormat, .keybag)
  }

  @Test("a larger major of the device key is refused")
  func deviceKeyMajor() throws {
    try change(home.deviceKey, at: 8, to: [2, 0])
    try expectRefused(.newerFormat, .deviceKey)
  }

  @Test("a larger major of the database is refused")
  func databaseMajor() throws {
    try change(home.database, at: 60, to: [0, 2, 0, 0])
    try expectRefused(.newerFormat, .database)
  }

  @Test("a larger major of the database is refused before SQLite opens it: what follows may be anything")
  func databaseMajorUnread() throws {
    try change(home.database, at: 60, to: [0, 2, 0, 0])
    let head = try home.bytes(home.database).prefix(100)
    try home.put(head + [1, 2, 3], to: home.database)
    try expectRefused(.newerFormat, .database)
  }

  @Test("a larger major that only the write-ahead log has is refused")
  func databaseMajorInLog() throws {
    try home.withDatabase { (connection: borrowing Connection) in
      try connection.execute("PRAGMA user_version = 0x00020000")
      try connection.execute("CREATE TABLE newer(id INTEGER PRIMARY KEY)")
      let error = #expect(throws: KeychainError(.notAvailable)) {
        try backend.find(query, for: FixtureItem.caller)
      }
      #expect(error?.cause?.code == .newerFormat)
      backend.close()
    }
  }

  @Test("major 0 never was", arguments: ["vault/keybag", "device", "database"])
  func majorZero(part: String) throws {
    switch part {
    case "device":
      try change(home.deviceKey, at: 8, to: [0, 0])
      try expectRefused(.damaged, .deviceKey)
    case "database":
      try change(home.database, at: 60, to: [0, 0, 0, 9])
      try expectRefused(.damaged, .database)
    default:
      try change(part, at: 8, to: [0, 0])
      try expectRefused(.damaged, .keybag)
    }
  }

  @Test("a larger minor of the database is read-only")
  func databaseMinor() throws {
    try change(home.database, at: 60, to: [0, 1, 0, 1])
    try expectReadOnly()
  }

  @Test("what another program writes into a database of a larger minor is seen")
  func databaseMinorChanges() throws {
    try change(home.database, at: 60, to: [0, 1, 0, 1])
    _ = try backend.find(query, for: FixtureItem.caller)
    try home.withDatabase { (connection: borrowing Connection) in try connection.execute("DELETE FROM items") }
    #expect(throws: KeychainError(.itemNotFound)) { try backend.find(query, for: FixtureItem.caller) }
  }

  @Test(
    "a larger minor of the keybag is read-only, with fields that this version does not know",
    arguments: [
      [], [13, 0, 3, 0, 0, 0, 1, 2, 3],
    ] as [[UInt8]])
  func keybagMinor(added: [UInt8]) throws {
    try putKeybag(FormatVersion(major: 1, minor: 1), added: added)
    try expectReadOnly()
    #expect(try backend.status().format == (1, 1))
  }

  @Test("a keybag of this minor with an unknown field is damaged, as no 1.0 writes one")
  func keybagUnknownField() throws {
    try putKeybag(.current, added: [13, 0, 0, 0, 0, 0])
    try expectRefused(.damaged, .keybag)
  }

  @Test("a larger minor of the device key changes nothing: its file is never rewritten")
  func deviceKeyMinor() throws {
    try change(home.deviceKey, at: 10, to: [1, 0])
    #expect(try backend.find(query, for: FixtureItem.caller).count == 1)
    _ = try backend.add(NewItem(.genericPassword, [.service: .text("new")]), for: FixtureItem.caller)
  }
}
