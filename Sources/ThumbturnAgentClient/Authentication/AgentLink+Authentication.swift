#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import ThumbturnAuthentication
internal import ThumbturnCrypto

extension AgentLink {
  /// Has a person asked in a context; the answer comes by `reply`, once, and this never waits.
  ///
  /// - Parameters:
  ///   - requirement: What has to be shown.
  ///   - texts: What the prompt says.
  ///   - context: Keeps what was verified; its end ends this.
  ///   - anew: Whether earlier sessions of the context do not count.
  func evaluate(
    _ requirement: Requirement, _ texts: AuthenticationTexts, in context: AuthenticationContext, anew: Bool,
    reply: @escaping @Sendable (Result<Set<Factor>, AuthenticationFailure>) -> Void
  ) {
    if context.isInvalidated { return reply(.failure(AuthenticationFailure(.invalidContext))) }
    guard !context.forbidsPrompts else {
      return reply(.failure(AuthenticationFailure(.notInteractive, .promptsForbidden)))
    }
    let question = EvaluationDesk.Question(
      requirement: requirement, texts: texts.cut, place: promptPlace(),
      sessions: anew ? [] : context.sessionIDs.sorted { $0.lexicographicallyPrecedes($1) },
      hasCredential: context.credential != nil)
    let ticket = Ticket()
    let hook = context.addHook { [self] in
      if let number = ticket.leave() { desk.leave(number, over: self) }
    }
    guard let hook else { return reply(.failure(AuthenticationFailure(.invalidContext))) }
    let number = desk.join(question, over: self) { [weak context] outcome in
      context?.removeHook(hook)
      switch outcome {
      case .success(let success):
        // A context that ended meanwhile keeps nothing, and who asked in it gets nothing.
        guard let context, !context.isInvalidated else { return reply(.failure(AuthenticationFailure(.appCancel))) }
        if let session = success.session { context.keep(session) }
        reply(.success(success.shown))
      case .failure(let failure): reply(.failure(failure))
      }
    }
    // Invalidated between the hook and the ticket.
    if let number, ticket.take(number) { desk.leave(number, over: self) }
  }

  /// The same, waiting for the answer: for calls that wait for a person themselves. At most 135 seconds.
  func evaluateAndWait(
    _ requirement: Requirement, _ texts: AuthenticationTexts, in context: AuthenticationContext
  ) -> Result<Set<Factor>, AuthenticationFailure> {
    guard let isThere = StopSignal() else { return .failure(AuthenticationFailure(.systemCancel, .agentFailed)) }
    let box = AnswerBox(isThere)
    // What the context has is not enough, says the agent.
    evaluate(requirement, texts, in: context, anew: true) { box.put($0) }
    return box.take() ?? .failure(AuthenticationFailure(.systemCancel, .agentFailed))
  }
}

/// The number with which somebody leaves the desk, which may be asked for before it is there.
private final class Ticket: Sendable {
  private let state = Mutex<(number: Int?, isLeaving: Bool)>((nil, false))

  /// The number to leave with; nil when it is not there yet: then ``take(_:)`` says so.
  func leave() -> Int? {
    state.withLock { state in
      state.isLeaving = true
      return state.number
    }
  }

  /// Whether whoever has it must leave at once.
  func take(_ number: Int) -> Bool {
    state.withLock { state in
      state.number = number
      return state.isLeaving
    }
  }
}

/// An answer that one thread waits for.
private final class AnswerBox: Sendable {
  private static let limit = Duration.seconds(135)
  private let answer = Mutex<Result<Set<Factor>, AuthenticationFailure>?>(nil)
  private let isThere: StopSignal

  init(_ isThere: StopSignal) { self.isThere = isThere }

  func put(_ answer: Result<Set<Factor>, AuthenticationFailure>) {
    self.answer.withLock { $0 = answer }
    isThere.set()
  }

  func take() -> Result<Set<Factor>, AuthenticationFailure>? {
    _ = isThere.wait(for: Self.limit)
    return answer.withLock { $0 }
  }
}
