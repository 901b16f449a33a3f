internal import CForks
internal import Foundation
internal import TestFixtures
internal import Testing
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

/// A process that forks after it has used the vault (VAULT.md §11). Each runs in a process of its own, which has no other
/// test's threads.
@Suite("Forked children")
struct ForkTests {
  /// What parent and child share; a C function captures nothing.
  nonisolated(unsafe) private static var scratch: Scratch?

  @Test("the child has its own lock on the database, its change is kept, and the parent goes on")
  func childWrites() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      unsafe ForkTests.scratch = scratch
      _ = try scratch.backend.add(try password("s", "parent"), for: me)
      let code = tt_in_forked_child {
        guard let scratch = unsafe ForkTests.scratch else { return 1 }
        guard (try? scratch.backend.add(try password("s", "child"), for: me)) != nil else { return 2 }
        guard (try? scratch.backend.find(query(), for: me).count) == 2 else { return 3 }
        return (try? lockCount(scratch.home)) ?? 0 > 0 ? 0 : 4
      }
      try #require(code == 0, "child: \(code)")
      _ = try scratch.backend.add(try password("s", "parent again"), for: me)
      let accounts = try scratch.another().find(query(), for: me).accounts
      try #require(accounts == [.text("parent"), .text("child"), .text("parent again")])
      unsafe ForkTests.scratch = nil
    }
  }
}

/// The locks of fcntl(2) that this process has on the database, by the kernel's list.
private func lockCount(_ home: TemporaryHome) throws -> Int {
  let name = try #require(try home.names(in: home.location.vaultFolder).first { $0.hasSuffix(".db") })
  let facts = try FileManager.default.attributesOfItem(atPath: home.location.vaultFolder + "/" + name)
  let inode = try #require(facts[.systemFileNumber] as? NSNumber)
  return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n").count { line in
    line.contains(" POSIX ") && line.contains(" \(getpid()) ") && line.contains(":\(inode) ")
  }
}
