internal import Foundation
internal import TestFixtures
internal import Testing
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

/// Files that are missing, foreign, changed or exchanged: an error that names the part, and nothing made or written.
@Suite("Places and damage")
struct DamageTests {
  private func code(_ backend: LocalBackend, adding: Bool = false) -> (KeychainError, VaultError?)? {
    do {
      if adding {
        _ = try backend.add(try password("new", "item"), for: me)
      } else {
        _ = try backend.find(query(), for: me)
      }
      return nil
    } catch let error as KeychainError { return (error, error.cause) } catch { return nil }
  }

  /// Both a find and an add must fail so, and no file may change.
  private func expectRefused(
    _ scratch: Scratch, _ code: VaultError.Code, _ part: VaultError.Part,
    as status: KeychainError.Code = .notAvailable, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try scratch.home.files()
    for adding in [false, true] {
      let error = self.code(scratch.another(), adding: adding)
      #expect(error?.0.code == status, sourceLocation: sourceLocation)
      #expect(error?.1?.code == code, sourceLocation: sourceLocation)
      #expect(error?.1?.part == part, sourceLocation: sourceLocation)
      if let cause = error?.1 {
        let path = scratch.home.location.path(of: cause)
        #expect(path?.hasPrefix(scratch.home.path) == true, sourceLocation: sourceLocation)
        #expect(!cause.description.contains(scratch.home.path), sourceLocation: sourceLocation)
      }
    }
    #expect(try scratch.home.files() == before, sourceLocation: sourceLocation)
  }

  private func makeVault() throws -> Scratch {
    let scratch = try Scratch()
    _ = try scratch.backend.add(try password("s", "a"), for: me)
    scratch.backend.close()
    return scratch
  }

  private func name(_ suffix: String, in folder: String, _ scratch: Scratch) throws -> String {
    let name = try scratch.home.names(in: folder).first { $0.hasSuffix(suffix) || $0.hasPrefix(suffix) }
    return folder + "/" + (try #require(name))
  }

  @Test("a missing device key")
  func missingDeviceKey() throws {
    let scratch = try makeVault()
    let path = try name("d0-", in: scratch.home.location.deviceFolder, scratch)
    try FileManager.default.moveItem(atPath: path, toPath: scratch.home.path + "/kept")
    try expectRefused(scratch, .missing, .deviceKey)
    #expect(scratch.home.location.path(of: try #require(code(scratch.another())?.1)) == path)
    try FileManager.default.moveItem(atPath: scratch.home.path + "/kept", toPath: path)
    #expect(try scratch.another().find(query(), for: me).count == 1)
  }

  @Test("a missing device folder")
  func missingDeviceFolder() throws {
    let scratch = try makeVault()
    try FileManager.default.removeItem(atPath: scratch.home.location.deviceFolder)
    try expectRefused(scratch, .missing, .deviceKey)
  }

  @Test("a missing keybag beside a database")
  func missingKeybag() throws {
    let scratch = try makeVault()
    try FileManager.default.removeItem(atPath: scratch.home.location.vaultFolder + "/keybag")
    try expectRefused(scratch, .missing, .keybag)
  }

  @Test("a missing database")
  func missingDatabase() throws {
    let scratch = try makeVault()
    try FileManager.default.removeItem(
      atPath: try name(".db", in: scratch.home.location.vaultFolder, scratch))
    try expectRefused(scratch, .missing, .database)
  }

  @Test("a file of the vault that is a link", arguments: ["keybag", "seat.lock", ".db"])
  func linkedFile(file: String) throws {
    let scratch = try makeVault()
    let path = try name(file, in: scratch.home.location.vaultFolder, scratch)
    try FileManager.default.moveItem(atPath: path, toPath: scratch.home.path + "/elsewhere")
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: scratch.home.path + "/elsewhere")
    let part: VaultError.Part = file == "keybag" ? .keybag : file == ".db" ? .database : .seatLock
    try expectRefused(scratch, .unsafePlace, part)
  }

  @Test("a database or log with a second name, which may be somebody's file", arguments: ["", "-wal", "-shm"])
  func secondName(suffix: String) throws {
    let scratch = try makeVault()
    let database = try name(".db", in: scratch.home.location.vaultFolder, scratch)
    let precious = scratch.home.path + "/precious"
    if suffix.isEmpty {
      try FileManager.default.linkItem(atPath: database, toPath: precious)
    } else {
      try Data("precious".utf8).write(to: URL(fileURLWithPath: precious))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: precious)
      try FileManager.default.linkItem(atPath: precious, toPath: database + suffix)
    }
    try expectRefused(scratch, .unsafePlace, .database)
  }

  @Test("a vault folder that is a link")
  func linkedFolder() throws {
    let scratch = try makeVault()
    let folder = scratch.home.location.vaultFolder
    try FileManager.default.moveItem(atPath: folder, toPath: scratch.home.path + "/elsewhere")
    try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: scratch.home.path + "/elsewhere")
    try expectRefused(scratch, .unsafePlace, .vaultFolder)
  }

  @Test(
    "a folder or file that others may read or write",
    arguments: [
      ("vault", 0o777, .vaultFolder), ("vault", 0o750, .vaultFolder), ("device", 0o701, .deviceFolder),
      ("vault/keybag", 0o644, .keybag), ("device/d0-", 0o640, .deviceKey), ("vault/.db", 0o604, .database),
    ] as [(String, Int, VaultError.Part)])
  func openToOthers(file: String, mode: Int, part: VaultError.Part) throws {
    let scratch = try makeVault()
    let parts = file.split(separator: "/").map(String.init)
    var path = scratch.home.path + "/" + parts[0]
    if parts.count > 1 { path = try name(parts[1], in: path, scratch) }
    let old = try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    try expectRefused(scratch, .unsafePlace, part)
    try FileManager.default.setAttributes([.posixPermissions: old], ofItemAtPath: path)
    #expect(try scratch.another().find(query(), for: me).count == 1)
  }

  @Test("a device key or keybag with any byte changed")
  func changedKeys() throws {
    let scratch = try makeVault()
    for path in [
      try name("d0-", in: scratch.home.location.deviceFolder, scratch),
      scratch.home.location.vaultFolder + "/keybag",
    ] {
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      for index in stride(from: 0, to: whole.count, by: 3) {
        var changed = whole
        changed[index] ^= 0x40
        try changed.write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        for adding in [false, true] {
          let error = code(scratch.another(), adding: adding)
          #expect(error?.0.code == .notAvailable, "byte \(index) of \(path)")
        }
        let expected: [VaultError.Code] = [.damaged, .wrongKey, .newerFormat, .missing]
        #expect(expected.contains(try #require(code(scratch.another())?.1).code), "byte \(index) of \(path)")
      }
      try whole.write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      #expect(try scratch.another().find(query(), for: me).count == 1)
    }
  }

  @Test("a rollback journal beside the database is named before SQLite follows it")
  func plantedJournal() throws {
    let scratch = try makeVault()
    let database = try name(".db", in: scratch.home.location.vaultFolder, scratch)
    try Data("planted".utf8).write(to: URL(fileURLWithPath: database + "-journal"))
    try expectRefused(scratch, .damaged, .database)
    #expect(scratch.home.location.path(of: try #require(code(scratch.another())?.1)) == database + "-journal")
  }

  @Test(
    "a planted trigger, view, table or index",
    arguments: [
      "CREATE TRIGGER t AFTER DELETE ON items BEGIN INSERT INTO blobs(box) VALUES(old.secret); END",
      "CREATE VIEW v AS SELECT * FROM items", "CREATE TABLE x(y)", "CREATE INDEX z ON items(ver)",
      "DROP INDEX items_t2", "ALTER TABLE blobs ADD COLUMN more",
    ])
  func plantedSchema(sql: String) throws {
    let scratch = try makeVault()
    let rows = try Rows(scratch.home)
    try rows.run(sql)
    try expectRefused(scratch, .damaged, .database)
  }

  @Test("another program's database in its place, an empty file, a text")
  func foreignDatabase() throws {
    for content in [Data(), Data("SQLite format 3\0 but nothing else".utf8), Data(repeating: 0, count: 32_768)] {
      let scratch = try makeVault()
      let database = try name(".db", in: scratch.home.location.vaultFolder, scratch)
      try content.write(to: URL(fileURLWithPath: database))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: database)
      try expectRefused(scratch, .damaged, .database)
    }
  }

  @Test("an older copy of the database under a newer keybag's header is the predecessor's or refused")
  func foreignVaultsDatabase() throws {
    let scratch = try makeVault()
    let other = try makeVault()
    let mine = try name(".db", in: scratch.home.location.vaultFolder, scratch)
    let theirs = try name(".db", in: other.home.location.vaultFolder, other)
    try FileManager.default.removeItem(atPath: mine)
    try FileManager.default.copyItem(atPath: theirs, toPath: mine)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: mine)
    try expectRefused(scratch, .damaged, .database)
  }

  /// Each statement edits what stands in clear, or exchanges boxes between rows. The record must not be answered as if
  /// nothing had happened.
  @Test(
    "edited columns and exchanged boxes never answer",
    arguments: [
      "UPDATE items SET \"table\" = 2 WHERE id = 1", "UPDATE items SET class = 8 WHERE id = 1",
      "UPDATE items SET sync = 1 WHERE id = 1", "UPDATE items SET grp = zeroblob(16) WHERE id = 1",
      "UPDATE items SET t1 = zeroblob(16) WHERE id = 1", "UPDATE items SET t2 = zeroblob(16) WHERE id = 1",
      "UPDATE items SET pk = zeroblob(16) WHERE id = 1", "UPDATE items SET fmt = 2 WHERE id = 1",
      "UPDATE items SET ver = zeroblob(16) WHERE id = 1", "UPDATE items SET uuid = zeroblob(16) WHERE id = 1",
      "UPDATE items SET tags = (SELECT tags FROM items WHERE id = 2) WHERE id = 1",
      "UPDATE items SET meta = (SELECT meta FROM items WHERE id = 2) WHERE id = 1",
      "UPDATE items SET secret = (SELECT secret FROM items WHERE id = 2) WHERE id = 1",
      "UPDATE items SET (meta, secret, ver, tags) = (SELECT meta, secret, ver, tags FROM items WHERE id = 2) WHERE id = 1",
      "UPDATE items SET meta = NULL WHERE id = 1", "UPDATE items SET secret = NULL WHERE id = 1",
      "UPDATE items SET meta = x'00' WHERE id = 1", "UPDATE items SET class = 300 WHERE id = 1",
      "UPDATE items SET sync = -1 WHERE id = 1", "UPDATE items SET t1 = 7 WHERE id = 1",
    ])
  func editedRows(sql: String) throws {
    let scratch = try Scratch()
    _ = try scratch.backend.add(try password("s", "first", "one"), for: me)
    _ = try scratch.backend.add(try password("s", "second", "two"), for: me)
    scratch.backend.close()
    try Rows(scratch.home).run(sql)
    var everything = query()
    everything.synchronizable = .any
    let found = (try? scratch.another().find(everything, for: me)) ?? []
    #expect(found.map(\.text) == ["two"])
    #expect(found.accounts == [.text("second")])
  }

  @Test("an error says nothing of names, secrets and paths")
  func silentErrors() throws {
    let scratch = try makeVault()
    try FileManager.default.removeItem(atPath: scratch.home.location.deviceFolder)
    let error = try #require(code(scratch.another())?.0)
    for text in ["\(error)", "\(error.localizedDescription)", String(reflecting: error.code)] {
      #expect(!text.contains(scratch.home.path))
    }
  }

  @Test("another user's folder", .enabled(if: getuid() == 0, "needs root: a folder is given to another user"))
  func foreignOwner() throws {
    let scratch = try makeVault()
    try FileManager.default.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: scratch.home.location.vaultFolder)
    try expectRefused(scratch, .unsafePlace, .vaultFolder)
  }

  @Test(
    "another user's file", .enabled(if: getuid() == 0, "needs root: a file is given to another user"),
    arguments: [("vault", "keybag", .keybag), ("vault", ".db", .database), ("device", "d0-", .deviceKey)]
      as [(String, String, VaultError.Part)])
  func foreignFile(folder: String, file: String, part: VaultError.Part) throws {
    let scratch = try makeVault()
    let path = try name(file, in: scratch.home.path + "/" + folder, scratch)
    try FileManager.default.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: path)
    try expectRefused(scratch, .unsafePlace, part)
  }
}
