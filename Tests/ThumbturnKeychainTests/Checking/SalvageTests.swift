internal import Foundation
internal import TestFixtures
internal import Testing
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

@Suite("A salvage")
struct SalvageTests {
  /// Salvages a vault whose database has these bytes, and says what a fresh process then finds.
  private func salvage(
    _ scratch: Scratch, _ bytes: Data, log: Data? = nil
  ) throws -> (report: SalvageReport, items: [FoundItem]) {
    let database = try Rows(scratch.home).database
    try bytes.write(to: URL(fileURLWithPath: database))
    try log?.write(to: URL(fileURLWithPath: database + "-wal"))
    for path in [database, database + "-wal"] where FileManager.default.fileExists(atPath: path) {
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
    let backend = scratch.another()
    let report = try backend.salvage()
    let done = try backend.salvage(replacing: report)
    #expect(done.keptPath != nil && done.recordCount == report.recordCount)
    let items = (try? backend.find(query(), for: me)) ?? []
    let check = try backend.check()
    #expect(check.isClean && check.recordCount == report.recordCount, "\(check.findings)")
    backend.close()
    try clear(scratch)
    return (report, items)
  }

  /// Removes what salvages kept.
  private func clear(_ scratch: Scratch) throws {
    let folder = scratch.home.location.vaultFolder
    for name in try scratch.home.names(in: folder) where name.contains(".damaged-") {
      try FileManager.default.removeItem(atPath: folder + "/" + name)
    }
  }

  private func expectRight(_ items: [FoundItem]) {
    for item in items {
      guard case .text(let account) = item.attributes[.account], let number = Int(account.dropFirst(8)) else {
        Issue.record("an item that was never stored")
        return
      }
      #expect(item.text?.hasPrefix("secret \(number) ") == true)
    }
  }

  private func filled(_ count: Int, secretCount: Int = 20) throws -> (Scratch, Data) {
    let scratch = try Scratch()
    try scratch.fill(1..<(count + 1), secretCount: secretCount)
    return (scratch, try Data(contentsOf: URL(fileURLWithPath: try Rows(scratch.home).database)))
  }

  @Test("of a sound database is complete and current, in order, with the same identities, and the old file is kept")
  func sound() throws {
    let (scratch, bytes) = try filled(20)
    _ = try scratch.backend.add(
      try password("large", "account 21", "secret 21 " + String(repeating: "L", count: 9_000)), for: me)
    try scratch.backend.delete(query([.account: .text("account 3")]), for: me)
    let before = try scratch.another().find(query(), for: me)
    scratch.backend.close()
    let backend = scratch.another()
    let report = try backend.salvage()
    #expect(report.isComplete && report.recordCount == 20 && report.expectedCount == 20 && report.formerCount == 0)
    #expect(try scratch.home.names(in: scratch.home.location.vaultFolder).count { $0.contains("damaged") } == 0)
    let done = try backend.salvage(replacing: report)
    let after = try backend.find(query(), for: me)
    #expect(after.map(\.reference) == before.map(\.reference) && after.map(\.text) == before.map(\.text))
    let check = try backend.check()
    #expect(check.findings == [.keptFile(path: done.keptPath ?? "")] && check.isClean)
    _ = try backend.add(try password("more", "more"), for: me)
    #expect(try backend.check().isClean)
    #expect(bytes.count > 0)
  }

  @Test("the next write removes what a check or a salvage that was cut off left, and nothing else")
  func debris() throws {
    let (scratch, _) = try filled(3)
    scratch.backend.close()
    let database = try Rows(scratch.home).database
    let folder = scratch.home.location.vaultFolder
    let base = String(database.dropLast(3))
    let others = [base + ".damaged-1.db", base + ".damaged-1.db-wal", folder + "/quarantine.newer", base + ".salvages"]
    for path in others { try Data([1]).write(to: URL(fileURLWithPath: path)) }
    let before = Set(try scratch.home.names(in: folder))
    for debris in [base + ".salvage.tmp", base + ".salvage", folder + "/quarantine.new"] {
      for suffix in ["", "-journal", "-wal", "-shm"] { try Data([1]).write(to: URL(fileURLWithPath: debris + suffix)) }
    }
    _ = try scratch.another().find(query(), for: me)
    #expect(try scratch.home.names(in: folder).count >= before.count + 12)
    let backend = scratch.another()
    _ = try backend.add(try password("more", "more"), for: me)
    backend.close()
    #expect(Set(try scratch.home.names(in: folder).filter { !$0.hasSuffix(".db-shm") }) == before)
  }

  @Test("debris that cannot be removed keeps nobody from writing")
  func debrisFolder() throws {
    let (scratch, _) = try filled(3)
    let base = try Rows(scratch.home).database.dropLast(3)
    for path in [base + ".salvage", base + ".salvage.tmp-wal", scratch.home.location.vaultFolder + "/quarantine.new"] {
      try FileManager.default.createDirectory(atPath: String(path), withIntermediateDirectories: false)
    }
    let left = base + ".salvage.tmp"
    try Data([1]).write(to: URL(fileURLWithPath: String(left)))
    try scratch.fill(4..<5)
    #expect(try scratch.count() == 4)
    #expect(!FileManager.default.fileExists(atPath: String(left)))
  }

  @Test("replaces nothing when something else was confirmed")
  func otherConfirmed() throws {
    let (scratch, _) = try filled(3)
    let report = try scratch.backend.salvage()
    try scratch.fill(4..<5)
    let before = try scratch.home.files()
    let now = try scratch.backend.salvage(replacing: report)
    #expect(now.keptPath == nil && now.recordCount == 4)
    #expect(try scratch.home.files() == before)
  }

  @Test("brings back all but the record of a flipped bit")
  func flips() throws {
    let (scratch, bytes) = try filled(12)
    for bit in stride(from: 5, to: bytes.count * 8, by: 3_001) {
      var changed = bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      let (report, items) = try salvage(scratch, changed)
      expectRight(items)
      #expect(
        items.count >= 11 && report.isComplete == (items.count == 12 && report.expectedCount != nil), "bit \(bit)")
    }
  }

  @Test(
    "takes a record whose types are wrong and whose bytes are right, as a find does",
    arguments: [(1, 8), (1, 9), (1, 12), (2, 1), (-2, 1), (6, 2), (6, 4), (6, 8)])
  func wrongTypes(offset: Int, bits: UInt8) throws {
    let (scratch, bytes) = try filled(12)
    // Header size, the row id as NULL, 16 bytes as a blob, format 1.
    let header = try #require(
      bytes.indices.first {
        $0 + 7 < bytes.count && bytes[$0 + 6] == 8 && bytes[$0] > 14 && bytes[$0] < 32
          && bytes[($0 + 1)...].starts(with: [0, 44, 9])
      })
    var changed = bytes
    // The row id becomes a constant or empty, the uuid text, the record's size another, the mark for synchronizable NULL or
    // empty.
    changed[header + offset] ^= bits
    let (_, items) = try salvage(scratch, changed)
    expectRight(items)
    #expect(items.count == 12)
  }

  @Test("takes a large box and a header that stand as text, as a find does")
  func textBoxes() throws {
    let (scratch, _) = try filled(2, secretCount: 6_000)
    let rows = try Rows(scratch.home)
    try rows.run("UPDATE blobs SET box = CAST(box AS TEXT); UPDATE header SET box = CAST(box AS TEXT)")
    #expect(try scratch.count() == 2)
    let (report, items) = try salvage(scratch, try Data(contentsOf: URL(fileURLWithPath: rows.database)))
    expectRight(items)
    #expect(items.count == 2 && report.isComplete)
  }

  @Test("of a file cut short at every 512 bytes, and without its first page")
  func truncations() throws {
    let (scratch, bytes) = try filled(12)
    var counts: [Int] = []
    for length in stride(from: 0, to: bytes.count, by: 512) {
      do {
        let (_, items) = try salvage(scratch, bytes.prefix(length))
        expectRight(items)
        counts.append(items.count)
      } catch let error as KeychainError {
        #expect(error.cause?.code == .damaged)
        counts.append(0)
      }
    }
    #expect(counts.first == 0 && (counts.last ?? 0) >= 10 && counts == counts.sorted(), "\(counts)")
    var headless = bytes
    headless.replaceSubrange(0..<4_096, with: Data(repeating: 0, count: 4_096))
    #expect(throws: KeychainError(.notAvailable)) {
      try headless.write(to: URL(fileURLWithPath: try Rows(scratch.home).database))
      return try scratch.another().find(query(), for: me)
    }
    let (report, items) = try salvage(scratch, headless)
    expectRight(items)
    #expect(items.count == 12 && report.isComplete)
  }

  @Test("of 1,000 records with 16 % of the pages zeroed brings back every record that has all its pages")
  func zeroedPages() throws {
    let (scratch, bytes) = try filled(1_000)
    let database = try Rows(scratch.home).database
    var changed = bytes
    var generator = SystemRandomNumberGenerator()
    let pageCount = bytes.count / 4_096
    for page in (0..<pageCount).shuffled(using: &generator).prefix(pageCount * 16 / 100) {
      changed.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(repeating: 0, count: 4_096))
    }
    // A record is undamaged when its boxes stand in the file still.
    let boxes = try Rows(path: database, scratch.home).boxes()
    let whole = Set(boxes.indices.filter { changed.range(of: boxes[$0]) != nil })
    let undamaged = (0..<1_000).count { whole.contains($0) && whole.contains(1_000 + $0) }
    let (report, items) = try salvage(scratch, changed)
    expectRight(items)
    #expect(items.count >= undamaged - 5 && items.count <= undamaged)
    print("salvage: \(items.count) of 1000 records back, \(undamaged) of them had both boxes in the file")
    #expect(!report.isComplete)
  }

  @Test("reads the write-ahead log, and tells what is older or was deleted")
  func log() throws {
    let (scratch, _) = try filled(5)
    let database = try Rows(scratch.home).database
    let open = scratch.another()
    _ = try open.add(try password("service 6", "account 6", "secret 6 new"), for: me)
    _ = try open.add(try password("service 7", "account 7", "secret 7 new"), for: me)
    let file = try Data(contentsOf: URL(fileURLWithPath: "/proc/self/fd/\(try descriptor(of: database))"))
    let log = try Data(contentsOf: URL(fileURLWithPath: database + "-wal"))
    #expect(log.count > 4_096)
    open.close()
    let (report, items) = try salvage(scratch, file, log: log)
    expectRight(items)
    #expect(items.count == 7 && report.isComplete && report.formerCount == 0)
    // With every frame of the log's last transaction spoiled the page before it is all that is left.
    var spoiled = log
    for index in stride(from: 32, to: log.count, by: 4_120) {
      spoiled.replaceSubrange((index + 24)..<min(index + 4_120, log.count), with: Data(repeating: 7, count: 4_096))
    }
    let (older, fewer) = try salvage(scratch, file, log: spoiled)
    expectRight(fewer)
    #expect(fewer.count == 5 && older.formerCount == 5 && !older.isComplete)
  }

  /// A descriptor of SQLite's: opening and closing the file here would drop its locks.
  private func descriptor(of path: String) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    return try #require(
      names.first { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path })
  }

  @Test("refuses a file in which nothing opens, and leaves it as it is")
  func refused() throws {
    let (scratch, bytes) = try filled(2)
    let database = try Rows(scratch.home).database
    for content in [Data(), Data(repeating: 0xD, count: 40_000), Data((0..<40_000).map { _ in .random(in: 0...255) })] {
      try content.write(to: URL(fileURLWithPath: database))
      let error = #expect(throws: KeychainError.self) { try scratch.another().salvage() }
      #expect(error?.cause?.code == .damaged)
      #expect(try Data(contentsOf: URL(fileURLWithPath: database)) == content)
    }
    #expect(bytes.count > 0)
  }

  @Test("of random and mutated pages never crashes")
  func fuzz() throws {
    let (scratch, bytes) = try filled(8, secretCount: 6_000)
    let database = try Rows(scratch.home).database
    for _ in 0..<300 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...40) {
        let at = Int.random(in: 0..<changed.count)
        switch Int.random(in: 0..<4) {
        case 0: changed[at] = .random(in: 0...255)
        case 1: changed[at] ^= UInt8(1) << UInt8.random(in: 0...7)
        case 2:
          let page = at / 4_096 * 4_096
          let random = Data((0..<64).map { _ in .random(in: 0...255) })
          changed.replaceSubrange(page..<(page + 64), with: random)
        default:
          // Pages exchanged, so that chains lead astray and in circles.
          let (from, to) = (at / 4_096 * 4_096, Int.random(in: 0..<(changed.count / 4_096)) * 4_096)
          changed.replaceSubrange(to..<(to + 4_096), with: changed[from..<(from + 4_096)])
        }
      }
      try changed.write(to: URL(fileURLWithPath: database))
      do {
        #expect(try scratch.another().salvage().recordCount <= 8)
      } catch { #expect(error.code == .notAvailable) }
    }
  }
}
