#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import ThumbturnAgentClient
internal import ThumbturnAuthentication
internal import ThumbturnCrypto

// Asking for the passcode, and for a program's password.

extension VerificationRun {
  mutating func askPasscode(_ problem: EvaluationProblem?) -> SecretOutcome {
    let seconds = host.secondsUntilPasscode
    // Nobody types what is not looked at.
    guard seconds == 0 else { return .refused(secondsToWait: seconds) }
    let (secret, outcome) = ask(prompt(.passcode, problem))
    return secret.map { host.check($0) } ?? outcome
  }

  mutating func askApplicationPassword() -> SecretOutcome {
    let (secret, outcome) = ask(prompt(.applicationPassword, nil))
    guard let secret else { return outcome }
    applicationPassword = secret
    return .right
  }

  /// Shows a prompt and waits for what is typed.
  ///
  /// Whatever shows it has a thread of its own, so that one that never comes back costs that thread alone.
  private func ask(_ prompt: Prompt) -> (secret: SharedSecret?, otherwise: SecretOutcome) {
    if let obstacle { return (nil, .failed(AuthenticationFailure(.notInteractive, obstacle))) }
    guard let stop = verification.makeSignal(), let isAnswered = StopSignal() else { return (nil, .noDescriptor) }
    defer { verification.forget(stop) }
    let box = PromptBox()
    let (prompter, place, limit) = (host.prompter, request.place, timeLeft)
    do throws(SystemError) {
      try system_detachThread {
        box.put(prompter.ask(prompt, at: place, limit: limit, stop: stop))
        isAnswered.set()
      }
    } catch { return (nil, .noDescriptor) }
    let first = system_waitForEither(
      isAnswered.descriptor, stop.descriptor, nanoseconds: (limit + PromptBox.graceOfLimit).nanoseconds)
    if first == 1 { _ = isAnswered.wait(for: PromptBox.graceOfStop) }
    // A stop that nobody obeys must not leave the prompt open for longer than it takes to notice.
    stop.set()
    switch box.take() {
    case .secret(let secret)?: return (secret, .wrong)
    case .cancelled?, .fallback?: return (nil, .cancelled)
    case .timedOut?: return (nil, .timedOut)
    case .stopped?: return (nil, .failed(verification.cause ?? AuthenticationFailure(.systemCancel, .prompterFailed)))
    case .failed(let reason)?: return (nil, .failed(AuthenticationFailure(.notInteractive, reason)))
    case nil:
      return (nil, .failed(verification.cause ?? AuthenticationFailure(.notInteractive, .prompterFailed)))
    }
  }
}

/// What a prompt on another thread has answered: the first answer counts.
final class PromptBox: Sendable {
  /// How much longer than its limit a prompt may take until it counts as failed.
  static let graceOfLimit = Duration.seconds(2)
  /// How long a prompt may take to go after it was told to.
  static let graceOfStop = Duration.seconds(3)

  private let state = Mutex<(answer: PromptAnswer?, isTaken: Bool)>((nil, false))

  init() {}

  func put(_ answer: PromptAnswer) {
    state.withLock { state in
      guard state.answer == nil, !state.isTaken else { return }
      state.answer = answer
    }
  }

  /// The answer, once; what comes later is forgotten.
  func take() -> PromptAnswer? {
    state.withLock { state in
      state.isTaken = true
      defer { state.answer = nil }
      return state.answer
    }
  }
}

extension SecretOutcome {
  fileprivate static var noDescriptor: SecretOutcome { .failed(AuthenticationFailure(.systemCancel, .agentFailed)) }
}

extension Duration {
  /// Whole nanoseconds.
  var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
