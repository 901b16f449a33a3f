internal import Foundation
internal import TestFixtures
internal import Testing
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

/// Which of several versions of a record a salvage takes, and what it says of them.
@Suite("The choice of a salvage")
struct WinnerSalvageTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    try scratch.fill(1..<6)
    database = try Rows(scratch.home).database
  }

  private func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: database)) }

  /// Salvages this database, and gives the secrets that are found then, by account.
  private func salvage(_ file: Data, log: Data? = nil) throws -> (SalvageReport, [String: String]) {
    for (path, content) in [(database, file), (database + "-wal", log ?? Data())] {
      try? FileManager.default.removeItem(atPath: path)
      if path != database, log == nil { continue }
      try content.write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
    let backend = scratch.another()
    defer { backend.close() }
    let report = try backend.salvage()
    #expect(try backend.salvage(replacing: report).isReplaced)
    let secrets = try backend.find(query(), for: me).map { item in
      guard case .text(let account) = item.attributes[.account] else { return ("", "") }
      return (account, item.text ?? "")
    }
    return (report, Dictionary(secrets, uniquingKeysWith: { _, _ in "twice" }))
  }

  private func update(_ number: Int, _ text: String) throws {
    let backend = scratch.another()
    try backend.update(
      query([.account: .text("account \(number)")]), with: ItemChange(secret: try secret(text)), for: me)
    backend.close()
  }

  /// The file and its log, beside a connection that keeps both, after `body`.
  private func logged(_ body: (LocalBackend) throws -> Void) throws -> (file: Data, log: Data) {
    let open = scratch.another()
    defer { open.close() }
    let file = try bytes()
    try body(open)
    return (file, try Data(contentsOf: URL(fileURLWithPath: database + "-wal")))
  }

  @Test("is the newer of two versions of a record, wherever they stand", arguments: [false, true])
  func byUUID(isNewFirst: Bool) throws {
    let old = try bytes()
    try update(2, "new")
    let (report, secrets) = try salvage(isNewFirst ? try bytes() + old : old + (try bytes()))
    #expect(secrets.count == 5 && secrets["account 2"] == "new")
    #expect(report.isComplete && report.recordCount == 5)
  }

  @Test("is the newer of two records with one primary key, wherever they stand", arguments: [false, true])
  func byPrimaryKey(isNewFirst: Bool) throws {
    let old = try bytes()
    let backend = scratch.another()
    try backend.delete(query([.account: .text("account 2")]), for: me)
    _ = try backend.add(try password("service 2", "account 2", "new"), for: me)
    backend.close()
    let (report, secrets) = try salvage(isNewFirst ? try bytes() + old : old + (try bytes()))
    #expect(secrets.count == 5 && secrets["account 2"] == "new")
    #expect(report.isComplete && report.recordCount == 5)
  }

  @Test("stays right after a salvage: its database goes on counting where the old one ended")
  func counter() throws {
    _ = try salvage(try bytes())
    let old = try bytes()
    try update(5, "new")
    let (_, secrets) = try salvage(try bytes() + old)
    #expect(secrets["account 5"] == "new")
  }

  @Test("takes from pages that were written over only what is in no current one")
  func former() throws {
    let (file, written) = try logged { backend in
      _ = try backend.add(try password("service 6", "account 6", "secret 6 "), for: me)
    }
    var log = written
    let lines = try Rows(scratch.home).run("SELECT hex(meta) FROM items WHERE id = 5")
    let digits = try #require(lines.first).compactMap(\.hexDigitValue)
    let box = Data(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    let place = try #require(log.range(of: box))
    log[place.lowerBound + 20] ^= 1
    #expect(log.range(of: box) == nil && file.range(of: box) != nil)
    let (report, secrets) = try salvage(file, log: log)
    #expect(
      secrets.count == 6 && secrets["account 6"] == "secret 6 " && secrets["account 5"]?.hasPrefix("secret 5 ") == true)
    #expect(report.formerCount == 1 && !report.isComplete)
  }

  @Test("is not complete when the count is right and the sum is not")
  func sum() throws {
    let rows = try Rows(scratch.home)
    try rows.run("ATTACH '\(scratch.home.path)/old' AS old; CREATE TABLE old.items AS SELECT * FROM items WHERE id = 2")
    try update(2, "new")
    try rows.run("ATTACH '\(scratch.home.path)/old' AS old; REPLACE INTO items SELECT * FROM old.items; VACUUM")
    let (report, secrets) = try salvage(try bytes())
    #expect(secrets["account 2"]?.hasPrefix("secret 2 ") == true)
    #expect(report.recordCount == 5 && report.expectedCount == 5 && !report.isComplete)
  }

  @Test("knows nothing of a transaction that was not committed")
  func uncommitted() throws {
    let (file, written) = try logged { backend in
      for number in 6...7 {
        _ = try backend.add(try password("service \(number)", "account \(number)", "secret \(number) "), for: me)
      }
    }
    var log = written
    let commits = stride(from: 32, to: log.count, by: 4_120).filter { log[($0 + 4)..<($0 + 8)].contains { $0 != 0 } }
    #expect(commits.count == 2)
    let last = try #require(commits.last)
    log.replaceSubrange((last + 4)..<(last + 8), with: Data(count: 4))
    let (report, secrets) = try salvage(file, log: log)
    #expect(secrets.count == 6 && secrets["account 7"] == nil)
    #expect(report.isComplete && report.recordCount == 6)
  }
}
