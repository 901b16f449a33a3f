#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import TestFixtures
internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

/// Adding where an item lies whose set of fingers is another one by now (SECACCESS.md §2.6).
@Suite("An add over a dead item")
struct DeadItemTests {
  private static let old = RecordPolicy(
    accessControl: AccessControl(.whenUnlocked, .biometryCurrentSet)?.canonicalBytes ?? [0], enrolmentHash: [7])

  /// A vault with the item "a", set while 7 was enrolled; 8 is by now.
  private func make(
    _ conditions: AccessControl.Conditions = .biometryCurrentSet
  ) throws -> (LockedScratch, LocalBackend, EvaluatorStub) {
    let scratch = try LockedScratch.unlocked()
    let stub = EvaluatorStub()
    _ = try scratch.backend.add(constrained("a", conditions), for: me, stub)
    stub.state.withLock { $0.hash = [8] }
    return (scratch, scratch.backend, stub)
  }

  private func addCode(
    _ backend: LocalBackend, _ item: NewItem, _ evaluator: EvaluatorStub?
  ) -> KeychainError.Code? { backend.code { _ = try $0.add(item, for: me, evaluator) } }

  @Test("replaces it, and what comes after it is a duplicate again")
  func dead() throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    _ = try backend.add(constrained("b", .biometryCurrentSet), for: me, stub)
    stub.state.withLock { $0.dead = [Self.old] }
    let old = try backend.find(attributeQuery("a"), for: me).first?.reference
    let new = try backend.add(constrained("a", .biometryCurrentSet, .whenUnlocked, "new"), for: me, stub)
    #expect(stub.state.withLock { $0.askedDead.map(\.policy) } == [Self.old])
    #expect(new.reference != old)
    let found = try backend.find(query(), for: me, stub)
    #expect(found.map(\.text) == ["secret of b", "new"] && found.last?.reference == new.reference)
    #expect(try backend.status().itemCount == 2)
    #expect(addCode(backend, try constrained("a"), stub) == .duplicateItem)
    #expect(try backend.check().isClean)
    // It is gone from the disk, not kept as damage is.
    #expect(try scratch.home.fileNames().allSatisfy { !$0.contains("quarantine") })
    let other = scratch.another()
    defer { other.close() }
    try other.unlock(passcode(LockedScratch.code))
    #expect(try other.status().itemCount == 2 && other.check().isClean)
  }

  @Test("and an update find it gone: nothing says that a secret was stored that nobody can read")
  func updated() throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    let change = ItemChange(secret: try secret(Array("new".utf8)))
    // Nobody is asked, alive or dead.
    try backend.update(attributeQuery("a"), with: change, for: me, stub)
    #expect(stub.state.withLock { $0.askedDead.count == 1 && $0.asked.isEmpty })
    stub.state.withLock { $0.dead = [Self.old] }
    #expect(backend.code { try $0.update(attributeQuery("a"), with: change, for: me, stub) } == .itemNotFound)
    stub.state.withLock { $0.deadRefusal = KeychainError(.interactionNotAllowed) }
    #expect(backend.code { try $0.update(attributeQuery("a"), with: change, for: me, stub) } == .interactionNotAllowed)
    #expect(stub.state.withLock { $0.asked.isEmpty })
  }

  @Test("replaces it by one without an access control, and takes large boxes with it")
  func open() throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    try backend.update(
      attributeQuery("a"), with: ItemChange(secret: try secret([UInt8](repeating: 1, count: 200_000))), for: me, stub)
    stub.state.withLock { $0.dead = [Self.old] }
    _ = try backend.add(password("s", "a", "open"), for: me, stub)
    #expect(try backend.find(query(), for: me).map(\.text) == ["open"])
    #expect(try backend.status().itemCount == 1 && backend.check().isClean)
  }

  @Test("does not replace one that is alive, nor any where there is no evaluator", arguments: [false, true])
  func alive(asks: Bool) throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    // With an evaluator it is alive; without one nobody can say.
    if !asks { stub.state.withLock { $0.dead = [Self.old] } }
    let items = [try constrained("a"), try password("s", "a", "open")]
    for item in items { #expect(addCode(backend, item, asks ? stub : nil) == .duplicateItem) }
    #expect(stub.state.withLock { $0.askedDead.count } == (asks ? 2 : 0))
    stub.state.withLock { $0.dead = [] }
    #expect(try backend.find(query(), for: me, stub).map(\.text) == ["secret of a"])
  }

  @Test("asks about no item without an access control, and about nothing where there is none")
  func free() throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    _ = try backend.add(password("s", "open", "open"), for: me, stub)
    #expect(addCode(backend, try password("s", "open", "other"), stub) == .duplicateItem)
    #expect(stub.state.withLock { $0.askedDead.isEmpty })
    #expect(try backend.find(query([.account: .text("open")]), for: me).map(\.text) == ["open"])
  }

  @Test("fails with what the evaluator says, and changes nothing, when the reader cannot be asked now")
  func unavailable() throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    stub.state.withLock { state in
      state.dead = [Self.old]
      state.deadRefusal = KeychainError(.interactionNotAllowed)
    }
    #expect(addCode(backend, try password("s", "a", "open"), stub) == .interactionNotAllowed)
    stub.state.withLock { state in
      state.dead = []
      state.deadRefusal = nil
    }
    #expect(try backend.find(query(), for: me, stub).map(\.text) == ["secret of a"])
  }

  @Test("replaces nothing that was written while the reader was asked: neither the item nor another with its key")
  func written() throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    stub.state.withLock { state in
      state.dead = [Self.old]
      state.meanwhile = {
        try? backend.update(
          attributeQuery("a"), with: ItemChange(secret: secret("written meanwhile")), for: me)
      }
    }
    #expect(addCode(backend, try password("s", "a", "open"), stub) == .duplicateItem)
    stub.state.withLock { state in
      state.dead = []
      state.meanwhile = nil
    }
    #expect(try backend.find(query(), for: me, stub).map(\.text) == ["written meanwhile"])
    // Another item has its primary key by now.
    stub.state.withLock { state in
      state.dead = [Self.old]
      state.meanwhile = {
        try? backend.delete(attributeQuery("a"), for: me)
        _ = try? backend.add(password("s", "a", "added meanwhile"), for: me)
      }
    }
    #expect(addCode(backend, try password("s", "a", "open"), stub) == .duplicateItem)
    #expect(try backend.find(query(), for: me).map(\.text) == ["added meanwhile"])
  }

  @Test("adds where the dead item was deleted while the reader was asked")
  func deleted() throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    stub.state.withLock { state in
      state.dead = [Self.old]
      state.meanwhile = { try? backend.delete(attributeQuery("a"), for: me) }
    }
    _ = try backend.add(password("s", "a", "open"), for: me, stub)
    #expect(try backend.find(query(), for: me).map(\.text) == ["open"])
    #expect(try backend.status().itemCount == 1 && backend.check().isClean)
  }

  @Test("leaves an item alone whose class is locked: nobody can look at it")
  func locked() throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    stub.state.withLock { $0.dead = [Self.old] }
    try backend.lock()
    let item = NewItem(
      .genericPassword, [.service: .text("s"), .account: .text("a")], secret: try secret("new"),
      protectionClass: .afterFirstUnlock)
    #expect(addCode(backend, item, stub) == .duplicateItem)
    #expect(stub.state.withLock { $0.askedDead.isEmpty })
  }

  @Test("asks for an application password of the new item first, and replaces under it")
  func applicationPassword() throws {
    let (scratch, backend, stub) = try make()
    defer { scratch.end() }
    let typed = try [secret("pass"), secret("pass")]
    stub.state.withLock { state in
      state.dead = [Self.old]
      state.passwords = typed
    }
    _ = try backend.add(constrained("a", .applicationPassword, .whenUnlocked, "new"), for: me, stub)
    #expect(try backend.find(secretQuery("a"), for: me, stub).map(\.text) == ["new"])
    #expect(stub.state.withLock { $0.wrongBefore } == [false, false])
  }
}
