#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import ThumbturnCrypto

/// Who may answer a read now: the thread that received it does it itself, unless so many are under way that one more would
/// leave no thread for the sockets. Then it waits, and the next thread that is ready takes it.
final class ReadTurns: Sendable {
  private struct State {
    var underWay = 0
    var queue = FairQueue<Job>()
    var isStopped = false
  }

  private let state = Mutex(State())
  private let answering: Answering

  init(_ answering: Answering) { self.answering = answering }

  /// Whether the caller may answer a read; then it must ask for ``next()`` until there is none.
  func begin() -> Bool { state.withLock { Self.begin(&$0) } }

  private static func begin(_ state: inout State) -> Bool {
    // What waits is never passed: as long as there is any, the most are under way.
    guard state.underWay < ServerLimits.readersCount else { return false }
    state.underWay += 1
    return true
  }

  /// Keeps a read until there is a turn; true when the caller has one by now, and answers it itself as after ``begin()``.
  func put(_ job: Job) -> Bool {
    state.withLock { state in
      if Self.begin(&state) { return true }
      state.queue.put(job, of: job.connection.number)
      return false
    }
  }

  /// The next read for a thread that has answered one; nil when it has to go back to the sockets.
  func next() -> Job? {
    state.withLock { state in
      if !state.isStopped, let job = state.queue.take() { return job }
      state.underWay -= 1
      return nil
    }
  }

  /// Forgets the reads of a client that is gone.
  func remove(_ client: UInt64) {
    for job in state.withLock({ $0.queue.remove(client) }) { answering.release(job) }
  }

  /// Nothing more is taken from those that wait.
  func stop() { state.withLock { $0.isStopped = true } }
}
