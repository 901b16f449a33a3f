#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import ThumbturnAgentClient
internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

/// A request that waits for its lane; still encoded, because decoding a large one would keep the I/O thread.
struct Job: Sendable {
  let connection: ServerConnection
  let head: FrameHead
  let packet: SharedSecret
  let file: BodyFile?
}

/// Threads that answer requests of some kinds, one after the other, in turns of the clients.
final class Lane: Sendable {
  /// What the lane tells the I/O thread.
  enum Outcome: Sendable {
    /// An answer waits for room in the socket.
    case waits(ServerConnection)
    case hangUp(ServerConnection)
    /// An answer went in a file, which the client has to take in time.
    case sentFile(ServerConnection)
    case stop
  }

  private struct State {
    var queue = FairQueue<Job>()
    var isStopped = false
  }

  private let service: any AgentService
  private let totals: ServerTotals
  private let tell: @Sendable (Outcome) -> Void
  private let state = Mutex(State())
  private let ready = Signal()
  private let threadCount: Int

  init(
    _ service: any AgentService, _ totals: ServerTotals, threadCount: Int = 1,
    tell: @escaping @Sendable (Outcome) -> Void
  ) {
    self.service = service
    self.totals = totals
    self.threadCount = threadCount
    self.tell = tell
  }

  func start() throws(SystemError) -> [ServerThread] {
    var threads: [ServerThread] = []
    for _ in 0..<threadCount { threads.append(try ServerThread { self.run() }) }
    return threads
  }

  func put(_ job: Job) {
    state.withLock { $0.queue.put(job, of: job.connection.number) }
    ready.post()
  }

  /// Forgets the requests of a client that is gone.
  func remove(_ client: UInt64) {
    for job in state.withLock({ $0.queue.remove(client) }) { release(job) }
  }

  /// Lets each thread end after what it does now.
  func stop() {
    state.withLock { $0.isStopped = true }
    for _ in 0..<threadCount { ready.post() }
  }

  private func release(_ job: Job) {
    totals.giveWaiting(job.packet.count)
    if job.file != nil { totals.giveFile() }
  }

  private func run() {
    guard var buffer = try? SecretBytes.packetBuffer() else { return tell(.stop) }
    while true {
      ready.wait()
      let (job, isStopped) = state.withLock { state in (state.isStopped ? nil : state.queue.take(), state.isStopped) }
      if isStopped { return }
      // Removed with its client.
      guard let job else { continue }
      answer(job, &buffer)
      release(job)
    }
  }

  private func answer(_ job: Job, _ buffer: inout SecretBytes) {
    let request: AgentRequest
    do throws(FrameError) {
      request = try job.packet.withBytes { (packet) throws(FrameError) in
        try job.head.request(in: packet, job.file)
      }
    } catch {
      guard error == .outOfMemory else { return tell(.hangUp(job.connection)) }
      return send(.answer(.failed(.outOfMemory)), job, &buffer)
    }
    let reply = service.answer(request, from: job.connection.peer) { done, total in
      _ = buffer.send(.progress(done: done, total: total), job)
    }
    send(.answer(reply), job, &buffer)
    if case .stop = request, case .done = reply { tell(.stop) }
  }

  private func send(_ reply: ReplyMessage, _ job: Job, _ buffer: inout SecretBytes) {
    var (sending, isInFile) = buffer.send(reply, job)
    if sending == .refused { (sending, isInFile) = buffer.send(.answer(.failed(.outOfMemory)), job) }
    switch sending {
    case .done: break
    case .queued: tell(.waits(job.connection))
    case .hangUp, .refused: return tell(.hangUp(job.connection))
    }
    if isInFile { tell(.sentFile(job.connection)) }
  }
}

extension AgentFailure {
  static var outOfMemory: AgentFailure { AgentFailure(VaultError(.outOfMemory, "the agent has no memory for it")) }
  /// Too many clients ask for too much in one moment.
  static var busy: AgentFailure { AgentFailure(VaultError(.writerBusy, "the agent has too much to do")) }
}

extension SecretBytes {
  /// Writes a message into this buffer, sends it, and wipes it.
  fileprivate mutating func send(
    _ reply: ReplyMessage, _ job: Job
  ) -> (sending: ServerConnection.Sending, isInFile: Bool) {
    let message: WrittenMessage
    do throws(FrameError) { message = try write(reply, serial: job.head.serial) } catch { return (.refused, false) }
    defer { wipe(0..<message.count) }
    var isAnswer = true
    if case .progress = reply { isAnswer = false }
    let packet = bytes.extracting(0..<message.count)
    return (job.connection.send(message, packet, isAnswer: isAnswer), message.file != nil)
  }
}
