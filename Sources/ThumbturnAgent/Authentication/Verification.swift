#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import ThumbturnAgentClient
internal import ThumbturnAuthentication
internal import ThumbturnCrypto

/// One evaluation in the agent: it looks at fingers and passcodes itself, and believes nobody.
///
/// It runs on one thread, and can be ended from any.
final class Verification: Sendable {
  /// The longest that one takes.
  static let limit = Duration.seconds(60)

  /// What was shown.
  struct Shown: Sendable {
    var factors: Set<Factor>
    /// What was enrolled when the finger was shown; nil when none was.
    var enrolment: Enrolment?
    var applicationPassword: SharedSecret?
  }

  private struct Ending {
    var cause: AuthenticationFailure?
    var isFinished = false
    var signals: [StopSignal] = []
  }

  let request: EvaluationRequest
  let program: PromptedProgram
  /// Which lock of the vault it was begun after.
  let epoch: Int
  private let ending = Mutex(Ending())

  init(_ request: EvaluationRequest, for program: PromptedProgram, epoch: Int) {
    self.request = request
    self.program = program
    self.epoch = epoch
  }

  /// Ends it with this failure, unless it has ended; the first cause counts.
  func end(_ cause: AuthenticationFailure) {
    let signals = ending.withLock { ending -> [StopSignal] in
      guard ending.cause == nil, !ending.isFinished else { return [] }
      ending.cause = cause
      return ending.signals
    }
    for signal in signals { signal.set() }
  }

  /// Why it was ended.
  var cause: AuthenticationFailure? { ending.withLock { $0.cause } }

  /// Does what makes it count, unless it was ended: not both.
  func finish(_ body: () -> Bool) -> AuthenticationFailure? {
    ending.withLock { ending in
      if let cause = ending.cause { return cause }
      ending.isFinished = true
      return body() ? nil : AuthenticationFailure(.systemCancel, .lockedMeanwhile)
    }
  }

  /// A signal that is set when this ends.
  func makeSignal() -> StopSignal? {
    guard let signal = StopSignal() else { return nil }
    let isEnded = ending.withLock { ending -> Bool in
      ending.signals.append(signal)
      return ending.cause != nil
    }
    if isEnded { signal.set() }
    return signal
  }

  func forget(_ signal: StopSignal) { ending.withLock { $0.signals.removeAll { $0 === signal } } }

  /// Asks, until it is clear what came of it.
  func run(_ host: any VerificationHost) -> Result<Shown, AuthenticationFailure> {
    var run = VerificationRun(self, host)
    return run.result()
  }
}

/// What a verification knows while it runs.
struct VerificationRun {
  let verification: Verification
  let host: any VerificationHost
  let end: ContinuousClock.Instant
  /// Why no prompt can be shown.
  let obstacle: AuthenticationFailure.Reason?
  var enrolment: Enrolment?
  var applicationPassword: SharedSecret?

  init(_ verification: Verification, _ host: any VerificationHost) {
    self.verification = verification
    self.host = host
    end = .now + Verification.limit
    obstacle = host.prompter.obstacle(at: verification.request.place)
  }

  var request: EvaluationRequest { verification.request }
  var timeLeft: Duration { max(.zero, end - .now) }

  mutating func result() -> Result<Verification.Shown, AuthenticationFailure> {
    let sensor = host.sensor.state()
    if case .ready(let found) = sensor { enrolment = found }
    var state = EvaluationState(
      request.requirement, host.status(sensor, at: request.place), hidesFallback: request.texts.fallbackTitle == "",
      hasApplicationPassword: request.hasCredential)
    var step = state.begin()
    while true {
      if let cause = verification.cause { return .failure(cause) }
      switch step {
      case .succeeded(let factors):
        return .success(
          Verification.Shown(
            factors: factors, enrolment: factors.contains(.finger) ? enrolment : nil,
            applicationPassword: applicationPassword))
      case .failed(let failure): return .failure(failure)
      case .askFinger(let hasFallback, let problem): step = askFinger(hasFallback, problem, &state)
      case .askPasscode(let problem): step = state.passcode(askPasscode(problem))
      case .askApplicationPassword: step = state.applicationPassword(askApplicationPassword())
      }
    }
  }

  /// What every prompt of this evaluation says.
  func prompt(_ kind: Prompt.Kind, _ problem: EvaluationProblem?) -> Prompt {
    var prompt = Prompt(
      kind, program: verification.program.name, process: verification.program.process,
      reason: String(request.texts.reason.prefix(Prompt.textCountMax)))
    prompt.problem = problem?.text
    if let title = request.texts.cancelTitle, !title.isEmpty { prompt.cancelTitle = title }
    prompt.isSimulated = host.sensor.isSimulated
    return prompt
  }
}
