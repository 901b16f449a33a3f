internal import Dispatch
internal import Synchronization
public import ThumbturnAuthentication
internal import ThumbturnKeychain

// So that an LAContext works over a keychain in memory. An `LAContext` of a process asks whatever serves its keychain:
// `useKeychainBackend(keychain)` is all that a test has to say.
extension MemoryBackend: AuthenticationBackend {
  /// As ``AuthenticationBackend/authenticationStatus()``: there is always a reader.
  public func authenticationStatus() throws(AuthenticationFailure) -> AuthenticationStatus {
    state.withLock { $0.authenticationStatus }
  }

  /// As ``AuthenticationBackend/evaluate(_:_:in:anew:reply:)``. The person does what ``answer`` says, at once; each evaluation
  /// that asks is a prompt of its own.
  ///
  /// What is shown is a finger where one counts and can be used, else the passcode. An application password that is asked for
  /// with it is ``applicationPassword``, and the context has it from then on; whether it is right, an item says.
  public func evaluate(
    _ requirement: Requirement, _ texts: AuthenticationTexts, in context: AuthenticationContext, anew: Bool,
    reply: @escaping @Sendable (Result<Set<Factor>, AuthenticationFailure>) -> Void
  ) {
    DispatchQueue.global().async { reply(self.result(of: requirement, in: context, anew: anew)) }
  }

  private func result(
    of requirement: Requirement, in context: AuthenticationContext, anew: Bool
  ) -> Result<Set<Factor>, AuthenticationFailure> {
    guard !context.isInvalidated else { return .failure(AuthenticationFailure(.invalidContext)) }
    let shown = context.shown
    if !anew, requirement.isFulfilled(by: shown) { return .success(shown) }
    return state.withLock { state in state.ask(requirement, context) }
  }
}

extension MemoryState {
  /// What can be asked for now.
  var authenticationStatus: AuthenticationStatus {
    var status = AuthenticationStatus()
    status.hasPasscode = hasPasscode
    status.isVaultLocked = lockState != .unlocked
    status.reader = isBiometryEnrolled ? .ready : .notEnrolled
    if isBiometryEnrolled {
      status.stateHash = (0..<AuthenticationStatus.stateHashCount).map {
        UInt8(truncatingIfNeeded: enrolment >> (8 * ($0 % 8)))
      }
    }
    return status
  }

  /// Asks the person, and keeps in the context what was shown.
  mutating func ask(
    _ requirement: Requirement, _ context: AuthenticationContext
  ) -> Result<Set<Factor>, AuthenticationFailure> {
    let status = authenticationStatus
    let wantsPasswordAlone = requirement.factors.isEmpty && requirement.needsApplicationPassword
    if !wantsPasswordAlone, let obstacle = status.obstacle(to: requirement) { return .failure(obstacle) }
    guard !context.forbidsPrompts else { return .failure(AuthenticationFailure(.notInteractive, .promptsForbidden)) }
    promptCount += 1
    switch answer {
    case .cancel: return .failure(AuthenticationFailure(.userCancel))
    case .failure: return .failure(AuthenticationFailure(.authenticationFailed))
    case .success: break
    }
    var shown = requirement.factors
    if !requirement.needsAll, shown.count > 1 { shown = status.fingerObstacle == nil ? [.finger] : [.passcode] }
    let id = (0..<VerifiedSession.idCount).map { _ in UInt8.random(in: .min ... .max) }
    if requirement.needsApplicationPassword { keepTyped(in: id) }
    context.keep(VerifiedSession(id: id, shown: shown, onEnd: { _ in }))
    return .success(shown)
  }
}
