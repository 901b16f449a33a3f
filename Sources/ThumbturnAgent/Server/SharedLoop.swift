#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import ThumbturnAgentClient
internal import ThumbturnCrypto
internal import ThumbturnShims

/// A loop that several threads can run, one at a time: the leader. The others sleep.
///
/// The leader answers a read itself, so that no thread has to be woken up for it. It keeps the sockets meanwhile; when the
/// answer takes longer than a millisecond, a thread that watches gives them to another one. Reads are fewer than threads, so
/// there is always one to take them.
final class SharedLoop: Sendable {
  private struct State {
    let loop: ServerLoop
    /// What happened and was not looked at yet, the last first.
    var events: [PollerEvent] = []
    var isLed = false
    /// Since when the leader answers a read; nil when it does not.
    var answersSince: Int64?
    /// Counts the leaders, so that one that was deposed notices.
    var term = 0
    var isWatched = false
  }

  private enum Step {
    case wait
    case work(ServerLoop.Work)
    case end
  }

  private let state: Mutex<State>
  private let poller: Int32
  private let alarm: Int32
  private let answering: Answering
  private let reads: ReadTurns
  private let sensor: Lane
  private let outcomes: @Sendable () -> [Outcome]
  private let vacancy = Signal()

  /// - Parameter outcomes: Takes what the lanes told since it was called last.
  init(
    _ loop: sending ServerLoop, _ answering: Answering, _ lanes: Lanes,
    outcomes: @escaping @Sendable () -> [Outcome]
  ) throws(SystemError) {
    alarm = try system_ticker(waits: true)
    poller = loop.poller
    state = Mutex(State(loop: loop))
    self.answering = answering
    reads = lanes.reads
    sensor = lanes.sensor
    self.outcomes = outcomes
  }

  deinit { system_close(alarm) }

  /// Whether a thread ended because the kernel gave it no memory or no events.
  var isFailed: Bool { state.withLock { $0.loop.isFailed } }

  // MARK: Leading

  /// Serves until the loop is told to stop.
  func run() {
    guard var buffer = try? SecretBytes.packetBuffer() else { return fail() }
    while let term = lead() {
      while step(term, &buffer) {}
    }
    // Whoever sleeps, or watches, has to see it too.
    vacancy.post()
    system_setTicker(alarm, nanoseconds: 1, repeats: false)
  }

  private func fail() {
    state.withLock { $0.loop.fail() }
    vacancy.post()
    system_setTicker(alarm, nanoseconds: 1, repeats: false)
  }

  /// Sleeps until nobody leads; nil at the end.
  private func lead() -> Int? {
    while true {
      let (term, isStopped) = state.withLock { state -> (Int?, Bool) in
        guard !state.loop.isStopped else { return (nil, true) }
        guard !state.isLed else { return (nil, false) }
        state.isLed = true
        state.term += 1
        return (state.term, false)
      }
      if let term { return term }
      if isStopped { return nil }
      vacancy.wait()
    }
  }

  /// One event; false when somebody else leads now, or nobody.
  private func step(_ term: Int, _ buffer: inout SecretBytes) -> Bool {
    let step = state.withLock { state -> Step in
      guard let event = state.events.popLast() else { return .wait }
      let work = state.loop.handle(event, &buffer, outcomes)
      if state.loop.isStopped { return .end }
      if case .none = work { return .work(work) }
      state.answersSince = system_bootNanoseconds()
      if !state.isWatched {
        state.isWatched = true
        system_setTicker(alarm, nanoseconds: ServerLimits.keptNanoseconds, repeats: false)
      }
      return .work(work)
    }
    switch step {
    case .wait: return wait()
    case .end: return false
    case .work(.none): return true
    case .work(let work):
      perform(work, &buffer)
      return keepLeading(term)
    }
  }

  /// Waits for what happens next.
  private func wait() -> Bool {
    var found: [PollerEvent] = []
    do throws(SystemError) {
      try system_events(poller) { found.append($0) }
    } catch {
      fail()
      return false
    }
    found.reverse()
    state.withLock { $0.events = found }
    return true
  }

  /// Whether the one who answered a read still leads.
  private func keepLeading(_ term: Int) -> Bool {
    state.withLock { state in
      guard state.isLed, state.term == term else { return false }
      state.answersSince = nil
      return !state.loop.isStopped
    }
  }

  private func perform(_ work: ServerLoop.Work, _ buffer: inout SecretBytes) {
    let tell = { (outcome: Outcome) in self.state.withLock { $0.loop.take(outcome) } }
    switch work {
    case .none: return
    case .received(let head, let count, let connection):
      answering.answer(head, count: count, connection, &buffer, slow: sensor, tell: tell)
    case .waited(let job): answering.answer(job, &buffer, slow: sensor, tell: tell)
    }
    while let job = reads.next() { answering.answer(job, &buffer, slow: sensor, tell: tell) }
  }

  // MARK: Watching

  /// Gives the sockets to another thread when the leader answers for too long; until the loop is told to stop.
  func watch() {
    while true {
      system_drain(alarm)
      let (isDeposed, isStopped) = state.withLock { state -> (Bool, Bool) in
        state.isWatched = false
        guard !state.loop.isStopped else { return (false, true) }
        guard state.isLed, let since = state.answersSince else { return (false, false) }
        let left = ServerLimits.keptNanoseconds - (system_bootNanoseconds() - since)
        guard left <= 0 else {
          state.isWatched = true
          system_setTicker(alarm, nanoseconds: left, repeats: false)
          return (false, false)
        }
        state.isLed = false
        state.answersSince = nil
        return (true, false)
      }
      if isStopped { return }
      if isDeposed { vacancy.post() }
    }
  }
}
