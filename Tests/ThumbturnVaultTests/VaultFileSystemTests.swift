internal import Foundation
internal import TestFixtures
internal import Testing

@testable internal import ThumbturnVault

/// What SQLite itself may do with a vault's files, whatever its databases say.
@Suite("SQLite under a vault")
struct VaultFileSystemTests {
  /// A database of a vault whose own bytes deny its log, beside a journal that names `victim`: the way in which SQLite can
  /// be made to delete a file.
  private func plant(in home: TemporaryHome, victim: String) throws -> String {
    let vault = Vault(location: home.location)
    try vault.write(mayCreate: true) { (_) throws(VaultError) in }
    vault.close()
    let name = try #require(try home.names(in: home.location.vaultFolder).first { $0.hasSuffix(".db") })
    let path = home.location.vaultFolder + "/" + name
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[18] = 1
    bytes[19] = 1
    try bytes.write(to: URL(fileURLWithPath: path))
    // SQLite takes an empty file for none.
    try Data("precious".utf8).write(to: URL(fileURLWithPath: victim))
    try Data(journal(naming: victim, pageCount: bytes.count / 4_096)).write(to: URL(fileURLWithPath: path + "-journal"))
    return path
  }

  /// A header without pages, and the name of a super-journal (https://www.sqlite.org/fileformat2.html#the_rollback_journal).
  private func journal(naming victim: String, pageCount: Int) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    var bytes = magic + number(0) + number(7) + number(pageCount) + number(512) + number(4_096)
    bytes += [UInt8](repeating: 0, count: 512 - bytes.count)
    let name = Array(victim.utf8)
    bytes += number(0x4000_0000 / 4_096 + 1) + name + number(name.count)
    return bytes + number(name.reduce(0) { $0 + Int($1) }) + magic
  }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  @Test("a journal that names a file is followed by SQLite's own file system, and not by a vault's")
  func plantedJournal() throws {
    let home = try TemporaryHome()
    let victim = home.path + "/victim"
    let path = try plant(in: home, victim: victim)
    // Past everything that is looked at before, as if it had been planted after that.
    #expect(try failure(at: path, "SELECT count(*) FROM items") == nil)
    #expect(try failure(at: path, "DELETE FROM items") != nil)
    #expect(exists(victim) && exists(path + "-journal"))

    // The control: without it the file is gone.
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    process.arguments = [path, "SELECT count(*) FROM items"]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(!exists(victim))
  }

  @Test("a database that denies its log is refused by name")
  func denied() throws {
    let home = try TemporaryHome()
    let path = try plant(in: home, victim: home.path + "/victim")
    try FileManager.default.removeItem(atPath: path + "-journal")
    do {
      try Vault(location: home.location).read { (_) throws(VaultError) in }
      Issue.record("it was read")
    } catch {
      #expect(error.code == .damaged && error.fileName == (path as NSString).lastPathComponent)
      #expect(error.reason == "the database is not in WAL mode")
    }
  }

  @Test("a step that comes to no end is ended")
  func endless() throws {
    let home = try TemporaryHome()
    try Data().write(to: URL(fileURLWithPath: home.path + "/empty"))
    let began = Date()
    let endless: StaticString =
      "WITH RECURSIVE all_(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM all_) SELECT count(*) FROM all_"
    // What comes after it has its own time.
    #expect(try failure(at: home.path + "/empty", endless, "SELECT 1", limitSeconds: 1) == .damaged)
    #expect(Date().timeIntervalSince(began) < 10)
  }

  /// What one statement of a new connection says; nil when it succeeds. `second` must succeed.
  private func failure(
    at path: String, _ sql: StaticString, _ second: StaticString = "SELECT 1", limitSeconds: Int64 = 60
  ) throws -> VaultError.Code? {
    let connection = try Connection(path: path, .normal)
    connection.clock.limitSeconds = limitSeconds
    var code: VaultError.Code?
    do throws(VaultError) {
      let statement = try connection.prepare(sql)
      _ = try statement.step()
    } catch { code = error.code }
    try connection.execute(second)
    return code
  }
}
