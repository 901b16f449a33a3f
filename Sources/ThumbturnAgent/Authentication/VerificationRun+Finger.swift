#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import ThumbturnAgentClient
internal import ThumbturnAuthentication
internal import ThumbturnCrypto

// Asking for a finger: reader and prompt at the same time.

extension VerificationRun {
  mutating func askFinger(
    _ hasFallback: Bool, _ problem: EvaluationProblem?, _ state: inout EvaluationState
  ) -> EvaluationStep {
    // A simulated finger needs nobody who could be shown something.
    if let obstacle, !host.sensor.isSimulated {
      return state.finger(.failed(AuthenticationFailure(.notInteractive, obstacle)))
    }
    guard let stop = verification.makeSignal() else {
      return state.finger(.failed(AuthenticationFailure(.systemCancel, .agentFailed)))
    }
    defer { verification.forget(stop) }
    do throws(AuthenticationFailure) { try host.countFinger() } catch { return state.finger(.failed(error)) }
    let open = FingerPrompt(host.prompter, at: request.place, until: end, isShown: obstacle == nil, stops: stop)
    open.show(fingerPrompt(hasFallback, problem))
    var isCounted = true
    var isMatched = false
    var next: EvaluationStep?
    let (host, run) = (host, self)
    let outcome = host.sensor.verify(limit: timeLeft, stop: stop) { event in
      let step = Self.take(event, host, &isCounted, &state)
      next = step
      isMatched = event == .matched
      guard case .askFinger(let hasFallback, let problem) = step else { return .stop }
      open.show(run.fingerPrompt(hasFallback, problem))
      return .goOn
    }
    let answer = open.close()
    if isCounted { host.withdrawFinger() }
    switch outcome {
    case .enough:
      if isMatched, !isSameEnrolment() {
        return .failed(AuthenticationFailure(.authenticationFailed))
      }
      return next ?? state.finger(.failed(AuthenticationFailure(.biometryNotAvailable, .readerFailed)))
    case .stopped: return state.finger(verification.cause.map { .failed($0) } ?? answer ?? .timedOut)
    case .timedOut: return state.finger(.timedOut)
    case .cancelled: return state.finger(.cancelled)
    case .failed(let failure): return state.finger(.failed(failure))
    }
  }

  /// What one finger means. The next one is counted before it is looked at.
  private static func take(
    _ event: FingerEvent, _ host: any VerificationHost, _ isCounted: inout Bool, _ state: inout EvaluationState
  ) -> EvaluationStep {
    let step: EvaluationStep
    switch event {
    case .matched:
      host.acceptFinger()
      isCounted = false
      return state.finger(.matched)
    case .notMatched:
      isCounted = false
      step = state.finger(.notMatched(failures: host.fingerFailures))
    case .retry(let retry): step = state.finger(.retry(retry))
    }
    guard case .askFinger = step, !isCounted else { return step }
    do throws(AuthenticationFailure) { try host.countFinger() } catch { return state.finger(.failed(error)) }
    isCounted = true
    return step
  }

  /// Whether the finger that matched is of the set that was there at the beginning.
  private func isSameEnrolment() -> Bool {
    guard case .ready(let now) = host.sensor.state() else { return false }
    return now == enrolment
  }

  private func fingerPrompt(_ hasFallback: Bool, _ problem: EvaluationProblem?) -> Prompt {
    var title: String?
    if hasFallback {
      let own = request.texts.fallbackTitle ?? ""
      title = own.isEmpty ? request.requirement.insistsOnFinger ? "Enter Password…" : "Enter Passcode…" : own
    }
    return prompt(.finger(fallbackTitle: title), problem)
  }
}

/// A prompt that tells to show a finger, and changes what it says. One at a time is open; an answer stops the reader.
private final class FingerPrompt: Sendable {
  private struct State {
    var wanted: Prompt?
    var current: StopSignal?
    var isClosed = false
    var outcome: FingerOutcome?
  }

  private let prompter: any Prompter
  private let place: PromptPlace
  private let end: ContinuousClock.Instant
  private let isShown: Bool
  private let reader: StopSignal
  private let isOver = StopSignal()
  private let state = Mutex(State())

  /// - Parameters:
  ///   - isShown: Whether there is a place for it; else nothing is shown.
  ///   - stops: Is set when it is answered.
  init(
    _ prompter: any Prompter, at place: PromptPlace, until end: ContinuousClock.Instant, isShown: Bool,
    stops reader: StopSignal
  ) {
    self.prompter = prompter
    self.place = place
    self.end = end
    self.isShown = isShown
    self.reader = reader
  }

  /// Shows it, in place of what is shown.
  func show(_ prompt: Prompt) {
    guard isShown else { return }
    let (old, isFirst) = state.withLock { state -> (StopSignal?, Bool) in
      state.wanted = prompt
      return (state.current, state.current == nil)
    }
    guard isFirst else {
      old?.set()
      return
    }
    guard let signal = StopSignal() else { return fail() }
    state.withLock { $0.current = signal }
    do throws(SystemError) { try system_detachThread { self.run(signal) } } catch { fail() }
  }

  /// Takes it away; what was answered before.
  func close() -> FingerOutcome? {
    let (current, outcome) = state.withLock { state -> (StopSignal?, FingerOutcome?) in
      state.isClosed = true
      return (state.current, state.outcome)
    }
    guard let current else { return outcome }
    current.set()
    // The next prompt at the same place comes after this one.
    _ = isOver?.wait(for: PromptBox.graceOfStop)
    return outcome
  }

  private func run(_ first: StopSignal) {
    defer { isOver?.set() }
    var signal = first
    while true {
      guard let prompt = state.withLock({ $0.isClosed ? nil : $0.wanted }) else { return }
      let answer = prompter.ask(prompt, at: place, limit: max(.zero, end - .now), stop: signal)
      if case .stopped = answer {
        // Another text, or the end.
        guard let next = StopSignal() else { return fail() }
        let isClosed = state.withLock { state -> Bool in
          state.current = next
          return state.isClosed
        }
        if isClosed { return }
        signal = next
        continue
      }
      return answered(Self.outcome(answer))
    }
  }

  private static func outcome(_ answer: PromptAnswer) -> FingerOutcome {
    switch answer {
    case .fallback: .fallback
    case .cancelled: .cancelled
    case .timedOut, .stopped: .timedOut
    case .failed(let reason): .failed(AuthenticationFailure(.notInteractive, reason))
    case .secret: .failed(AuthenticationFailure(.notInteractive, .prompterFailed))
    }
  }

  private func fail() { answered(.failed(AuthenticationFailure(.systemCancel, .agentFailed))) }

  private func answered(_ outcome: FingerOutcome) {
    state.withLock { if !$0.isClosed, $0.outcome == nil { $0.outcome = outcome } }
    reader.set()
  }
}
