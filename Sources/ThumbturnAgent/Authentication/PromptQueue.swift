#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import ThumbturnAgentClient
internal import ThumbturnAuthentication
internal import ThumbturnCrypto

/// The evaluations of all programs: one at a time is shown, in the order in which they came.
///
/// From any thread; nothing here waits but its own two threads, which are there from the first evaluation on.
final class PromptQueue: Sendable {
  /// How many wait beside the one that is shown, and how many of one process: a person does not answer more.
  static let waitingCountMax = 8
  static let waitingOfProcessMax = 2
  /// How long one waits for its turn.
  static let waitNanoseconds: Int64 = 65_000_000_000
  /// How often clients are told that they still wait; they believe it for 30 s.
  static let paceNanoseconds: Int64 = 5_000_000_000

  typealias Perform = @Sendable (Verification) -> Result<Evaluated, AuthenticationFailure>

  private struct Entry: Sendable {
    let verification: Verification
    let answer: EvaluationAnswer
    let since: Int64
    var process: Int32 { verification.program.process }
  }

  private struct State {
    var waiting: [Entry] = []
    var running: Entry?
    var threads: [ServerThread] = []
    var isStopped = false
  }

  private let state = Mutex(State())
  private let isReady = Signal()
  /// Readable when there is something to keep the pace of.
  private let pacer: Int32
  private let nanoseconds: @Sendable () -> Int64

  /// - Parameter nanoseconds: The machine's running time.
  init(nanoseconds: @escaping @Sendable () -> Int64 = { system_bootNanoseconds() }) throws(SystemError) {
    pacer = try system_wakeup()
    self.nanoseconds = nanoseconds
  }

  deinit { system_close(pacer) }

  /// Begins an evaluation, or refuses it at once.
  ///
  /// - Parameter perform: Runs it when its turn has come.
  func put(_ verification: Verification, _ answer: EvaluationAnswer, perform: @escaping Perform) {
    let entry = Entry(verification: verification, answer: answer, since: nanoseconds())
    let refusal = state.withLock { state -> AuthenticationFailure? in
      guard !state.isStopped else { return AuthenticationFailure(.systemCancel, .agentFailed) }
      let own = state.waiting.count { $0.process == entry.process }
      // The first of all does not wait: a thread takes it at once.
      let hasRoom = state.waiting.count < Self.waitingCountMax && own < Self.waitingOfProcessMax
      guard hasRoom || state.running == nil && state.waiting.isEmpty else {
        return AuthenticationFailure(.systemCancel, .tooManyPrompts)
      }
      guard Self.start(&state, { self.run(perform) }, { self.keepPace() }) else {
        return AuthenticationFailure(.systemCancel, .agentFailed)
      }
      state.waiting.append(entry)
      return nil
    }
    if let refusal { return answer.send(.failure(refusal)) }
    // The client may have gone before it was put.
    if !answer.isOpen { left(answer.connection) }
    isReady.post()
    system_wake(pacer)
  }

  private static func start(
    _ state: inout State, _ run: @escaping @Sendable () -> Void, _ keepPace: @escaping @Sendable () -> Void
  ) -> Bool {
    guard state.threads.isEmpty else { return true }
    do throws(SystemError) {
      state.threads.append(try ServerThread(keepPace))
      state.threads.append(try ServerThread(run))
    } catch { return false }
    return true
  }

  // MARK: Ending

  /// Ends a process's own evaluation.
  func cancel(_ id: UInt64, process: Int32) {
    end(AuthenticationFailure(.appCancel)) { $0.process == process && $0.verification.request.id == id }
  }

  /// Ends what a connection asked for that is gone.
  func left(_ connection: UInt64) {
    end(AuthenticationFailure(.appCancel)) { $0.answer.connection == connection }
  }

  /// Ends everything.
  func endAll(_ cause: AuthenticationFailure) { end(cause) { _ in true } }

  private func end(_ cause: AuthenticationFailure, _ isMeant: (Entry) -> Bool) {
    let (gone, running) = state.withLock { state -> ([Entry], Entry?) in
      let gone = state.waiting.filter(isMeant)
      state.waiting.removeAll(where: isMeant)
      return (gone, state.running.flatMap { isMeant($0) ? $0 : nil })
    }
    running?.verification.end(cause)
    for entry in gone { entry.answer.send(.failure(cause)) }
  }

  /// Ends everything, and both threads.
  func stop() {
    let threads = state.withLock { state -> [ServerThread] in
      state.isStopped = true
      defer { state.threads = [] }
      return state.threads
    }
    endAll(AuthenticationFailure(.systemCancel, .agentFailed))
    isReady.post()
    system_wake(pacer)
    for thread in threads { thread.join() }
  }

  // MARK: Threads

  private func run(_ perform: Perform) {
    while true {
      isReady.wait()
      let (entry, isStopped) = state.withLock { state -> (Entry?, Bool) in
        guard !state.isStopped else { return (nil, true) }
        guard !state.waiting.isEmpty else { return (nil, false) }
        let entry = state.waiting.removeFirst()
        state.running = entry
        return (entry, false)
      }
      if isStopped { return }
      // Ended while it waited.
      guard let entry else { continue }
      let result = perform(entry.verification)
      state.withLock { $0.running = nil }
      entry.answer.send(result)
    }
  }

  /// Tells clients that they still wait, and those that waited for too long that they do not.
  private func keepPace() {
    while true {
      let (isIdle, isStopped) = state.withLock { ($0.waiting.isEmpty && $0.running == nil, $0.isStopped) }
      if isStopped { return }
      // When nothing is under way nothing wakes it up.
      system_waitForWakeup(pacer, nanoseconds: isIdle ? 3_600_000_000_000 : Self.paceNanoseconds)
      let now = nanoseconds()
      let (late, others) = state.withLock { state -> ([Entry], [Entry]) in
        let late = state.waiting.filter { now - $0.since > Self.waitNanoseconds }
        state.waiting.removeAll { now - $0.since > Self.waitNanoseconds }
        return (late, state.waiting + (state.running.map { [$0] } ?? []))
      }
      for entry in late { entry.answer.send(.failure(AuthenticationFailure(.systemCancel, .tooManyPrompts))) }
      for entry in others { entry.answer.progress() }
    }
  }
}
