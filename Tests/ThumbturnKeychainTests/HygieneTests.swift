internal import Foundation
internal import Glibc
internal import TestFixtures
internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

/// What a library may not do to the process that it is in, and what the process may do to it (VAULT.md §11).
@Suite("A guest in somebody's process")
struct HygieneTests {
  /// What parent and child share; a C function captures nothing.
  nonisolated(unsafe) private static var scratch: Scratch?
  nonisolated(unsafe) private static var lock: FileLock?

  @Test("under umask 000 every file has mode 600 and every folder 700, while the vault is open and afterwards")
  func openUmask() async {
    await #expect(processExitsWith: .success) {
      umask(0)
      let scratch = try Scratch()
      func expectClosed() throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: scratch.home.path)
        for name in names {
          let facts = try system_fstatat(system_currentFolder, scratch.home.path + "/" + name)
          let expected: UInt32 = facts.kind == .folder ? 0o700 : 0o600
          try #require(facts.mode == expected, "\(name): \(String(facts.mode, radix: 8))")
        }
      }
      for number in 0..<3 { _ = try scratch.backend.add(try password("s", "\(number)"), for: me) }
      try expectClosed()
      let open = try scratch.home.names(in: scratch.home.location.vaultFolder)
      for suffix in [".db", ".db-wal", ".db-shm"] { try #require(open.contains { $0.hasSuffix(suffix) }, "\(suffix)") }
      // A damaged record makes the quarantine.
      try Rows(scratch.home).run("UPDATE items SET meta = randomblob(length(meta)) WHERE id = 2")
      try #require(try scratch.check(CheckRequest(movesMany: true)).movedCount == 1)
      try #require(try scratch.home.names(in: scratch.home.location.vaultFolder).contains("quarantine.db"))
      try expectClosed()
      scratch.backend.close()
      try expectClosed()
    }
  }

  @Test("with the standard descriptors closed no file of the vault becomes one, and what is printed spoils nothing")
  func closedStreams() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      for descriptor in Int32(0)...2 { close(descriptor) }
      for number in 0..<20 {
        _ = try scratch.backend.add(try password("s", "\(number)", String(repeating: "x", count: 6_000)), for: me)
        // What lies on a number of a stream must not be the vault's: links to nothing, or to places of others.
        for descriptor in 0...2 {
          let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
          try #require(place?.hasPrefix(scratch.home.path) != true, "\(descriptor): \(place ?? "")")
        }
        for descriptor in Int32(0)...2 { _ = unsafe write(descriptor, "printed by somebody\n", 20) }
      }
      try #require(try scratch.another().find(query(), for: me).count == 20)
      try #require(try scratch.check().isClean)
    }
  }

  @Test("a forked child that ends its use of a lock leaves it to its parent, also when the child goes on")
  func childLetsGo() async {
    await #expect(processExitsWith: .success) {
      let home = try TemporaryHome()
      let folder = try Folder.make(home.location.vaultFolder, part: .vaultFolder)
      for mode in [LockMode.exclusive, .shared] {
        let other = try FileLock(in: folder, name: "l", part: .writerLock, mode: .exclusive)
        let lock = try FileLock(in: folder, name: "l", part: .writerLock, mode: mode)
        unsafe Self.lock = lock
        try #require(try lock.take())
        let code = tt_in_forked_child {
          // The number is another file's by now, which the end of the lock must not close.
          let number = unsafe open("/dev/null", O_RDONLY)
          guard unsafe (try? HygieneTests.lock?.take()) == nil else { return 1 }
          unsafe HygieneTests.lock?.give()
          unsafe HygieneTests.lock = nil
          return fcntl(number, F_GETFD) >= 0 ? 0 : 2
        }
        try #require(code == 0, "child: \(code)")
        try #require(try !other.take(), "\(mode)")
        lock.give()
        try #require(try other.take())
        other.give()
        unsafe Self.lock = nil
      }
    }
  }

  /// The lock belongs to the open file, which the child shares: nobody could write as long as it lives.
  @Test("a writer that is killed while its forked child lives leaves the vault free for others")
  func killedHolder() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      unsafe Self.scratch = scratch
      _ = try scratch.backend.add(try password("s", "before"), for: me)
      let holder = tt_fork {
        guard let home = unsafe HygieneTests.scratch?.home else { return 1 }
        let vault = Vault(location: home.location)
        try? vault.write(mayCreate: false) { (_) throws(VaultError) in
          _ = tt_fork {
            guard let home = unsafe HygieneTests.scratch?.home else { return 1 }
            _ = FileManager.default.createFile(atPath: home.path + "/child lives", contents: nil)
            for _ in 0..<3_000 where !FileManager.default.fileExists(atPath: home.path + "/end") { usleep(10_000) }
            _ = FileManager.default.createFile(atPath: home.path + "/child ended", contents: nil)
            return 0
          }
          while !FileManager.default.fileExists(atPath: home.path + "/child lives") { usleep(1_000) }
          kill(getpid(), SIGKILL)
        }
        return 2
      }
      try #require(tt_wait_for_child(holder, 20) == -1)
      let began = system_bootNanoseconds()
      _ = try scratch.another().add(try password("s", "after"), for: me)
      try #require(system_bootNanoseconds() - began < 2_000_000_000)
      let seat = try FileLock(
        in: try #require(try Folder.open(scratch.home.location.vaultFolder, part: .vaultFolder)),
        name: Seat.fileName, part: .seatLock, mode: .exclusive)
      scratch.backend.close()
      try #require(try seat.take())
      seat.give()
      try #require(!FileManager.default.fileExists(atPath: scratch.home.path + "/child ended"))
      try Data().write(to: URL(fileURLWithPath: scratch.home.path + "/end"))
      while !FileManager.default.fileExists(atPath: scratch.home.path + "/child ended") { usleep(10_000) }
      try #require(try scratch.another().find(query(), for: me).accounts == [.text("before"), .text("after")])
      unsafe Self.scratch = nil
    }
  }

  @Test("the secrets of one find end at the limit, and one byte more is an error and no shorter answer")
  func foundSecretsLimit() throws {
    let scratch = try Scratch()
    for number in 0..<4 {
      _ = try scratch.backend.add(try password("s", "\(number)", String(repeating: "x", count: 25)), for: me)
    }
    scratch.end()
    let enough = LocalBackend(location: scratch.home.location, foundSecretsCountMax: 100)
    #expect(try enough.find(query(), for: me).count == 4)
    enough.close()
    let short = LocalBackend(location: scratch.home.location, foundSecretsCountMax: 99)
    do {
      _ = try short.find(query(), for: me)
      Issue.record("more than the limit was found")
    } catch {
      #expect(error.cause?.code == .outOfMemory)
    }
    // Only secrets count, and only those that are asked for.
    #expect(try short.find(query(limit: .count(3)), for: me).count == 3)
    var names = query()
    names.wantsSecret = false
    #expect(try short.find(names, for: me).count == 4)
    #expect(scratch.backend.foundSecretsCountMax == 268_435_456)
  }
}
