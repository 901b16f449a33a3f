#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import TestFixtures
internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

/// Stands for the agent's verification.
private final class EvaluatorStub: PolicyEvaluator {
  struct State {
    var answer: KeychainError?
    var hash: [UInt8] = [7]
    var asked: [Set<PolicyQuestion>] = []
    /// Runs while somebody is asked: with a lock held it would wait for ever.
    var meanwhile: (@Sendable () -> Void)?
    /// Whether it verifies something else than what it was asked.
    var isWrong = false
  }
  let state = Mutex(State())

  func release(_ questions: Set<PolicyQuestion>) throws(KeychainError) -> PolicyRelease {
    let (answer, meanwhile, isWrong) = state.withLock { state in
      state.asked.append(questions)
      return (state.answer, state.meanwhile, state.isWrong)
    }
    meanwhile?()
    if let answer { throw answer }
    return PolicyRelease(verified: isWrong ? [] : Set(questions.map(\.policy)))
  }

  func enrolmentHash(for control: AccessControl) throws(KeychainError) -> [UInt8] { state.withLock { $0.hash } }
}

@Suite("An evaluator of access controls")
struct PolicyEvaluatorTests {
  private func make() throws -> (LockedScratch, LocalBackend, EvaluatorStub) {
    let scratch = try LockedScratch.unlocked()
    let stub = EvaluatorStub()
    var surroundings = VaultSurroundings()
    surroundings.cost = .least
    let clock = scratch.clock
    surroundings.moment = { clock.now }
    let backend = LocalBackend(location: scratch.home.location, surroundings, evaluator: stub)
    try backend.unlock(passcode(LockedScratch.code))
    return (scratch, backend, stub)
  }

  @Test("is asked once for all matches of a find, with no lock held, and only where a secret is wanted")
  func find() throws {
    let (scratch, backend, stub) = try make()
    defer { backend.close() }
    for account in ["a", "b"] { _ = try backend.add(constrained(account), for: me) }
    _ = try backend.add(constrained("c", .devicePasscode), for: me)
    _ = try backend.add(password("s", "z", "open"), for: me)
    let other = scratch.backend
    stub.state.withLock { state in
      // Another seat writes, and this one too.
      state.meanwhile = {
        _ = try? other.add(password("s", "meanwhile 1", "m"), for: me)
        _ = try? backend.add(password("s", "meanwhile 2", "m"), for: me)
      }
    }
    #expect(try backend.find(ItemQuery(.genericPassword, limit: .all), for: me).count == 4)
    #expect(stub.state.withLock { $0.asked.isEmpty })
    let found = try backend.find(query(), for: me)
    #expect(found.map(\.text) == ["secret of a", "secret of b", "secret of c", "open", "m", "m"])
    let asked = stub.state.withLock { $0.asked }
    let controls = [AccessControl(.whenUnlocked, .userPresence), AccessControl(.whenUnlocked, .devicePasscode)]
    #expect(asked.count == 1 && asked.first.map { Set($0.map(\.accessControl)) } == Set(controls.compactMap(\.self)))
    #expect(asked.first?.allSatisfy { $0.enrolmentHash == [7] } == true)
    for consent in [ItemQuery.Consent.refuse, .leaveOut] {
      #expect(
        backend.findCode(secretQuery("a", consent)) == (consent == .refuse ? .interactionNotAllowed : .itemNotFound))
    }
    #expect(stub.state.withLock { $0.asked.count } == 1)
    // Who has none is refused as before.
    #expect(other.findCode(secretQuery("a")) == .interactionNotAllowed)
  }

  @Test("says what the call answers, and a release of something else opens nothing")
  func refusals() throws {
    let (scratch, backend, stub) = try make()
    defer {
      backend.close()
      scratch.end()
    }
    _ = try backend.add(constrained("a"), for: me)
    let label = ItemChange([.label: .text("l")])
    for code in [KeychainError.Code.userCanceled, .authenticationFailed] {
      stub.state.withLock { $0.answer = KeychainError(code) }
      #expect(backend.findCode(secretQuery("a")) == code)
      #expect(backend.updateCode(query(), label) == code)
    }
    stub.state.withLock { state in
      state.answer = nil
      state.isWrong = true
      state.asked = []
    }
    #expect(backend.findCode(secretQuery("a")) == .authenticationFailed)
    #expect(stub.state.withLock { $0.asked.count } == 20)
    #expect(backend.updateCode(query(), label) == .authenticationFailed)
    stub.state.withLock { $0.isWrong = false }
    #expect(try backend.find(secretQuery("a"), for: me).map { $0.attributes[.label] } == [nil])
  }

  @Test("lets an update of anything through, and not even an update of the data alone needs it")
  func update() throws {
    let (scratch, backend, stub) = try make()
    defer {
      backend.close()
      scratch.end()
    }
    _ = try backend.add(constrained("a"), for: me)
    try backend.update(query(), with: ItemChange(secret: try secret("new")), for: me)
    #expect(stub.state.withLock { $0.asked.isEmpty })
    try backend.update(query(), with: ItemChange([.label: .text("l")]), for: me)
    #expect(try backend.released("a") == "new")
    stub.state.withLock { $0.hash = [8, 8] }
    let control = AccessControl(.afterFirstUnlock, .biometryCurrentSet)
    try backend.update(query(), with: ItemChange(control), for: me)
    let found = try backend.find(secretQuery("a"), for: me)
    #expect(found.map(\.text) == ["new"] && found.map(\.accessControl) == [control])
    #expect(stub.state.withLock { $0.asked.last?.first?.enrolmentHash } == [8, 8])
    try backend.update(query(), with: ItemChange(AccessControl(.whenUnlocked)), for: me)
    #expect(stub.state.withLock { $0.asked.count } == 4)
    #expect(try backend.find(secretQuery("a"), for: me).map(\.text) == ["new"])
    #expect(stub.state.withLock { $0.asked.count } == 4)
    #expect(try backend.check().isClean)
  }
}
