#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import TestFixtures
internal import Testing
internal import ThumbturnAuthentication
internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

@Suite("An evaluator of access controls")
struct PolicyEvaluatorTests {
  private func make() throws -> (LockedScratch, LocalBackend, EvaluatorStub) {
    let scratch = try LockedScratch.unlocked()
    let stub = EvaluatorStub()
    var surroundings = VaultSurroundings()
    surroundings.cost = .least
    let clock = scratch.clock
    surroundings.moment = { clock.now }
    let backend = LocalBackend(location: scratch.home.location, surroundings)
    try backend.unlock(passcode(LockedScratch.code))
    return (scratch, backend, stub)
  }

  @Test("is asked once for all matches of a find, with no lock held, and only where a secret is wanted")
  func find() throws {
    let (scratch, backend, stub) = try make()
    defer { backend.close() }
    for account in ["a", "b"] { _ = try backend.add(constrained(account), for: me, stub) }
    _ = try backend.add(constrained("c", .devicePasscode), for: me, stub)
    _ = try backend.add(password("s", "z", "open"), for: me)
    let other = scratch.backend
    stub.state.withLock { state in
      // Another seat writes, and this one too.
      state.meanwhile = {
        _ = try? other.add(password("s", "meanwhile 1", "m"), for: me)
        _ = try? backend.add(password("s", "meanwhile 2", "m"), for: me)
      }
    }
    #expect(try backend.find(ItemQuery(.genericPassword, limit: .all), for: me, stub).count == 4)
    #expect(stub.state.withLock { $0.asked.isEmpty })
    let found = try backend.find(query(), for: me, stub)
    #expect(found.map(\.text) == ["secret of a", "secret of b", "secret of c", "open", "m", "m"])
    let asked = stub.state.withLock { $0.asked }
    let controls = [AccessControl(.whenUnlocked, .userPresence), AccessControl(.whenUnlocked, .devicePasscode)]
    #expect(asked.count == 1 && asked.first.map { Set($0.map(\.accessControl)) } == Set(controls.compactMap(\.self)))
    #expect(asked.first?.allSatisfy { $0.enrolmentHash == [7] } == true)
    for consent in [ItemQuery.Consent.refuse, .leaveOut] {
      #expect(
        backend.findCode(secretQuery("a", consent), stub)
          == (consent == .refuse ? .interactionNotAllowed : .itemNotFound))
    }
    #expect(stub.state.withLock { $0.asked.count } == 1)
    // A call without one is refused, of another seat and of this one.
    #expect(backend.findCode(secretQuery("a")) == .interactionNotAllowed)
    #expect(other.findCode(secretQuery("a")) == .interactionNotAllowed)
  }

  @Test("says what the call answers, and a release of something else opens nothing")
  func refusals() throws {
    let (scratch, backend, stub) = try make()
    defer {
      backend.close()
      scratch.end()
    }
    _ = try backend.add(constrained("a"), for: me, stub)
    let label = ItemChange([.label: .text("l")])
    for code in [KeychainError.Code.userCanceled, .authenticationFailed] {
      stub.state.withLock { $0.answer = KeychainError(code) }
      #expect(backend.findCode(secretQuery("a"), stub) == code)
      #expect(backend.updateCode(query(), label, stub) == code)
    }
    stub.state.withLock { state in
      state.answer = nil
      state.isWrong = true
      state.asked = []
    }
    #expect(backend.findCode(secretQuery("a"), stub) == .authenticationFailed)
    #expect(stub.state.withLock { $0.asked.count } == 20)
    #expect(backend.updateCode(query(), label, stub) == .authenticationFailed)
    stub.state.withLock { $0.isWrong = false }
    #expect(try backend.find(secretQuery("a"), for: me, stub).map { $0.attributes[.label] } == [nil])
  }

  @Test("lets an update of anything through, and not even an update of the data alone needs it")
  func update() throws {
    let (scratch, backend, stub) = try make()
    defer {
      backend.close()
      scratch.end()
    }
    _ = try backend.add(constrained("a"), for: me, stub)
    try backend.update(query(), with: ItemChange(secret: try secret("new")), for: me, stub)
    #expect(stub.state.withLock { $0.asked.isEmpty })
    try backend.update(query(), with: ItemChange([.label: .text("l")]), for: me, stub)
    #expect(try backend.released("a") == "new")
    stub.state.withLock { $0.hash = [8, 8] }
    let control = AccessControl(.afterFirstUnlock, .biometryCurrentSet)
    try backend.update(query(), with: ItemChange(control), for: me, stub)
    let found = try backend.find(secretQuery("a"), for: me, stub)
    #expect(found.map(\.text) == ["new"] && found.map(\.accessControl) == [control])
    #expect(stub.state.withLock { $0.asked.last?.first?.enrolmentHash } == [8, 8])
    try backend.update(query(), with: ItemChange(AccessControl(.whenUnlocked)), for: me, stub)
    #expect(stub.state.withLock { $0.asked.count } == 4)
    #expect(try backend.find(secretQuery("a"), for: me, stub).map(\.text) == ["new"])
    #expect(stub.state.withLock { $0.asked.count } == 4)
    #expect(try backend.check().isClean)
  }

  @Test(
    "an item whose set of fingers is another one by now is not there for who wants its secret, and for others it is")
  func dead() throws {
    let (scratch, backend, stub) = try make()
    defer {
      backend.close()
      scratch.end()
    }
    _ = try backend.add(constrained("a", .biometryCurrentSet), for: me, stub)
    stub.state.withLock { $0.hash = [8] }
    _ = try backend.add(constrained("b", .biometryCurrentSet), for: me, stub)
    let control = try #require(AccessControl(.whenUnlocked, .biometryCurrentSet))
    let old = PolicyQuestion(accessControl: control, enrolmentHash: [7])
    stub.state.withLock { $0.dead = [old.policy] }
    #expect(backend.findCode(secretQuery("a"), stub) == .itemNotFound)
    #expect(try backend.find(query(), for: me, stub).map(\.text) == ["secret of b"])
    // Of a limit of one it does not count.
    #expect(try backend.find(query(limit: .count(1)), for: me, stub).map(\.text) == ["secret of b"])
    #expect(try backend.find(attributeQuery("a"), for: me, stub).map(\.accessControl) == [control])
    #expect(
      backend.updateCode(query([.account: .text("a")]), ItemChange([.label: .text("l")]), stub) == .itemNotFound)
    try backend.update(query(), with: ItemChange([.comment: .text("c")]), for: me, stub)
    let everything = ItemQuery(.genericPassword, limit: .all)
    #expect(
      try backend.find(everything, for: me).map { $0.attributes[.comment] } == [nil, .text("c")])
    try backend.delete(attributeQuery("a"), for: me)
    #expect(try backend.status().itemCount == 1)
  }

  @Test("refuses an item, and an update that gives one an access control, that could not be fulfilled")
  func notEnrolled() throws {
    let (scratch, backend, stub) = try make()
    defer {
      backend.close()
      scratch.end()
    }
    _ = try backend.add(password("s", "z", "open"), for: me)
    stub.state.withLock { $0.refusal = KeychainError(.authenticationFailed) }
    #expect(backend.code { _ = try $0.add(constrained("a", .biometryAny), for: me, stub) } == .authenticationFailed)
    let change = ItemChange(AccessControl(.whenUnlocked, .biometryAny))
    #expect(backend.updateCode(query(), change, stub) == .authenticationFailed)
    #expect(try backend.find(query(), for: me).map(\.accessControl) == [nil])
    #expect(stub.state.withLock { $0.asked.isEmpty })
  }

  @Test("is asked for both halves of an identity, and a dead half takes the identity away")
  func identities() throws {
    let (scratch, backend, stub) = try make()
    defer {
      backend.close()
      scratch.end()
    }
    for serial in 1...2 {
      var certificate = NewItem(
        .certificate, [.serialNumber: .data([UInt8(serial)]), .publicKeyHash: .data([UInt8(serial)])],
        secret: try secret("certificate \(serial)"))
      if serial == 1 { certificate.accessControl = AccessControl(.whenUnlocked, .devicePasscode) }
      _ = try backend.add(certificate, for: me, stub)
      var key = NewItem(
        .key, [.keyClass: .number(1), .isPrivate: .number(1), .applicationLabel: .data([UInt8(serial)])],
        secret: try secret("key \(serial)"))
      if serial == 1 { key.accessControl = AccessControl(.whenUnlocked, .biometryCurrentSet) }
      _ = try backend.add(key, for: me, stub)
    }
    var identities = ItemQuery(.certificate, limit: .all, wantsSecret: true)
    identities.identityKey = [:]
    let found = try backend.find(identities, for: me, stub)
    #expect(found.map(\.text) == ["certificate 1", "certificate 2"])
    #expect(found.map { $0.identityKey?.text } == ["key 1", "key 2"])
    #expect(stub.state.withLock { $0.asked.map(\.count) } == [2])
    #expect(backend.findCode(identities) == .interactionNotAllowed)
    let label = ItemChange([.label: .text("l")])
    #expect(backend.updateCode(identities, label) == .interactionNotAllowed)
    try backend.update(identities, with: label, for: me, stub)
    #expect(stub.state.withLock { $0.asked.map(\.count) } == [2, 2])
    let control = try #require(AccessControl(.whenUnlocked, .biometryCurrentSet))
    stub.state.withLock { $0.dead = [PolicyQuestion(accessControl: control, enrolmentHash: [7]).policy] }
    identities.limit = .count(1)
    #expect(try backend.find(identities, for: me, stub).map(\.text) == ["certificate 2"])
    stub.state.withLock { $0.isWrong = true }
    stub.state.withLock { $0.dead = [] }
    #expect(backend.findCode(identities, stub) == .authenticationFailed)
  }

  @Test("asks for what the conditions say, and only without an 'and' something is left when other fingers are enrolled")
  func requirements() throws {
    let rows: [(AccessControl.Conditions, Requirement, Requirement?)] = [
      (.userPresence, .owner, .owner), (.biometryAny, .finger, .finger), (.devicePasscode, .passcode, .passcode),
      (.biometryCurrentSet, .finger, nil), (.companion, Requirement([]), Requirement([])),
      (
        [.biometryAny, .devicePasscode], Requirement([.finger, .passcode], needsAll: true),
        Requirement([.finger, .passcode], needsAll: true)
      ),
      ([.biometryCurrentSet, .devicePasscode, .and], Requirement([.finger, .passcode], needsAll: true), nil),
      ([.biometryCurrentSet, .devicePasscode, .or], .owner, .passcode),
      ([.companion, .devicePasscode, .or], .passcode, .passcode),
      ([.companion, .devicePasscode], Requirement([]), Requirement([])),
      ([.companion, .biometryCurrentSet, .or], .finger, nil),
      (
        .applicationPassword, Requirement([], needsApplicationPassword: true),
        Requirement([], needsApplicationPassword: true)
      ),
      (
        [.userPresence, .applicationPassword], Requirement([.finger, .passcode], needsApplicationPassword: true),
        Requirement([.finger, .passcode], needsApplicationPassword: true)
      ),
      (
        [.biometryCurrentSet, .or, .devicePasscode, .applicationPassword],
        Requirement([.finger, .passcode], needsApplicationPassword: true),
        Requirement([.passcode], needsApplicationPassword: true)
      ),
    ]
    for (conditions, requirement, remaining) in rows {
      let control = try #require(AccessControl(.whenUnlocked, conditions))
      let question = PolicyQuestion(accessControl: control, enrolmentHash: [])
      #expect(control.requirement == requirement && question.requirement == requirement, "\(conditions)")
      #expect(question.remainingRequirement == remaining, "\(conditions)")
      #expect(question.needsCurrentSet == conditions.contains(.biometryCurrentSet))
    }
  }
}
