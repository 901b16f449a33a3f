internal import Synchronization
package import ThumbturnAgentClient
internal import ThumbturnAuthentication
internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

// Who is asked for a finger or the passcode, and what it is good for.

extension VaultService {
  /// Answers what is about people, but for evaluations.
  func answerAuthentication(_ request: AgentRequest, _ peer: AgentPeer) throws(KeychainError) -> AgentReply {
    switch request {
    case .cancelEvaluation(let id): prompts.cancel(id, process: peer.process)
    case .endSession(let id): sessions.end(id, process: peer.process)
    case .authenticationStatus(let place): return .authenticationStatus(try authenticationStatus(at: place, for: peer))
    case .simulate(let event): try simulate(event)
    default: throw KeychainError(.unimplemented)
    }
    return .done
  }

  private func authenticationStatus(
    at place: PromptPlace, for peer: AgentPeer
  ) throws(KeychainError) -> AuthenticationStatus {
    let state = reader.state()
    // What should have ended by now has.
    tick()
    var status = try authenticationStatus(state, at: place)
    if case .ready(let enrolment) = state {
      let hash = EnrolmentHash.ofProgram(enrolment, vaultID: try vaultID(), PromptedProgram(peer, identify(peer)))
      status.stateHash = hash.isEmpty ? nil : hash
    }
    return status
  }

  private func authenticationStatus(
    _ sensor: SensorState, at place: PromptPlace
  ) throws(KeychainError) -> AuthenticationStatus {
    let vault = try vaultStatus()
    var status = AuthenticationStatus()
    status.hasPasscode = vault.hasPasscode
    status.isVaultLocked = vault.hasPasscode && !vault.openClasses.contains(.whenUnlocked)
    status.isSimulated = reader.sensor.isSimulated
    status.fingerFailures = fingerFailures
    status.reader =
      switch sensor {
      case .unavailable(let reason): .unavailable(reason)
      case .notEnrolled: .notEnrolled
      case .ready: .ready
      }
    status.promptObstacle = prompter.obstacle(at: place)
    return status
  }

  /// Only a vault that was made for it has a simulated reader; no other takes its events.
  private func simulate(_ event: SimulatedEvent) throws(KeychainError) {
    guard let simulated = reader.sensor as? SimulatedSensor else { throw KeychainError(.parameter) }
    do throws(CryptoError) { try simulated.simulate(event) } catch { throw KeychainError(.outOfMemory) }
    if event == .lockout { try simulateLockout() }
  }

  /// What is asked for ends first: the finger that it looks at is counted, and taken back when it ends.
  private func simulateLockout() throws(KeychainError) {
    prompts.endAll(AuthenticationFailure(.biometryLockout))
    let end = system_bootNanoseconds() + Self.endingNanoseconds
    while isLookingAtFinger.load(ordering: .acquiring) {
      guard system_bootNanoseconds() < end else { throw KeychainError(.notAvailable) }
      system_sleep(nanoseconds: 5_000_000)
    }
    while fingerFailures < AuthenticationStatus.fingerFailuresMax {
      do throws(KeychainError) { _ = try backend.beginFinger() } catch {
        guard error.cause?.code == .lockedOut else { throw error }
        return
      }
    }
  }

  /// How long the end of what is asked for may take.
  private static let endingNanoseconds: Int64 = 4_000_000_000

  /// Answers an item's call by what its client has shown; nil when it has to come again where it may wait for the reader.
  func withEvaluator(
    _ evidence: Evidence, _ peer: AgentPeer, maySense: Bool,
    _ call: (SessionEvaluator) throws(KeychainError) -> AgentReply
  ) throws(KeychainError) -> AgentReply? {
    var sense: (@Sendable () -> SensorState)?
    if maySense { sense = { [reader] in reader.state() } }
    let evaluator = SessionEvaluator(
      sessions.sessions(evidence.sessions, process: peer.process), evidence, sensor: sense
    ) { [self] in (try? vaultID()) ?? [] }
    do throws(KeychainError) { return try call(evaluator) } catch {
      guard error.code == .interactionNotAllowed else { throw error }
      if evaluator.needsTime { return nil }
      guard let needed = evaluator.needed else { throw error }
      return .needsAuthentication(needed)
    }
  }

  // MARK: Evaluations

  package func begin(_ evaluation: EvaluationRequest, from peer: AgentPeer, _ answer: EvaluationAnswer) {
    do throws(AuthenticationFailure) {
      if let shown = try answerWithoutPerson(evaluation, peer) {
        return answer.send(.success(Evaluated(session: nil, shown: shown)))
      }
    } catch { return answer.send(.failure(error)) }
    // The machine is used.
    used()
    let verification = Verification(
      evaluation, for: PromptedProgram(peer, identify(peer)), epoch: sessions.epoch)
    prompts.put(verification, answer) { [weak self] in
      self?.perform($0) ?? .failure(AuthenticationFailure(.systemCancel, .agentFailed))
    }
  }

  /// What was shown before, when it is enough; nil when somebody has to be asked. No prompt that could come to nothing waits
  /// for its turn.
  private func answerWithoutPerson(
    _ evaluation: EvaluationRequest, _ peer: AgentPeer
  ) throws(AuthenticationFailure) -> Set<Factor>? {
    tick()
    let requirement = evaluation.requirement
    let known = sessions.sessions(evaluation.sessions, process: peer.process)
    let shown = known.reduce(into: Set<Factor>()) { $0.formUnion($1.shown) }
    let hasPassword = evaluation.hasCredential || known.contains { $0.applicationPassword != nil }
    if requirement.isFulfilled(by: shown), hasPassword || !requirement.needsApplicationPassword { return shown }
    let status: AuthenticationStatus
    do throws(KeychainError) {
      // The reader is asked when its turn comes.
      status = try authenticationStatus(.unavailable(.serviceSilent), at: evaluation.place)
    } catch { throw AuthenticationFailure(.systemCancel, .agentFailed) }
    let needsFactors = !requirement.factors.isEmpty || !requirement.needsApplicationPassword
    if needsFactors {
      if requirement.factors.isEmpty { throw AuthenticationFailure(.companionNotAvailable) }
      guard status.hasPasscode else { throw AuthenticationFailure(.passcodeNotSet) }
    } else if evaluation.hasCredential {
      return []
    }
    let mayBeSimulated = reader.sensor.isSimulated && requirement.factors.contains(.finger)
    if let obstacle = status.promptObstacle, !mayBeSimulated { throw AuthenticationFailure(.notInteractive, obstacle) }
    return nil
  }

  /// On the thread of the queue.
  private func perform(_ verification: Verification) -> Result<Evaluated, AuthenticationFailure> {
    let shown: Verification.Shown
    switch verification.run(self) {
    case .failure(let failure): return .failure(failure)
    case .success(let success): shown = success
    }
    guard let vaultID = try? vaultID(), let id = Self.freshID() else {
      return .failure(AuthenticationFailure(.systemCancel, .agentFailed))
    }
    let session = SessionTable.Session(
      id: id, shown: shown.factors,
      enrolmentHash: shown.enrolment.map { EnrolmentHash.ofItems($0, vaultID: vaultID) } ?? [],
      applicationPassword: shown.applicationPassword)
    let process = verification.program.process
    let failure = verification.finish { sessions.add(session, process: process, since: verification.epoch) }
    if let failure { return .failure(failure) }
    used()
    let hash = shown.enrolment.map { EnrolmentHash.ofProgram($0, vaultID: vaultID, verification.program) }
    return .success(
      Evaluated(session: id, shown: shown.factors, stateHash: hash.flatMap { $0.isEmpty ? nil : $0 }))
  }

  private static func freshID() -> [UInt8]? {
    var id = [UInt8](repeating: 0, count: VerifiedSession.idCount)
    var span = id.mutableSpan
    do throws(CryptoError) { try randomBytes(into: &span) } catch { return nil }
    return id
  }

  package func left(_ peer: AgentPeer, connection: UInt64, isLast: Bool) {
    prompts.left(connection)
    if isLast { sessions.endAll(process: peer.process) }
  }
}

extension VaultService: VerificationHost {
  var sensor: any FingerSensor { reader.sensor }

  func status(_ sensor: SensorState, at place: PromptPlace) -> AuthenticationStatus {
    // Without an answer of the vault nothing is there, and nothing is asked for.
    (try? authenticationStatus(sensor, at: place)) ?? AuthenticationStatus()
  }

  func check(_ passcode: SharedSecret) -> SecretOutcome {
    do throws(KeychainError) {
      try unlock(try Passcode(given: passcode))
      return .right
    } catch {
      switch error.cause?.code {
      case .wrongPasscode, .tooLarge: return .wrong
      case .lockedOut: return .refused(secondsToWait: error.cause?.secondsToWait ?? 0)
      case .noPasscode: return .failed(AuthenticationFailure(.passcodeNotSet))
      case .classKeyLocked: return .failed(AuthenticationFailure(.systemCancel, .lockedMeanwhile))
      default: return .failed(AuthenticationFailure(.systemCancel, .agentFailed))
      }
    }
  }

  var secondsUntilPasscode: Int { (try? vaultStatus())?.secondsToWait ?? 0 }

  func countFinger() throws(AuthenticationFailure) {
    do throws(KeychainError) { _ = try backend.beginFinger() } catch {
      switch error.cause?.code {
      case .lockedOut: throw AuthenticationFailure(.biometryLockout)
      case .noPasscode: throw AuthenticationFailure(.passcodeNotSet)
      default: throw AuthenticationFailure(.biometryNotAvailable, .countNotWritten)
      }
    }
    isLookingAtFinger.store(true, ordering: .releasing)
  }

  // What cannot be written leaves more of them counted than there were, never fewer.

  func withdrawFinger() {
    try? backend.fingerWithdrawn()
    isLookingAtFinger.store(false, ordering: .releasing)
  }

  func acceptFinger() {
    try? backend.fingerMatched()
    isLookingAtFinger.store(false, ordering: .releasing)
  }

  func rejectFinger() -> Int {
    isLookingAtFinger.store(false, ordering: .releasing)
    return countedFingers
  }

  private var countedFingers: Int { (try? backend.fingerFailures()) ?? AuthenticationStatus.fingerFailuresMax }

  /// Wrong fingers; one that is only being looked at is none.
  private var fingerFailures: Int {
    let isLooking = isLookingAtFinger.load(ordering: .acquiring)
    return max(0, countedFingers - (isLooking ? 1 : 0))
  }
}
