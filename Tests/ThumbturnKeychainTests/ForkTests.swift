internal import Foundation
internal import Glibc
internal import Synchronization
internal import TestFixtures
internal import Testing
internal import ThumbturnCrypto
internal import ThumbturnVault

@testable internal import ThumbturnKeychain

/// A process that forks after it has used the vault, and while it uses it (VAULT.md §11). Each runs in a process of its own,
/// which has no other test's threads.
@Suite("Forked children")
struct ForkTests {
  /// What parent and child share; a C function captures nothing.
  nonisolated(unsafe) fileprivate static var scratch: Scratch?
  private static let stop = Atomic(false)
  private static let added = Atomic(0)
  private static let failures = Mutex<[String]>([])

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

  @Test("forks in the middle of 16 threads' calls: each child and every thread goes on, and nothing is lost")
  func manyThreads() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      unsafe ForkTests.scratch = scratch
      _ = try scratch.backend.add(try password("s", "first"), for: me)
      let threads = (0..<16).map { number in
        Thread {
          var count = 0
          while !ForkTests.stop.load(ordering: .relaxed) {
            do {
              if number < 4 {
                _ = try scratch.backend.add(try password("thread \(number)", "\(count)"), for: me)
                ForkTests.added.add(1, ordering: .relaxed)
              } else {
                _ = try scratch.backend.find(query([.account: .text("first")]), for: me)
              }
              count += 1
              // Not to keep the machine from everything else.
              usleep(500)
            } catch {
              ForkTests.failures.withLock { $0.append("thread \(number): \(error)") }
            }
          }
        }
      }
      threads.forEach { $0.start() }
      for number in 0..<25 {
        let code = tt_in_forked_child {
          guard let scratch = unsafe ForkTests.scratch else { return 1 }
          guard (try? scratch.backend.find(query([.account: .text("first")]), for: me).count) == 1 else { return 2 }
          guard (try? scratch.backend.add(try password("child", "\(getpid())"), for: me)) != nil else { return 3 }
          return (try? lockCount(scratch.home)) ?? 0 > 0 ? 0 : 4
        }
        try #require(code == 0, "child \(number): \(code)")
      }
      ForkTests.stop.store(true, ordering: .relaxed)
      while threads.contains(where: { !$0.isFinished }) { usleep(10_000) }
      let failures = ForkTests.failures.withLock { $0 }
      try #require(failures.isEmpty, "\(failures)")
      let count = try scratch.another().find(query(), for: me).count
      let added = ForkTests.added.load(ordering: .relaxed)
      try #require(count == 1 + 25 + added, "\(count) of \(1 + 25 + added)")
      let report = try scratch.check()
      try #require(report.isClean, "\(report.findings)")
      unsafe ForkTests.scratch = nil
    }
  }

  /// SQLite's tables in the child still name the shared memory that its parent had, and that nobody else uses any more.
  @Test("a child whose parent closed the vault shares it with those who opened it since")
  func parentCloses() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      unsafe ForkTests.scratch = scratch
      _ = try scratch.backend.add(try password("s", "parent"), for: me)
      let child = tt_fork {
        guard let scratch = unsafe ForkTests.scratch else { return 1 }
        while !FileManager.default.fileExists(atPath: scratch.home.path + "/go") { usleep(1_000) }
        for number in 0..<100 {
          guard (try? scratch.backend.add(try password("child", "\(number)"), for: me)) != nil else { return 2 }
        }
        return 0
      }
      scratch.backend.close()
      let other = scratch.another()
      _ = try other.add(try password("s", "other"), for: me)
      try Data().write(to: URL(fileURLWithPath: scratch.home.path + "/go"))
      for number in 0..<100 { _ = try other.add(try password("other", "\(number)"), for: me) }
      try #require(tt_wait_for_child(child, 20) == 0)
      other.close()
      try #require(try scratch.another().find(query(), for: me).count == 202)
      try #require(try scratch.check().isClean)
      unsafe ForkTests.scratch = nil
    }
  }

  @Test("a child that was forked inside a call that stays is told so at once, and its parent goes on")
  func insideCall() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      unsafe ForkTests.scratch = scratch
      _ = try scratch.backend.add(try password("s", "parent"), for: me)
      let vault = Vault(location: scratch.home.location)
      let thread = Thread {
        _ = try? vault.read { (_) throws(VaultError) in
          ForkTests.added.store(1, ordering: .sequentiallyConsistent)
          sleep(8)
        }
      }
      thread.start()
      while ForkTests.added.load(ordering: .sequentiallyConsistent) == 0 { usleep(1_000) }
      let began = Date()
      let code = tt_in_forked_child {
        // Its own child inherits the same.
        let grandchild = tt_in_forked_child { isRefused() ? 0 : 2 }
        return isRefused() ? grandchild : 3
      }
      try #require(code == 0, "child: \(code)")
      try #require(Date().timeIntervalSince(began) < 6)
      try #require(try scratch.backend.find(query(), for: me).count == 1)
      unsafe ForkTests.scratch = nil
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

/// Whether a find of this process is refused because its parent was inside a call when it forked.
private func isRefused() -> Bool {
  guard let scratch = unsafe ForkTests.scratch else { return false }
  do throws(KeychainError) {
    let query = query()
    _ = try scratch.backend.find(query, for: me)
    return false
  } catch { return error.cause?.code == .forkedInCall }
}
