#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import ThumbturnAgentClient
internal import ThumbturnCrypto

/// A thread that answers requests of some kinds, one after the other, in turns of the clients.
final class Lane: Sendable {
  private struct State {
    var queue = FairQueue<Job>()
    var isStopped = false
  }

  private let answering: Answering
  private let slow: Lane?
  private let tell: @Sendable (Outcome) -> Void
  private let state = Mutex(State())
  private let ready = Signal()

  /// - Parameters:
  ///   - slow: Where requests go that have to wait for a fingerprint reader; nil waits here.
  ///   - tell: Called on the lane's thread.
  init(_ answering: Answering, slow: Lane?, tell: @escaping @Sendable (Outcome) -> Void) {
    self.answering = answering
    self.slow = slow
    self.tell = tell
  }

  func start() throws(SystemError) -> ServerThread { try ServerThread { self.run() } }

  func put(_ job: Job) {
    state.withLock { $0.queue.put(job, of: job.connection.number) }
    ready.post()
  }

  /// Forgets the requests of a client that is gone.
  func remove(_ client: UInt64) {
    for job in state.withLock({ $0.queue.remove(client) }) { answering.release(job) }
  }

  /// Lets the thread end after what it does now.
  func stop() {
    state.withLock { $0.isStopped = true }
    ready.post()
  }

  private func run() {
    guard var buffer = try? SecretBytes.packetBuffer() else { return tell(.stop) }
    while true {
      ready.wait()
      let (job, isStopped) = state.withLock { state in (state.isStopped ? nil : state.queue.take(), state.isStopped) }
      if isStopped { return }
      // Removed with its client.
      guard let job else { continue }
      answering.answer(job, &buffer, slow: slow, tell: tell)
    }
  }
}
