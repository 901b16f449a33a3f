internal import Foundation
internal import Glibc
internal import TestFixtures
internal import Testing
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

/// Files that somebody with the folder put there, or made so that reading them comes to no end.
@Suite("Hostile files", .serialized)
struct HostileFileTests {
  private func filled(_ count: Int = 3, service: String? = nil) throws -> Scratch {
    let scratch = try Scratch()
    for number in 0..<count {
      _ = try scratch.backend.add(
        try password(service ?? "service \(number)", "account \(number)", String(repeating: "x", count: 300)), for: me)
    }
    scratch.backend.close()
    return scratch
  }

  /// What a call says; nil when it succeeds. It must not take long.
  private func failure(
    _ call: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) -> VaultError? {
    let began = Date()
    defer { #expect(Date().timeIntervalSince(began) < 6, sourceLocation: sourceLocation) }
    do {
      try call()
      return nil
    } catch {
      return (error as? KeychainError)?.cause
    }
  }

  /// A find and an add of a fresh process, and a check: each must say `code` of the file, in bounded time. With
  /// `hasReport` the check does not fail: what is wrong with the database is its finding.
  private func expectRefused(
    _ scratch: Scratch, _ code: VaultError.Code, _ file: String, hasReport: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var calls: [() throws -> Void] = [
      { _ = try scratch.another().find(query(), for: me) },
      { _ = try scratch.another().add(try password("new", "new"), for: me) },
    ]
    if hasReport {
      #expect(try scratch.check().needsSalvage, sourceLocation: sourceLocation)
    } else {
      calls.append { _ = try scratch.check() }
    }
    for call in calls {
      let error = failure(call, sourceLocation: sourceLocation)
      #expect(error?.code == code, sourceLocation: sourceLocation)
      let path = error.flatMap { scratch.home.location.path(of: $0) }
      #expect(path == file, sourceLocation: sourceLocation)
    }
  }

  private func makeFIFO(_ path: String) throws {
    let status = unsafe mkfifo(path, 0o600)
    try #require(status == 0)
  }

  /// To 10 GB that take no place.
  private func stretch(_ path: String) throws {
    let status = unsafe truncate(path, 10_000_000_000)
    try #require(status == 0)
  }

  /// To others.
  private func close(_ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  private func file(_ name: String, _ scratch: Scratch) throws -> String {
    switch name {
    case "db": return try Rows(scratch.home).database
    case "db-wal", "db-shm", "db-journal": return try Rows(scratch.home).database + name.dropFirst(2)
    case "device":
      let folder = scratch.home.location.deviceFolder
      return folder + "/" + (try #require(try scratch.home.names(in: folder).first))
    default: return scratch.home.location.vaultFolder + "/" + name
    }
  }

  @Test(
    "a FIFO, a folder or a link to a device in a file's place: refused by name, at once",
    arguments: ["db", "db-wal", "db-shm", "keybag", "seat.lock", "device"], ["FIFO", "folder", "link"])
  func otherKinds(name: String, kind: String) throws {
    let scratch = try filled()
    let path = try file(name, scratch)
    try? FileManager.default.removeItem(atPath: path)
    switch kind {
    case "FIFO": try makeFIFO(path)
    case "folder":
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    default: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
    }
    try expectRefused(scratch, .unsafePlace, path)
  }

  @Test(
    "a FIFO or a folder in the writer lock's place: writers are refused at once, readers go on",
    arguments: [true, false])
  func writerLock(isFIFO: Bool) throws {
    let scratch = try filled()
    let path = try file("writer.lock", scratch)
    try FileManager.default.removeItem(atPath: path)
    if isFIFO {
      try makeFIFO(path)
    } else {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }
    #expect(failure { _ = try scratch.another().add(try password("new", "new"), for: me) }?.code == .unsafePlace)
    #expect(try scratch.count() == 3)
  }

  @Test("10 GB of nothing in a file's place, and behind its end", arguments: ["db", "keybag", "device"])
  func sparse(name: String) throws {
    let scratch = try filled()
    let path = try file(name, scratch)
    let kept = try Data(contentsOf: URL(fileURLWithPath: path))
    try Data().write(to: URL(fileURLWithPath: path))
    try close(path)
    try stretch(path)
    try expectRefused(scratch, .damaged, path, hasReport: name == "db")
    try kept.write(to: URL(fileURLWithPath: path))
    try close(path)
    #expect(try scratch.count() == 3)
    try stretch(path)
    // A database is as large as its first page says; what is behind is nobody's.
    if name == "db" {
      let began = Date()
      #expect(try scratch.count() == 3)
      _ = try scratch.check()
      #expect(Date().timeIntervalSince(began) < 20)
    } else {
      try expectRefused(scratch, .damaged, path)
    }
  }

  @Test("10 GB of nothing in the log's place hide nothing")
  func sparseLog() throws {
    let scratch = try filled()
    let path = try file("db-wal", scratch)
    try Data().write(to: URL(fileURLWithPath: path))
    try close(path)
    try stretch(path)
    let began = Date()
    #expect(try scratch.count() == 3)
    #expect(Date().timeIntervalSince(began) < 20)
  }

  @Test("an index whose root is another's is told, and answers nothing that is wrong")
  func exchangedRoots() throws {
    let scratch = try filled(5)
    try Rows(scratch.home).run(
      """
      PRAGMA writable_schema = ON; \
      UPDATE sqlite_schema SET rootpage = (SELECT sum(rootpage) FROM sqlite_schema WHERE name IN \
      ('items_t2', 'sqlite_autoindex_items_1')) - rootpage WHERE name IN ('items_t2', 'sqlite_autoindex_items_1')
      """)
    for number in 0..<5 {
      let found = try? scratch.another().find(query([.account: .text("account \(number)")]), for: me)
      #expect(found?.accounts ?? [.text("account \(number)")] == [.text("account \(number)")])
    }
    #expect(try !scratch.look().isClean)
  }

  /// All children of an interior page become its first: the same rows again and again, which with more levels would be read
  /// for years.
  private func repeatChildren(ofRoot name: String, _ scratch: Scratch) throws {
    let rows = try Rows(scratch.home)
    let root = try #require(Int(try rows.run("SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'")[0]))
    var bytes = try Data(contentsOf: URL(fileURLWithPath: rows.database))
    let page = (root - 1) * 4_096
    try #require([0x02, 0x05].contains(bytes[page]), "not large enough for an interior page")
    let count = Int(bytes[page + 3]) << 8 | Int(bytes[page + 4])
    func cell(_ index: Int) -> Int {
      page + (Int(bytes[page + 12 + 2 * index]) << 8 | Int(bytes[page + 13 + 2 * index]))
    }
    let first = bytes[cell(0)..<(cell(0) + 4)]
    for index in 1..<count { bytes.replaceSubrange(cell(index)..<(cell(index) + 4), with: first) }
    bytes.replaceSubrange((page + 8)..<(page + 12), with: first)
    try bytes.write(to: URL(fileURLWithPath: rows.database))
    try close(rows.database)
  }

  @Test("a table whose pages repeat: a list is refused, not endless, and check tells")
  func repeatingTable() throws {
    let scratch = try filled(200)
    try repeatChildren(ofRoot: "items", scratch)
    let error = failure { _ = try scratch.another().find(query(), for: me) }
    #expect(error?.code == .damaged)
    #expect(try scratch.look().needsSalvage)
  }

  @Test("an index whose pages repeat: a find is refused, not endless, and check tells")
  func repeatingIndex() throws {
    let scratch = try filled(400, service: "one")
    try repeatChildren(ofRoot: "items_t1_t2", scratch)
    let error = failure { _ = try scratch.another().find(query([.service: .text("one")]), for: me) }
    #expect(error?.code == .damaged)
    #expect(try scratch.look().needsSalvage)
  }

  @Test(
    "a vault that is read-only here and written elsewhere is never read as it was",
    .enabled(if: getuid() == 0, "needs root: a folder is mounted read-only"))
  func readOnlyMount() throws {
    let scratch = try filled()
    let mount = try TemporaryHome()
    func run(_ arguments: [String]) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/\(arguments[0])")
      process.arguments = Array(arguments.dropFirst())
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0, "\(arguments)")
    }
    try run(["mount", "--bind", scratch.home.path, mount.path])
    defer { try? run(["umount", "-l", mount.path]) }
    try run(["mount", "-o", "remount,ro,bind", mount.path])
    let reader = LocalBackend(location: VaultLocation(home: mount.path))
    #expect(try reader.find(query(), for: me).count == 3)
    for number in 0..<3 {
      // While the writer has it open there is a log; when it has closed there is none.
      _ = try scratch.backend.add(try password("more", "\(number)"), for: me)
      #expect(try reader.find(query(), for: me).count == 4 + number)
      scratch.backend.close()
      #expect(try reader.find(query(), for: me).count == 4 + number)
    }
    reader.close()
  }
}
