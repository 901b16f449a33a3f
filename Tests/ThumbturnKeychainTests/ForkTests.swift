internal import CForks
internal import Foundation
internal import TestFixtures
internal import Testing
internal import ThumbturnCrypto
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

  @Test("a key of the parent's is not there in the child, which then gets an error and no wrong sum")
  func inheritedKey() async {
    await #expect(processExitsWith: .success) {
      let key = try InheritedKey()
      unsafe InheritedKey.shared = key
      let code = tt_in_forked_child { unsafe InheritedKey.shared?.isRefused() == true ? 0 : 1 }
      try #require(code == 0, "child: \(code)")
      try #require(!key.isRefused())
    }
  }

  @Test("a child, and a child of a child, know their own numbers")
  func processNumbers() async {
    await #expect(processExitsWith: .success) {
      try #require(system_process() == getpid())
      let code = tt_in_forked_child {
        guard system_process() == getpid() else { return 1 }
        guard tt_in_forked_child({ system_process() == getpid() ? 0 : 1 }) == 0 else { return 2 }
        return system_process() == getpid() ? 0 : 3
      }
      try #require(code == 0, "child: \(code)")
      try #require(system_process() == getpid())
    }
  }
}

/// A key that was made before a fork.
private final class InheritedKey: Sendable {
  nonisolated(unsafe) static var shared: InheritedKey?
  nonisolated(unsafe) private let mac: HMAC

  init() throws {
    let key = try SecretBytes.random(count: 32)
    unsafe mac = try HMAC(key: key.bytes)
  }

  /// Whether a sum is refused.
  func isRefused() -> Bool {
    var sum = [UInt8](repeating: 0, count: 32)
    var out = sum.mutableSpan
    do { try unsafe mac.sum("message".utf8Span.span, into: &out) } catch { return true }
    return false
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
