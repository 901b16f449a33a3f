internal import Synchronization
package import ThumbturnAgentClient
package import ThumbturnAuthentication
internal import ThumbturnCrypto
package import ThumbturnKeychain
package import ThumbturnVault

/// What an agent is surrounded by, where the tests' own daemon puts its own in. No program can set it.
package struct AgentSurroundings: Sendable {
  /// The machine's running time in nanoseconds, for the lock.
  package var nanoseconds: @Sendable () -> Int64 = { system_bootNanoseconds() }
  /// The clock of the lock-out and the cost of a passcode.
  package var vault = VaultSurroundings()
  /// Who asks, and what belongs to whom.
  package var groups: any GroupPolicy = ProgramGroups()
  /// Who a program is, for prompts, and for what no two programs may have in common.
  package var identify: @Sendable (AgentPeer) -> (identity: ProgramIdentity, executable: String?) = {
    PeerIdentity.of($0)
  }
  /// The fingerprint reader. A vault that was made for a simulated one never sees it.
  package var sensor: any FingerSensor = NoSensor()
  /// What shows prompts.
  package var prompter: any Prompter = NoPrompter()
  /// Whether the session's locks are heard.
  package var listensToLogind: @Sendable () -> Bool = { false }

  package init() {}
}

/// The vault behind the agent's socket: it holds the seat, and the keys for as long as they may be in memory.
///
/// Every request is answered as by a ``LocalBackend`` in process. From any thread.
package final class VaultService: AgentService {
  let backend: LocalBackend
  private let surroundings: AgentSurroundings
  /// Nil while no passcode is set: then nothing can be locked.
  private let lockState = Mutex<LockState?>(nil)
  /// How often it was locked: what was begun before a lock and ends after it must not leave it open.
  private let lockCount = Mutex(0)
  /// Readable when the time of the next end may be another one.
  private let wakeup: Int32
  /// The one fingerprint reader of this vault.
  let reader: SensorView
  let sessions = VerifiedSessions()
  let prompts: PromptQueue
  /// Whether a finger is counted as a wrong one that is only being looked at.
  let isLookingAtFinger = Atomic(false)

  /// Takes the seat of the vault.
  ///
  /// - Throws: ``KeychainError/Code/notAvailable`` when another process holds it, ``KeychainError/Code/itemNotFound`` when
  ///   there is no vault.
  package init(location: VaultLocation, _ surroundings: AgentSurroundings) throws(KeychainError) {
    let backend = LocalBackend(location: location, surroundings.vault)
    self.backend = backend
    self.surroundings = surroundings
    do throws(SystemError) {
      wakeup = try system_wakeup()
      prompts = try PromptQueue()
    } catch { throw KeychainError(.outOfMemory) }
    try backend.holdSeat()
    do throws(KeychainError) {
      // Never the simulated one for another vault.
      let isSimulated = try backend.status().isSimulated
      reader = SensorView(isSimulated ? SimulatedSensor() : surroundings.sensor)
      try lookAtPasscode()
    } catch {
      backend.giveSeat()
      throw error
    }
  }

  var prompter: any Prompter { surroundings.prompter }
  func identify(_ peer: AgentPeer) -> (identity: ProgramIdentity, executable: String?) { surroundings.identify(peer) }
  func vaultStatus() throws(KeychainError) -> VaultStatus { try backend.status() }

  deinit { system_close(wakeup) }

  /// Wipes every key and lets the seat go. Nothing may be asked afterwards.
  package func end() {
    prompts.stop()
    sessions.endAll()
    backend.giveSeat()
  }

  /// The 16 bytes of the vault's UUID.
  package func vaultID() throws(KeychainError) -> [UInt8] { try backend.status().vaultIDBytes }

  // MARK: The lock

  /// Opens the vault.
  ///
  /// - Throws: ``KeychainError/Code/interactionNotAllowed`` when it was locked while the key was derived: the lock holds.
  package func unlock(_ passcode: Passcode) throws(KeychainError) {
    let lockCountBefore = lockCount.withLock { $0 }
    try backend.unlock(passcode)
    try lookAtPasscode()
    guard lockCount.withLock({ $0 }) == lockCountBefore else {
      try lock()
      throw KeychainError(VaultError(.classKeyLocked, "the vault was locked meanwhile"))
    }
  }

  /// Locks at once: somebody asked for it, or the machine goes to sleep.
  ///
  /// - Throws: ``KeychainError/Code/authenticationFailed`` when no passcode is set.
  package func lock() throws(KeychainError) {
    lockCount.withLock { $0 += 1 }
    forgetPeople()
    _ = lockState.withLock { $0?.lock() }
    try backend.lock()
  }

  /// Ends every evaluation, and every session.
  private func forgetPeople() {
    prompts.endAll(AuthenticationFailure(.systemCancel, .lockedMeanwhile))
    sessions.endAll()
  }

  /// The screen was locked: the keys go after the grace period.
  package func screenLocked() {
    // Nobody sees a prompt any more; what was shown before holds as long as the keys.
    prompts.endAll(AuthenticationFailure(.systemCancel, .lockedMeanwhile))
    act { $0.screenLocked(at: surroundings.nanoseconds()) }
    wake()
  }

  /// The screen was unlocked.
  package func screenUnlocked() { act { $0.screenUnlocked(at: surroundings.nanoseconds()) } }

  /// Somebody uses the vault.
  func used() { act { $0.used(at: surroundings.nanoseconds()) } }

  /// Locks when its time has come.
  package func tick() { act { $0.tick(at: surroundings.nanoseconds()) } }

  /// How long nothing happens by itself, in nanoseconds; nil when nothing does.
  package var nanosecondsToNextEnd: Int64? {
    lockState.withLock { $0?.nextEndNanoseconds }.map { max(0, $0 - surroundings.nanoseconds()) }
  }

  /// Returns when ``nanosecondsToNextEnd`` may be another one, or after that time; at most after a minute.
  package func waitForChange(nanoseconds: Int64) {
    system_waitForWakeup(wakeup, nanoseconds: min(nanoseconds, 60_000_000_000))
  }

  /// Wakes up who waits in ``waitForChange(nanoseconds:)``.
  package func wake() { system_wake(wakeup) }

  private func act(_ event: (inout LockState) -> LockState.Action) {
    let action = lockState.withLock { state -> LockState.Action in
      guard var now = state else { return .none }
      let action = event(&now)
      state = now
      return action
    }
    // A call that runs too long keeps its keys until it ends; the others find none.
    guard action == .dropKeys else { return }
    lockCount.withLock { $0 += 1 }
    forgetPeople()
    try? backend.lock()
  }

  /// Asks the vault whether there is a passcode, and whether what was done has opened it.
  private func lookAtPasscode() throws(KeychainError) {
    let status = try backend.status()
    lockState.withLock { state in
      guard status.hasPasscode else {
        state = nil
        return
      }
      var now = state ?? LockState()
      now.settings = status.settings
      if status.openClasses.contains(.whenUnlocked) {
        now.unlocked(at: surroundings.nanoseconds())
      } else {
        _ = now.lock()
      }
      state = now
    }
    wake()
  }

  // MARK: Requests

  package func answer(
    _ request: AgentRequest, from peer: AgentPeer, progress: (_ done: Int, _ total: Int) -> Void
  ) -> AgentReply {
    answer(request, peer, maySense: true, progress) ?? .failed(AgentFailure(KeychainError(.notAvailable)))
  }

  package func answerAtOnce(
    _ request: AgentRequest, from peer: AgentPeer, progress: (_ done: Int, _ total: Int) -> Void
  ) -> AgentReply? { answer(request, peer, maySense: false, progress) }

  private func answer(
    _ request: AgentRequest, _ peer: AgentPeer, maySense: Bool, _ progress: (_ done: Int, _ total: Int) -> Void
  ) -> AgentReply? {
    do throws(KeychainError) {
      switch request {
      case .add, .find, .update, .delete, .accessGroups: return try answerItems(request, peer, maySense: maySense)
      case .status: return .status(try status())
      case .unlock(let passcode): try unlock(try Passcode(given: passcode))
      case .lock: try lock()
      case .stop: break
      case .passcodeSet, .passcodeChange, .passcodeRemove, .rotate, .settings, .acceptOlder:
        try answerChange(request, progress)
      case .evaluate, .cancelEvaluation, .endSession, .authenticationStatus, .simulate:
        return try answerAuthentication(request, peer)
      }
      return .done
    } catch { return .failed(AgentFailure(error)) }
  }

  private func answerItems(
    _ request: AgentRequest, _ peer: AgentPeer, maySense: Bool
  ) throws(KeychainError) -> AgentReply? {
    used()
    let groups = surroundings.groups
    switch request {
    case .add(let item, let claimed, let evidence):
      let caller = groups.caller(claimed, from: peer)
      return try withEvaluator(evidence, peer, maySense: maySense) { (evaluator) throws(KeychainError) in
        .item(try backend.add(item, for: caller, evaluator))
      }
    case .find(let query, let claimed, let evidence):
      let caller = groups.caller(claimed, from: peer)
      return try withEvaluator(evidence, peer, maySense: maySense) { (evaluator) throws(KeychainError) in
        .items(try backend.find(query, for: caller, evaluator))
      }
    case .update(let query, let change, let claimed, let evidence):
      let caller = groups.caller(claimed, from: peer)
      return try withEvaluator(evidence, peer, maySense: maySense) { (evaluator) throws(KeychainError) in
        try backend.update(query, with: change, for: caller, evaluator)
        return .done
      }
    case .delete(let query, let caller): try backend.delete(query, for: groups.caller(caller, from: peer))
    case .accessGroups: return .groups(groups.visible(try backend.accessGroups(), to: peer))
    default: throw KeychainError(.unimplemented)
    }
    return .done
  }

  private func answerChange(
    _ request: AgentRequest, _ progress: (_ done: Int, _ total: Int) -> Void
  ) throws(KeychainError) {
    let lockCountBefore = lockCount.withLock { $0 }
    do throws(KeychainError) { try change(request, progress) } catch {
      // It may have got far enough for the vault to have a passcode, or another one.
      try? lookAtPasscode()
      throw error
    }
    try lookAtPasscode()
    // What was shown was shown under the passcode that was.
    if request.changesPasscode { forgetPeople() }
    // It is done, and what locked the vault meanwhile holds.
    if lockCount.withLock({ $0 }) != lockCountBefore { try? lock() }
  }

  private func change(
    _ request: AgentRequest, _ progress: (_ done: Int, _ total: Int) -> Void
  ) throws(KeychainError) {
    switch request {
    case .passcodeSet(let new):
      try backend.changePasscode(from: nil, to: try Passcode(given: new), progress: progress)
    case .passcodeChange(let old, let new, let rotates):
      try backend.changePasscode(
        from: try Passcode(given: old), to: try Passcode(given: new), rotates: rotates, progress: progress)
    case .passcodeRemove(let old, let rotates):
      try backend.changePasscode(from: try Passcode(given: old), to: nil, rotates: rotates, progress: progress)
    case .rotate(let passcode):
      let passcode = try passcode.map(Passcode.init(given:))
      try backend.changePasscode(from: passcode, to: passcode, rotates: true, progress: progress)
    case .settings(let graceSeconds, let idleSeconds, let passcode):
      var settings = LockSettings()
      settings.graceSeconds = graceSeconds
      settings.idleSeconds = idleSeconds
      try backend.setLockSettings(settings, try passcode.map(Passcode.init(given:)))
    case .acceptOlder(let passcode): try backend.acceptOlder(try passcode.map(Passcode.init(given:)))
    default: throw KeychainError(.unimplemented)
    }
  }

  private func status() throws(KeychainError) -> AgentStatus {
    // What should have ended by now has: nobody is told of keys that no call would find.
    tick()
    let vault = try backend.status()
    var status = AgentStatus(process: system_process(), vaultID: vault.vaultIDBytes)
    status.hasPasscode = vault.hasPasscode
    status.openClasses = vault.openClasses.sorted { $0.rawValue < $1.rawValue }
    status.graceSeconds = vault.settings.graceSeconds
    status.idleSeconds = vault.settings.idleSeconds
    status.failedAttempts = vault.failedAttempts
    status.secondsToWait = vault.secondsToWait
    status.deviceKeyPath = vault.deviceKeyPath
    status.isMemoryLocked = vault.isMemoryLocked
    status.listensToLogind = surroundings.listensToLogind()
    status.itemCount = vault.itemCount
    status.formatMajor = vault.format.major
    status.formatMinor = vault.format.minor
    status.isSimulated = vault.isSimulated
    guard let lock = lockState.withLock({ $0 }) else { return status }
    let left = nanosecondsToNextEnd.map { Int(($0 + 999_999_999) / 1_000_000_000) }
    switch lock.phase {
    case .beforeFirstUnlock: status.lockState = .beforeFirstUnlock
    case .locked: status.lockState = .locked
    case .locking: status.lockState = .locking(secondsLeft: left ?? 0)
    case .unlocked:
      status.lockState = .unlocked
      status.secondsUntilIdleLock = left
    }
    return status
  }
}

extension Passcode {
  /// What a client gave.
  convenience init(given secret: SharedSecret) throws(KeychainError) {
    do throws(VaultError) { try self.init(secret) } catch { throw KeychainError(error) }
  }
}

extension AgentRequest {
  /// Whether there is another passcode afterwards, or none.
  fileprivate var changesPasscode: Bool {
    switch self {
    case .passcodeSet, .passcodeChange, .passcodeRemove: true
    default: false
    }
  }
}
