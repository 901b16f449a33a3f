internal import Dispatch
internal import Foundation
internal import LocalAuthentication
internal import Synchronization
internal import Testing
internal import ThumbturnAuthentication

/// A person, a reader and an agent in one: does what a test says, and keeps what ``AuthenticationBackend`` promises.
final class Person: AuthenticationBackend {
  struct Request: Sendable {
    let requirement: Requirement
    let texts: AuthenticationTexts
    let anew: Bool
  }
  private struct State {
    var status: Result<AuthenticationStatus, AuthenticationFailure>
    /// Nil waits until ``answer(_:)``.
    var answer: Result<Set<Factor>, AuthenticationFailure>?
    var requests: [Request] = []
    var promptCount = 0
    var waiting: [@Sendable (Result<Set<Factor>, AuthenticationFailure>) -> Void] = []
    var repliesTwice = false
    var repliesAtOnce = false
  }
  private let state: Mutex<State>

  /// - Parameter answer: What the person shows, or why not; nil waits.
  init(_ answer: Result<Set<Factor>, AuthenticationFailure>? = .success([.finger])) {
    var status = AuthenticationStatus()
    status.hasPasscode = true
    status.reader = .ready
    status.stateHash = [UInt8](repeating: 1, count: AuthenticationStatus.stateHashCount)
    state = Mutex(State(status: .success(status), answer: answer))
  }

  var requests: [Request] { state.withLock { $0.requests } }
  var promptCount: Int { state.withLock { $0.promptCount } }
  func change(_ body: (inout AuthenticationStatus) -> Void) {
    state.withLock { state in
      guard case .success(var status) = state.status else { return }
      body(&status)
      state.status = .success(status)
    }
  }
  func isGone(_ failure: AuthenticationFailure) { state.withLock { $0.status = .failure(failure) } }
  func willAnswer(_ answer: Result<Set<Factor>, AuthenticationFailure>?) { state.withLock { $0.answer = answer } }
  /// Breaks the promise: replies twice, and on the thread of the call.
  func hasNoManners() { state.withLock { ($0.repliesTwice, $0.repliesAtOnce) = (true, true) } }

  /// Answers whoever waits.
  func answer(_ answer: Result<Set<Factor>, AuthenticationFailure>) {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for reply in waiting { reply(answer) }
  }
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  func authenticationStatus() throws(AuthenticationFailure) -> AuthenticationStatus {
    try state.withLock { $0.status }.get()
  }

  func evaluate(
    _ requirement: Requirement, _ texts: AuthenticationTexts, in context: AuthenticationContext, anew: Bool,
    reply: @escaping @Sendable (Result<Set<Factor>, AuthenticationFailure>) -> Void
  ) {
    let (answer, isTwice, isAtOnce) = state.withLock { state in
      state.requests.append(Request(requirement: requirement, texts: texts, anew: anew))
      return (state.answer, state.repliesTwice, state.repliesAtOnce)
    }
    let once = OneReply(reply)
    let finish: @Sendable (Result<Set<Factor>, AuthenticationFailure>) -> Void = { result in
      if isTwice { reply(result) }
      once.send(result)
    }
    if context.isInvalidated { return finish(.failure(AuthenticationFailure(.invalidContext))) }
    let shown = context.shown
    if !anew, requirement.isFulfilled(by: shown) { return finish(.success(shown)) }
    if context.forbidsPrompts { return finish(.failure(AuthenticationFailure(.notInteractive, .promptsForbidden))) }
    _ = context.addHook { once.send(.failure(AuthenticationFailure(.appCancel))) }
    let end: @Sendable (Result<Set<Factor>, AuthenticationFailure>) -> Void = { result in
      if case .success(let shown) = result {
        context.keep(VerifiedSession(id: [UInt8](repeating: 0, count: 16), shown: shown, onEnd: { _ in }))
      }
      finish(result)
    }
    state.withLock { state in
      state.promptCount += 1
      if answer == nil { state.waiting.append(end) }
    }
    guard let answer else { return }
    if isAtOnce { return end(answer) }
    DispatchQueue.global().async { end(answer) }
  }
}

/// Calls a reply once.
private final class OneReply: Sendable {
  private let reply: Mutex<(@Sendable (Result<Set<Factor>, AuthenticationFailure>) -> Void)?>
  init(_ reply: @escaping @Sendable (Result<Set<Factor>, AuthenticationFailure>) -> Void) { self.reply = Mutex(reply) }
  func send(_ result: Result<Set<Factor>, AuthenticationFailure>) {
    let taken = reply.withLock { reply in
      defer { reply = nil }
      return reply
    }
    taken?(result)
  }
}

extension LAContext {
  /// The code of an evaluation's error; nil when it succeeded.
  func code(of policy: LAPolicy = .deviceOwnerAuthenticationWithBiometrics) async -> LAError.Code? {
    do {
      return try await evaluatePolicy(policy, localizedReason: "test") ? nil : .authenticationFailed
    } catch {
      return (error as? LAError)?.code
    }
  }

  /// The code of the error of `canEvaluatePolicy`; nil when it answered true.
  func obstacle(to policy: LAPolicy) -> LAError.Code? { obstacleError(to: policy).map { LAError(_nsError: $0).code } }

  func obstacleError(to policy: LAPolicy) -> NSError? {
    var error: NSError?
    let can = canEvaluatePolicy(policy, error: &error)
    return can ? nil : error
  }
}

/// Collects what replies say, from whatever thread.
final class Replies: Sendable {
  struct Reply: Sendable {
    let isDone: Bool
    let code: LAError.Code?
    let thread: String
  }
  private let all = Mutex<[Reply]>([])
  var count: Int { all.withLock { $0.count } }
  var codes: [LAError.Code?] { all.withLock { $0.map(\.code) } }
  var reply: @Sendable (Bool, (any Error)?) -> Void {
    { isDone, error in
      self.all.withLock {
        $0.append(Reply(isDone: isDone, code: (error as? LAError)?.code, thread: "\(Thread.current)"))
      }
    }
  }
  var threads: [String] { all.withLock { $0.map(\.thread) } }

  /// Waits at most 10 seconds; says whether that many came.
  func wait(for count: Int) async -> Bool { await soon { self.count >= count } }
}

/// Waits until something holds, at most 10 seconds.
func soon(_ holds: @Sendable () -> Bool) async -> Bool {
  for _ in 0..<1_000 {
    if holds() { return true }
    try? await Task.sleep(for: .milliseconds(10))
  }
  return holds()
}

/// An access control over the class *when unlocked*.
func accessControl(_ flags: SecAccessControlCreateFlags) throws -> SecAccessControl {
  let made = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)
  return try #require(made)
}
