internal import Foundation
internal import TestFixtures
internal import Testing
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

/// Each finding with its planted cause, made by somebody with the sqlite3 program and no key.
@Suite("A check")
struct CheckTests {
  private func filled(_ count: Int = 5) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.fill(1..<(count + 1))
    return scratch
  }

  @Test("finds nothing in a sound vault, with large boxes and after changes and deletes, and changes no file")
  func sound() throws {
    let scratch = try filled()
    _ = try scratch.backend.add(try password("large", "one", String(repeating: "L", count: 9_000)), for: me)
    try scratch.backend.update(query([.account: .text("account 2")]), with: ItemChange([.label: .text("l")]), for: me)
    try scratch.backend.delete(query([.account: .text("account 3")]), for: me)
    scratch.backend.close()
    let before = try scratch.home.files()
    let report = try scratch.check()
    #expect(report.findings.isEmpty && report.isClean && report.recordCount == 5)
    #expect(try scratch.home.files() == before)
  }

  @Test("reads beside another program that has the vault open")
  func beside() throws {
    let scratch = try filled()
    _ = try scratch.backend.find(query(), for: me)
    #expect(try scratch.check().isClean)
    _ = try scratch.backend.add(try password("more", "more"), for: me)
    #expect(try scratch.check().recordCount == 6)
  }

  @Test("tells of a row that was put back after it was changed")
  func putBack() throws {
    let scratch = try filled()
    let rows = try Rows(scratch.home)
    try rows.run("ATTACH '\(scratch.home.path)/old' AS old; CREATE TABLE old.items AS SELECT * FROM items WHERE id = 2")
    try scratch.backend.update(
      query([.account: .text("account 2")]), with: ItemChange(secret: try secret("new")), for: me)
    scratch.backend.close()
    try rows.run("ATTACH '\(scratch.home.path)/old' AS old; REPLACE INTO items SELECT * FROM old.items")
    // The old one is whole, so it answers.
    #expect(try scratch.count() == 5)
    let report = try scratch.check()
    #expect(report.findings == [.recordsChanged(countExpected: 5, countFound: 5)])
    #expect(!report.isClean && report.movedCount == 0)
  }

  @Test("tells of a deleted row")
  func deletedRow() throws {
    let scratch = try filled()
    try Rows(scratch.home).run("DELETE FROM items WHERE id = 3")
    #expect(try scratch.check().findings == [.recordsChanged(countExpected: 5, countFound: 4)])
  }

  @Test("tells of a deleted row that was put back")
  func resurrectedRow() throws {
    let scratch = try filled()
    let rows = try Rows(scratch.home)
    try rows.run("ATTACH '\(scratch.home.path)/old' AS old; CREATE TABLE old.items AS SELECT * FROM items WHERE id = 2")
    try scratch.backend.delete(query([.account: .text("account 2")]), for: me)
    scratch.backend.close()
    try rows.run("ATTACH '\(scratch.home.path)/old' AS old; INSERT INTO items SELECT * FROM old.items")
    #expect(try scratch.check().findings == [.recordsChanged(countExpected: 4, countFound: 5)])
  }

  @Test("tells of two rows whose boxes were exchanged, by row")
  func exchanged() throws {
    let scratch = try filled()
    try Rows(scratch.home).run(
      """
      CREATE TEMP TABLE kept AS SELECT * FROM items; UPDATE items SET (meta, secret) = \
      (SELECT meta, secret FROM kept WHERE kept.id = 5 - items.id) WHERE id IN (2, 3)
      """)
    let report = try scratch.look()
    #expect(report.listedRows == [2, 3] && report.damagedCount == 2 && !report.hasChangedRecords)
    #expect(try scratch.count() == 3)
  }

  @Test("tells of an index that misses a row, and of what a find then misses")
  func indexRow() throws {
    let scratch = try filled()
    // As an index that was damaged on the disk: the row is there and the index does not name it.
    try Rows(scratch.home).run(
      """
      PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE INDEX items_t2 ON items(t2) WHERE id <> 2' \
      WHERE name = 'items_t2'; PRAGMA writable_schema = RESET; REINDEX items_t2; PRAGMA writable_schema = ON; \
      UPDATE sqlite_schema SET sql = 'CREATE INDEX items_t2 ON items(t2)' WHERE name = 'items_t2'
      """)
    #expect(throws: KeychainError(.itemNotFound)) {
      try scratch.another().find(query([.account: .text("account 2")]), for: me)
    }
    let report = try scratch.check()
    #expect(report.hasDamagedStructure && report.needsSalvage && report.damagedCount == 0)
  }

  @Test("tells of a missing box, an orphan box and a box too many")
  func boxes() throws {
    let scratch = try filled(2)
    _ = try scratch.backend.add(try password("large", "one", String(repeating: "L", count: 9_000)), for: me)
    scratch.backend.close()
    let rows = try Rows(scratch.home)
    try rows.run("INSERT INTO blobs VALUES(100, zeroblob(5000)), (2, zeroblob(5000))")
    #expect(try scratch.look().findings == [.orphanBoxes(count: 2)])
    try rows.run("DELETE FROM blobs")
    #expect(try scratch.look().listedRows == [3])
  }

  @Test("tells of a header row that was replaced by another vault's, or is gone")
  func headerRow() throws {
    let scratch = try filled()
    let other = try Rows(try filled().home)
    let box = try #require(try other.run("SELECT hex(box) FROM header").first)
    let rows = try Rows(scratch.home)
    for sql in ["UPDATE header SET box = x'\(box)'", "UPDATE header SET box = zeroblob(288)", "DELETE FROM header"] {
      try rows.run(sql)
      let report = try scratch.check()
      #expect(report.findings == [.unreadable] && report.needsSalvage, "\(sql)")
    }
  }

  @Test("tells of a header row that is older than the rows")
  func olderHeader() throws {
    let scratch = try filled()
    let rows = try Rows(scratch.home)
    let box = try #require(try rows.run("SELECT hex(box) FROM header").first)
    try scratch.fill(6..<7)
    try rows.run("UPDATE header SET box = x'\(box)'")
    #expect(try scratch.check().findings == [.recordsChanged(countExpected: 5, countFound: 6)])
  }

  @Test(
    "tells of a changed column or box",
    arguments: [
      "\"table\" = 2", "class = 8", "sync = 1", "grp = zeroblob(16)", "t1 = zeroblob(16)", "pk = zeroblob(16)",
      "fmt = 2", "ver = zeroblob(16)", "uuid = zeroblob(16)", "uuid = x'01'", "meta = NULL", "secret = NULL",
      "secret = zeroblob(92)", "tags = zeroblob(100)", "tags = x''", "class = 300", "sync = -1",
    ])
  func columns(change: String) throws {
    let scratch = try filled(3)
    try Rows(scratch.home).run("UPDATE items SET \(change) WHERE id = 2")
    #expect(try scratch.look().listedRows == [2])
  }

  @Test("names files that the keybag does not, and leaves them alone")
  func strayFiles() throws {
    let scratch = try filled()
    let vault = scratch.home.location.vaultFolder + "/vault-00000000000000000000000000000000.db"
    let key = scratch.home.location.deviceFolder + "/d0-00000000000000000000000000000000"
    for path in [vault, key] { try Data("x".utf8).write(to: URL(fileURLWithPath: path)) }
    let report = try scratch.check()
    #expect(report.findings == [.strayFile(path: vault), .strayFile(path: key)] && report.isClean)
    #expect(FileManager.default.fileExists(atPath: vault) && FileManager.default.fileExists(atPath: key))
  }

  @Test("a wrong key is no damage: nothing is moved")
  func wrongKey() throws {
    let scratch = try filled()
    let other = try filled()
    for folder in [scratch.home.location.deviceFolder] {
      let mine = try #require(try scratch.home.names(in: folder).first)
      let theirs = try #require(try other.home.names(in: other.home.location.deviceFolder).first)
      try FileManager.default.removeItem(atPath: "\(folder)/\(mine)")
      try FileManager.default.copyItem(
        atPath: "\(other.home.location.deviceFolder)/\(theirs)", toPath: "\(folder)/\(mine)")
    }
    let before = try scratch.home.files()
    #expect(throws: KeychainError(.notAvailable)) { try scratch.check(CheckRequest(movesMany: true)) }
    #expect(try scratch.home.files() == before)
  }

  @Test("says how far it is")
  func progress() throws {
    let scratch = try Scratch()
    try scratch.fill(0..<1_100)
    var calls: [[Int]] = []
    _ = try scratch.another().check(progress: { calls.append([$0, $1]) })
    #expect(calls == [[1_024, 1_100]])
  }

  @Test("accepts what is there, and is clean afterwards")
  func accept() throws {
    let scratch = try filled()
    try Rows(scratch.home).run("DELETE FROM items WHERE id = 3")
    let report = try scratch.check(CheckRequest(accepts: true))
    #expect(report.isAccepted && report.findings == [.recordsChanged(countExpected: 5, countFound: 4)])
    #expect(try scratch.check().findings.isEmpty)
    #expect(try scratch.another().status().itemCount == 4)
    try scratch.fill(6..<8)
    #expect(try scratch.check().findings.isEmpty)
  }

  @Test("accepting settles only that records were changed", arguments: [(true, false), (false, true), (true, true)])
  func acceptedInPart(hasOrphan: Bool, isDeleted: Bool) throws {
    let scratch = try filled()
    if hasOrphan { try Rows(scratch.home).run("INSERT INTO blobs VALUES(100, zeroblob(5000))") }
    if isDeleted { try Rows(scratch.home).run("DELETE FROM items WHERE id = 3") }
    let report = try scratch.check(CheckRequest(accepts: true))
    #expect(report.isAccepted && !report.isClean && report.isDamaged == hasOrphan)
    #expect(try scratch.check().findings == (hasOrphan ? [.orphanBoxes(count: 1)] : []))
  }

  @Test("tells of a quarantine that cannot be read, whatever it is, and does its work", arguments: 0..<3)
  func quarantine(kind: Int) throws {
    let scratch = try filled()
    let path = scratch.home.location.vaultFolder + "/quarantine.db"
    switch kind {
    case 0: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
    case 1: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    default: try Data("x".utf8).write(to: URL(fileURLWithPath: path))
    }
    if kind == 2 { try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path) }
    try Rows(scratch.home).run("DELETE FROM items WHERE id = 3")
    let report = try scratch.check(CheckRequest(accepts: true))
    #expect(report.isAccepted && report.isDamaged)
    #expect(report.findings == [.recordsChanged(countExpected: 5, countFound: 4), .quarantineUnreadable])
    #expect(try scratch.check().findings == [.quarantineUnreadable])
  }
}
