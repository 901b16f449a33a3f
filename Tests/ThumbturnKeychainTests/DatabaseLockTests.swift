internal import Foundation
internal import Glibc
internal import TestFixtures
internal import Testing
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

@Suite("Locks of the database")
struct DatabaseLockTests {
  /// Locks of fcntl(2) end with any close of the file in the process. Without SQLite's shared one, the next program that
  /// closes the vault takes itself for the last user and deletes the write-ahead log that this one goes on writing to.
  @Test("opening the same vault once more in this process keeps SQLite's lock on the file")
  func secondBackend() throws {
    let scratch = try Scratch()
    _ = try scratch.backend.add(try password("s", "a"), for: me)
    #expect(try lockCount(scratch.home) > 0)
    let other = scratch.another()
    _ = try other.find(query(), for: me)
    #expect(try lockCount(scratch.home) > 0)
    other.close()
    _ = try scratch.another().status()
    #expect(try lockCount(scratch.home) > 0)
    // These read the file past SQLite's pages.
    #expect(try scratch.check().isClean)
    #expect(try lockCount(scratch.home) > 0)
    #expect(try scratch.another().salvage().isComplete)
    #expect(try lockCount(scratch.home) > 0)
    scratch.backend.close()
    #expect(try lockCount(scratch.home) == 0)
  }
}

/// The locks of fcntl(2) that this process has on the database, by the kernel's list.
func lockCount(_ home: TemporaryHome) throws -> Int {
  let name = try #require(try home.names(in: home.location.vaultFolder).first { $0.hasSuffix(".db") })
  let facts = try FileManager.default.attributesOfItem(atPath: home.location.vaultFolder + "/" + name)
  let inode = try #require(facts[.systemFileNumber] as? NSNumber)
  return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n").count { line in
    line.contains(" POSIX ") && line.contains(" \(getpid()) ") && line.contains(":\(inode) ")
  }
}
