internal import Foundation
internal import TestFixtures
internal import Testing
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

/// Rows that somebody with the sqlite3 program and no key put in or changed. Nothing traps, nothing else is lost, `check`
/// tells, and what cannot be read can be removed.
@Suite("Hostile rows")
struct HostileRowTests {
  private func filled() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.fill(1..<4)
    return scratch
  }

  private static let columns = "fmt, \"table\", class, sync, grp, t1, t2, tags, ver, meta, secret"

  @Test(
    "a planted row with any id: calls answer, check tells, and the others stay",
    arguments: [Int64.min, -1, 0, 1 << 61, 1 << 62, Int64.max - 1, Int64.max])
  func plantedID(id: Int64) throws {
    let scratch = try filled()
    let columns = Self.columns
    try Rows(scratch.home).run(
      """
      INSERT INTO items(id, uuid, pk, \(columns)) SELECT \(id), randomblob(16), randomblob(16), \(columns) \
      FROM items WHERE id = 2
      """)
    #expect(try scratch.count() == 3)
    #expect(try scratch.look().listedRows == [id])
    _ = try scratch.another().add(try password("more", "more"), for: me)
    #expect(try scratch.another().find(query([.account: .text("more")]), for: me).count == 1)
    try scratch.another().delete(query([.account: .text("account 2")]), for: me)
    #expect(try scratch.check(CheckRequest(movesMany: true)).movedCount <= 1)
    _ = try scratch.another().add(try password("last", "last"), for: me)
    #expect(try scratch.another().find(query([.account: .text("account 3")]), for: me).count == 1)
  }

  @Test("a header that says less than there is: deletes work to the last item")
  func lowHeader() throws {
    // The header as it was with one record.
    let scratch = try Scratch()
    try scratch.fill(1..<2)
    let box = try #require(try Rows(scratch.home).run("SELECT hex(box) FROM header").first)
    try scratch.fill(2..<4)
    try Rows(scratch.home).run("UPDATE header SET box = x'\(box)'")
    let backend = scratch.another()
    for number in 1..<4 { try backend.delete(query([.account: .text("account \(number)")]), for: me) }
    #expect(try scratch.count() == 0)
  }

  @Test("a row with the number of a class whose key is gone: none for find and update, and delete takes it away")
  func deadClass() throws {
    let scratch = try filled()
    try Rows(scratch.home).run("UPDATE items SET class = 12 WHERE id = 2")
    #expect(try scratch.count() == 2)
    #expect(throws: KeychainError(.itemNotFound)) {
      try scratch.another().update(
        query([.account: .text("account 2")]), with: ItemChange([.label: .text("l")]), for: me)
    }
    #expect(try scratch.look().listedRows == [2])
    try scratch.another().delete(query([.account: .text("account 2")]), for: me)
    #expect(try Rows(scratch.home).values(of: "uuid").count == 2)
  }

  @Test("an add over a row of a class whose key is gone takes its place, and the row is kept in quarantine")
  func addOverDeadClass() throws {
    let scratch = try filled()
    try Rows(scratch.home).run("UPDATE items SET class = 12 WHERE id = 2")
    _ = try scratch.another().add(try password("service 2", "account 2", "new"), for: me)
    let found = try scratch.another().find(query([.account: .text("account 2")]), for: me)
    #expect(found.map(\.text) == ["new"])
    #expect(try scratch.check().findings.contains(.quarantined(count: 1)))
  }

  @Test("a record whose large secret is gone: a new secret heals it, and delete takes it away")
  func missingBlob() throws {
    for isHealed in [true, false] {
      let scratch = try Scratch()
      _ = try scratch.backend.add(try password("large", "one", String(repeating: "L", count: 9_000)), for: me)
      scratch.backend.close()
      try Rows(scratch.home).run("DELETE FROM blobs")
      #expect(try scratch.count() == 0)
      #expect(try scratch.look().listedRows == [1])
      let name = ItemQuery(.genericPassword, [.account: .text("one")], limit: .all, wantsSecret: false)
      if isHealed {
        try scratch.another().update(name, with: ItemChange(secret: try secret("new")), for: me)
        #expect(try scratch.another().find(query(), for: me).map(\.text) == ["new"])
        #expect(try scratch.check().findings.isEmpty)
      } else {
        try scratch.another().delete(name, for: me)
        #expect(try scratch.check().findings.isEmpty)
      }
    }
  }
}
