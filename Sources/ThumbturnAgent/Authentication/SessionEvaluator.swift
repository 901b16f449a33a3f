#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import ThumbturnAgentClient
internal import ThumbturnAuthentication
internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

/// Whether what a client has shown is enough for one call. It asks nobody: what is missing is said in ``needed``.
///
/// It looks at the agent's own sessions of that process, and at what is enrolled now. Nothing else makes a
/// ``PolicyRelease`` for what has to be shown.
final class SessionEvaluator: PolicyEvaluator {
  private struct State {
    var needed: Set<Requirement> = []
    var needsTime = false
    /// What is enrolled now, as a hash; asked for once in a call.
    var enrolment: Enrolment?
    /// How many of the passwords were wrong.
    var wrongCount = 0
  }

  /// What the reader says now.
  private enum Enrolment {
    case unknown
    case hash([UInt8])
  }

  private let sessions: [SessionTable.Session]
  private let evidence: Evidence
  /// Looked up only where it matters: it costs a look at the vault.
  private let vaultID: @Sendable () -> [UInt8]
  /// Nil where nothing may take long.
  private let sensor: (@Sendable () -> SensorState)?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - sessions: Those of the client that it named and that are known.
  ///   - evidence: What it named.
  ///   - sensor: Asks the reader; nil where nothing may take long.
  init(
    _ sessions: [SessionTable.Session], _ evidence: Evidence, sensor: (@Sendable () -> SensorState)?,
    vaultID: @escaping @Sendable () -> [UInt8]
  ) {
    self.sessions = sessions
    self.evidence = evidence
    self.vaultID = vaultID
    self.sensor = sensor
  }

  /// Whether the call has to be made where it may take seconds: for the reader, or to try a password.
  var needsTime: Bool { state.withLock { $0.needsTime } }

  /// What has to be shown before the call is made again; nil when it is not for that that it failed.
  var needed: NeededEvidence? {
    let (needed, wrongCount) = state.withLock { ($0.needed, $0.wrongCount) }
    guard !needed.isEmpty else { return nil }
    // A session whose password does not fit here may fit elsewhere, and what was shown in it counts all the same.
    return NeededEvidence(
      needed, isCredentialWrong: wrongCount > 0 && evidence.credential != nil,
      deadSessions: Set(evidence.sessions).subtracting(sessions.map(\.id)))
  }

  // MARK: Access controls

  func release(_ questions: Set<PolicyQuestion>) throws(KeychainError) -> PolicyRelease {
    var (verified, dead): (Set<RecordPolicy>, Set<RecordPolicy>) = ([], [])
    var missing: Set<Requirement> = []
    for question in questions {
      var requirement: Requirement? = question.requirement
      if question.needsCurrentSet {
        switch try enrolment() {
        case .hash(let hash):
          if hash != question.enrolmentHash { requirement = question.remainingRequirement }
        case .unknown:
          // What may be dead is not released for a finger, and is not said to be dead.
          requirement = question.remainingRequirement
          guard requirement != nil else { throw KeychainError(.authenticationFailed) }
        }
      }
      guard let requirement else {
        dead.insert(question.policy)
        continue
      }
      if isFulfilled(requirement, for: question) {
        verified.insert(question.policy)
      } else {
        // Nothing on Linux fulfils it.
        guard !requirement.factors.isEmpty else { throw KeychainError(.authenticationFailed) }
        missing.insert(asked(requirement))
      }
    }
    guard missing.isEmpty else {
      let all = missing
      state.withLock { $0.needed.formUnion(all) }
      throw KeychainError(.interactionNotAllowed)
    }
    return PolicyRelease(verified: verified, dead: dead)
  }

  func isDead(_ question: PolicyQuestion) throws(KeychainError) -> Bool {
    guard question.needsCurrentSet, question.remainingRequirement == nil else { return false }
    guard case .hash(let hash) = try enrolment() else { return false }
    return hash != question.enrolmentHash
  }

  private func isFulfilled(_ requirement: Requirement, for question: PolicyQuestion) -> Bool {
    // The password alone is no constraint; the key shows whether it is the right one.
    if question.accessControl.reading == .free { return true }
    let shown = sessions.reduce(into: Set<Factor>()) { shown, session in
      var factors = session.shown
      // A finger of another set is none.
      if question.needsCurrentSet, session.enrolmentHash != question.enrolmentHash { factors.remove(.finger) }
      shown.formUnion(factors)
    }
    return requirement.isFulfilled(by: shown)
  }

  /// The password is asked for with the rest, unless there is one to be tried.
  private func asked(_ requirement: Requirement) -> Requirement {
    guard requirement.needsApplicationPassword, !passwords.isEmpty else { return requirement }
    return Requirement(requirement.factors, needsAll: requirement.needsAll)
  }

  func enrolmentHash(for control: AccessControl) throws(KeychainError) -> [UInt8] {
    let needsSet = control.conditions.contains(.biometryCurrentSet)
    guard needsSet || control.requirement.insistsOnFinger else { return [] }
    switch try enrolment() {
    case .hash(let hash) where !hash.isEmpty: return needsSet ? hash : []
    default:
      // Without a finger it could never be read (SECACCESS.md §2); another way may be enough.
      guard control.requirement.insistsOnFinger else { return [] }
      throw KeychainError(.authenticationFailed)
    }
  }

  private func enrolment() throws(KeychainError) -> Enrolment {
    if let known = state.withLock({ $0.enrolment }) { return known }
    guard let sensor else {
      state.withLock { $0.needsTime = true }
      throw KeychainError(.interactionNotAllowed)
    }
    let now: Enrolment =
      switch sensor() {
      case .unavailable: .unknown
      case .notEnrolled: .hash([])
      case .ready(let enrolment): .hash(EnrolmentHash.ofItems(enrolment, vaultID: vaultID()))
      }
    state.withLock { $0.enrolment = now }
    return now
  }

  // MARK: Passwords

  /// What there is to be tried, that of the call first, then the newest.
  private var passwords: [SharedSecret] {
    (evidence.credential.map { [$0] } ?? []) + sessions.reversed().compactMap(\.applicationPassword)
  }

  func applicationPassword(wrongBefore: Bool) throws(KeychainError) -> SharedSecret {
    let wrongCount = state.withLock { state -> Int in
      if wrongBefore { state.wrongCount += 1 }
      return state.wrongCount
    }
    let passwords = passwords
    guard wrongCount < passwords.count else {
      state.withLock { _ = $0.needed.insert(Requirement([], needsApplicationPassword: true)) }
      throw KeychainError(.interactionNotAllowed)
    }
    // To try one takes as long as a passcode does.
    guard sensor != nil else {
      state.withLock { $0.needsTime = true }
      throw KeychainError(.interactionNotAllowed)
    }
    return passwords[wrongCount]
  }
}
