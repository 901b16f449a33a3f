internal import Foundation
internal import TestFixtures
internal import Testing
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

@Suite("Quarantine")
struct QuarantineTests {
  /// A vault of a hundred items, so that one damaged record is 1 %.
  private func filled(_ count: Int = 100) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.fill(1..<(count + 1))
    return scratch
  }

  private func quarantined(_ scratch: Scratch, _ sql: String) throws -> [String] {
    try Rows(path: scratch.home.location.vaultFolder + "/quarantine.db", scratch.home).run(sql)
  }

  @Test("takes a damaged record as it stood, and the vault is sound afterwards")
  func roundTrip() throws {
    let scratch = try filled()
    try scratch.spoil(7...7)
    let columns =
      "id, hex(uuid), fmt, \"table\", class, sync, hex(pk), hex(t2), hex(tags), hex(ver), hex(meta), hex(secret)"
    let row = try Rows(scratch.home).run("SELECT \(columns) FROM items WHERE id = 7")
    let report = try scratch.check()
    #expect(report.listedRows == [7] && report.movedCount == 1 && report.awaitingCount == 0)
    #expect(report.findings.contains(.quarantined(count: 1)) && !report.isClean)
    #expect(try quarantined(scratch, "SELECT \(columns.replacing("id,", with: "\"row\",")) FROM records") == row)
    let again = try scratch.check()
    #expect(again.findings == [.quarantined(count: 1)] && again.isClean && again.recordCount == 99)
    let mode = try FileManager.default.attributesOfItem(atPath: scratch.home.location.vaultFolder + "/quarantine.db")
    #expect(mode[.posixPermissions] as? Int == 0o600)
  }

  @Test("takes the boxes of a large record too")
  func large() throws {
    let scratch = try filled()
    _ = try scratch.backend.add(try password("large", "one", String(repeating: "L", count: 9_000)), for: me)
    scratch.backend.close()
    try Rows(scratch.home).run("UPDATE items SET t1 = zeroblob(16) WHERE id = 101")
    #expect(try scratch.check().movedCount == 1)
    #expect(try quarantined(scratch, "SELECT secret IS NULL, length(secretblob) > 9000 FROM records") == ["1|1"])
    #expect(try Rows(scratch.home).run("SELECT count(*) FROM blobs") == ["0"])
    #expect(try scratch.check().isClean)
  }

  @Test(
    "a check asks before it moves more than 10 records or 1 % of them",
    arguments: [
      (100, 1, true), (100, 2, false), (99, 1, false), (300, 3, true), (300, 4, false), (1_100, 10, true),
      (1_100, 11, false),
    ])
  func limit(count: Int, damaged: Int, moves: Bool) throws {
    let scratch = try filled(count)
    try scratch.spoil(1...damaged)
    let report = try scratch.check()
    #expect(report.movedCount == (moves ? damaged : 0) && report.awaitingCount == (moves ? 0 : damaged))
    #expect(try scratch.count() == count - damaged)
    if moves { return }
    #expect(!FileManager.default.fileExists(atPath: scratch.home.location.vaultFolder + "/quarantine.db"))
    #expect(try scratch.check(CheckRequest(movesMany: true)).movedCount == damaged)
    let after = try scratch.check()
    #expect(after.isClean && after.recordCount == count - damaged)
  }

  @Test("an add over a damaged record moves it and takes its place", arguments: ["meta", "secret", "tags", "ver"])
  func addOver(column: String) throws {
    let scratch = try filled(3)
    try Rows(scratch.home).run("UPDATE items SET \(column) = zeroblob(length(\(column))) WHERE id = 2")
    let names: [Attribute: AttributeValue] = [.service: .text("service 2"), .account: .text("account 2")]
    let backend = scratch.another()
    #expect(throws: KeychainError(.itemNotFound)) { try backend.find(query(names), for: me) }
    _ = try backend.add(try password("service 2", "account 2", "again"), for: me)
    #expect(try backend.find(query(names), for: me).map(\.text) == ["again"])
    #expect(throws: KeychainError(.duplicateItem)) {
      try backend.add(try password("service 2", "account 2", "again"), for: me)
    }
    backend.close()
    #expect(try quarantined(scratch, "SELECT \"row\" FROM records") == ["2"])
    let report = try scratch.check(CheckRequest(accepts: column == "ver"))
    // A version that was changed makes the sum another: nobody can tell which it was.
    #expect(report.isClean == (column != "ver") && report.recordCount == 3)
    #expect(try scratch.check().isClean)
  }

  @Test("an update onto the key of a damaged record moves that and takes its place")
  func updateOnto() throws {
    let scratch = try Scratch()
    try scratch.fill(1..<4)
    try scratch.spoil(2...2)
    let backend = scratch.another()
    func rename(to number: Int) throws {
      try backend.update(
        query([.account: .text("account 3")]),
        with: ItemChange([.service: .text("service \(number)"), .account: .text("account \(number)")]), for: me)
    }
    #expect(throws: KeychainError(.duplicateItem)) { try rename(to: 1) }
    try rename(to: 2)
    #expect(try backend.find(query(), for: me).accounts == [.text("account 1"), .text("account 2")])
    backend.close()
    #expect(try scratch.check().findings == [.quarantined(count: 1)])
  }

  @Test("a damaged record: find and update say that there is none, delete takes it away for good")
  func deleteDamaged() throws {
    let scratch = try filled(3)
    try scratch.spoil(2...2)
    let backend = scratch.another()
    let names = query([.service: .text("service 2"), .account: .text("account 2")])
    #expect(throws: KeychainError(.itemNotFound)) { try backend.find(names, for: me) }
    #expect(throws: KeychainError(.itemNotFound)) {
      try backend.update(names, with: ItemChange(secret: try secret("x")), for: me)
    }
    #expect(throws: KeychainError(.itemNotFound)) { try backend.delete(query([.account: .text("other")]), for: me) }
    try backend.delete(names, for: me)
    #expect(throws: KeychainError(.itemNotFound)) { try backend.delete(names, for: me) }
    backend.close()
    let report = try scratch.check()
    #expect(report.findings.isEmpty && report.recordCount == 2)
  }

  @Test("a delete by an attribute without a column asks the sealed tags of a damaged record")
  func deleteBySealedTag() throws {
    let scratch = try Scratch()
    _ = try scratch.backend.add(try password("s", "a", "1", [.label: .text("red")]), for: me)
    _ = try scratch.backend.add(try password("s", "b", "2", [.label: .text("blue")]), for: me)
    scratch.backend.close()
    try scratch.spoil(1...2)
    let backend = scratch.another()
    #expect(throws: KeychainError(.itemNotFound)) { try backend.delete(query([.label: .text("green")]), for: me) }
    try backend.delete(query([.label: .text("red")]), for: me)
    backend.close()
    #expect(try scratch.look().listedRows == [2])
  }

  @Test("a quarantine that is another program's file stops the move, and the check says so")
  func foreign() throws {
    let scratch = try filled()
    try scratch.spoil(7...7)
    let path = scratch.home.location.vaultFolder + "/quarantine.db"
    try Data("not ours".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(try scratch.look().findings.contains(.quarantineUnreadable))
    let error = #expect(throws: KeychainError.self) { try scratch.check() }
    #expect(error?.cause.flatMap { scratch.home.location.path(of: $0) } == path)
    #expect(try scratch.look().listedRows == [7])
  }

  @Test("a move that was cut off between its two commits is finished by the next, once")
  func cutOff() throws {
    let scratch = try filled()
    try scratch.spoil(7...7)
    let database = try Rows(scratch.home).database
    let old = try Data(contentsOf: URL(fileURLWithPath: database))
    _ = try scratch.check()
    try old.write(to: URL(fileURLWithPath: database))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: database)
    #expect(try scratch.check().movedCount == 1)
    #expect(try quarantined(scratch, "SELECT count(*) FROM records") == ["1"])
  }
}
