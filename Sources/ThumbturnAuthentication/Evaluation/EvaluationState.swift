/// One evaluation, without clocks, readers or threads: each outcome returns what has to be done next.
///
/// First what insists on a finger, then the passcode, then the program's password (SECACCESS.md §3, §6).
public struct EvaluationState: Sendable {
  /// So many wrong fingers, or wrong passcodes, end one evaluation.
  public static let wrongCountMax = 3

  private let requirement: Requirement
  private let status: AuthenticationStatus
  private let hidesFallback: Bool
  private let needsApplicationPassword: Bool
  private var wrongFingers = 0
  private var wrongPasscodes = 0
  /// What was shown by now.
  public private(set) var shown: Set<Factor> = []

  /// - Parameters:
  ///   - requirement: What has to be shown.
  ///   - status: What can be asked for.
  ///   - hidesFallback: Whether the program wants no button for another way.
  ///   - hasApplicationPassword: Whether the program gave its password already.
  public init(
    _ requirement: Requirement, _ status: AuthenticationStatus, hidesFallback: Bool = false,
    hasApplicationPassword: Bool = false
  ) {
    self.requirement = requirement
    self.status = status
    self.hidesFallback = hidesFallback
    needsApplicationPassword = requirement.needsApplicationPassword && !hasApplicationPassword
  }

  /// The first thing to do.
  public mutating func begin() -> EvaluationStep {
    // The password alone: nothing has to be shown.
    if requirement.factors.isEmpty, requirement.needsApplicationPassword { return afterFactors() }
    if let obstacle = status.obstacle(to: requirement) { return .failed(obstacle) }
    return next(nil)
  }

  /// A finger, or the end of asking for one.
  public mutating func finger(_ outcome: FingerOutcome) -> EvaluationStep {
    switch outcome {
    case .matched:
      shown.insert(.finger)
      return next(nil)
    case .notMatched(let failures):
      wrongFingers += 1
      let isLockedOut = failures >= AuthenticationStatus.fingerFailuresMax
      guard isLockedOut || wrongFingers >= Self.wrongCountMax else {
        return .askFinger(hasFallback: hasFallback, problem: .fingerNotRecognised)
      }
      if requirement.insistsOnFinger {
        return .failed(AuthenticationFailure(isLockedOut ? .biometryLockout : .authenticationFailed))
      }
      return .askPasscode(problem: .tooManyFingers)
    case .retry(let retry): return .askFinger(hasFallback: hasFallback, problem: .fingerNotSeen(retry))
    case .fallback:
      return requirement.insistsOnFinger ? .failed(AuthenticationFailure(.userFallback)) : .askPasscode(problem: nil)
    case .cancelled: return .failed(AuthenticationFailure(.userCancel))
    case .timedOut: return .failed(AuthenticationFailure(.systemCancel, .timedOut))
    case .failed(let failure):
      // Without the reader the passcode is the other way; without a prompt there is none.
      let isOfReader = [.biometryNotAvailable, .biometryDisconnected, .biometryNotEnrolled, .biometryLockout]
        .contains(failure.code)
      return isOfReader && !requirement.insistsOnFinger ? .askPasscode(problem: .readerFailed) : .failed(failure)
    }
  }

  /// What came of asking for the passcode.
  public mutating func passcode(_ outcome: SecretOutcome) -> EvaluationStep {
    switch outcome {
    case .right:
      shown.insert(.passcode)
      return next(nil)
    case .wrong:
      wrongPasscodes += 1
      guard wrongPasscodes < Self.wrongCountMax else { return .failed(AuthenticationFailure(.authenticationFailed)) }
      return .askPasscode(problem: .passcodeWrong)
    default: return Self.end(outcome)
    }
  }

  /// What came of asking for the program's password. Whether it is the right one shows when an item is opened.
  public mutating func applicationPassword(_ outcome: SecretOutcome) -> EvaluationStep {
    outcome == .right ? .succeeded(shown) : Self.end(outcome)
  }

  private static func end(_ outcome: SecretOutcome) -> EvaluationStep {
    switch outcome {
    case .cancelled: .failed(AuthenticationFailure(.userCancel))
    case .timedOut: .failed(AuthenticationFailure(.systemCancel, .timedOut))
    case .refused(let seconds):
      .failed(AuthenticationFailure(.authenticationFailed, .passcodesRefused, secondsToWait: seconds))
    case .failed(let failure): .failed(failure)
    case .right, .wrong: .failed(AuthenticationFailure(.authenticationFailed))
    }
  }

  /// What is missing still.
  private func next(_ problem: EvaluationProblem?) -> EvaluationStep {
    if requirement.isFulfilled(by: shown) { return afterFactors() }
    let mayUseFinger = requirement.factors.contains(.finger) && !shown.contains(.finger)
    if mayUseFinger, requirement.insistsOnFinger || status.fingerObstacle == nil {
      return .askFinger(hasFallback: hasFallback, problem: problem)
    }
    return .askPasscode(problem: problem)
  }

  private func afterFactors() -> EvaluationStep {
    needsApplicationPassword ? .askApplicationPassword : .succeeded(shown)
  }

  /// With a finger alone the button comes after the first failure; it ends the evaluation.
  private var hasFallback: Bool {
    guard !hidesFallback else { return false }
    return !requirement.insistsOnFinger || wrongFingers > 0
  }
}
