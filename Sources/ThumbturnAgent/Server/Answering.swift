internal import ThumbturnAgentClient
internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

/// A request that waits for its turn.
struct Job: Sendable {
  enum Content: Sendable {
    case decoded(AgentRequest)
    /// Decoding a large one would keep the sockets from the others.
    case encoded(SharedSecret, BodyFile?)
  }

  let connection: ServerConnection
  let head: FrameHead
  let content: Content
  /// The size of its packet, which is counted as long as it waits.
  let count: Int
}

/// What has to be done about a connection after an answer.
enum Outcome: Sendable {
  /// An answer waits for room in the socket.
  case waits(ServerConnection)
  case hangUp(ServerConnection)
  /// An answer went in a file, which the client has to take in time.
  case sentFile(ServerConnection)
  case stop
}

/// Decodes a request, has it answered, and sends the answer, all on the thread that calls.
struct Answering: Sendable {
  let service: any AgentService
  let totals: ServerTotals
  /// For what is said about a connection from threads that are none of the server's.
  let tellLater: @Sendable (Outcome) -> Void

  /// Answers a request that waited.
  ///
  /// - Parameters:
  ///   - buffer: Locked memory for one packet; nothing is left in it.
  ///   - slow: Where it goes when it has to wait for a fingerprint reader; nil waits here.
  func answer(_ job: Job, _ buffer: inout SecretBytes, slow: Lane?, tell: (Outcome) -> Void) {
    defer { release(job) }
    let request: AgentRequest
    switch job.content {
    case .decoded(let decoded): request = decoded
    case .encoded(let packet, let file):
      do throws(FrameError) {
        request = try packet.withBytes { (packet) throws(FrameError) in try job.head.request(in: packet, file) }
      } catch { return refuse(error, job.connection, job.head.serial, &buffer, tell) }
    }
    answer(request, job.connection, job.head, &buffer, slow, tell)
  }

  /// Answers a request that is in `buffer`; nothing is left there.
  func answer(
    _ head: FrameHead, count: Int, _ connection: ServerConnection, _ buffer: inout SecretBytes, slow: Lane?,
    tell: (Outcome) -> Void
  ) {
    let request: AgentRequest
    do throws(FrameError) {
      defer { buffer.wipe(0..<count) }
      request = try head.request(in: buffer.bytes.extracting(0..<count), nil)
    } catch { return refuse(error, connection, head.serial, &buffer, tell) }
    answer(request, connection, head, &buffer, slow, tell)
  }

  /// Gives back what a waiting request took.
  func release(_ job: Job) {
    totals.giveWaiting(job.count)
    if case .encoded(_, .some) = job.content { totals.giveFile() }
  }

  private func refuse(
    _ error: FrameError, _ connection: ServerConnection, _ serial: UInt32, _ buffer: inout SecretBytes,
    _ tell: (Outcome) -> Void
  ) {
    guard error == .outOfMemory else { return tell(.hangUp(connection)) }
    send(.answer(.failed(.outOfMemory)), connection, serial, &buffer, tell)
  }

  private func answer(
    _ request: AgentRequest, _ connection: ServerConnection, _ head: FrameHead, _ buffer: inout SecretBytes,
    _ slow: Lane?, _ tell: (Outcome) -> Void
  ) {
    let serial = head.serial
    if case .evaluate(let evaluation) = request { return begin(evaluation, connection, serial) }
    func progress(_ done: Int, _ total: Int) {
      _ = buffer.send(.progress(done: done, total: total), connection, serial)
    }
    let reply: AgentReply
    if let slow {
      guard let quick = service.answerAtOnce(request, from: connection.peer, progress: progress) else {
        // Counted as one that is not answered yet; its packet is gone.
        return slow.put(Job(connection: connection, head: head, content: .decoded(request), count: 0))
      }
      reply = quick
    } else {
      reply = service.answer(request, from: connection.peer, progress: progress)
    }
    send(.answer(reply), connection, serial, &buffer, tell)
    if case .stop = request, case .done = reply { tell(.stop) }
  }

  /// Hands on what a person will end.
  private func begin(_ evaluation: EvaluationRequest, _ connection: ServerConnection, _ serial: UInt32) {
    let answer = EvaluationAnswer(connection: connection.number) {
      connection.isOpen
    } sends: { [tellLater] reply in
      guard var small = try? SecretBytes.smallBuffer() else { return tellLater(.hangUp(connection)) }
      switch small.send(reply, connection, serial).sending {
      case .done: break
      case .queued: tellLater(.waits(connection))
      case .hangUp, .refused: tellLater(.hangUp(connection))
      }
    }
    service.begin(evaluation, from: connection.peer, answer)
  }

  private func send(
    _ reply: ReplyMessage, _ connection: ServerConnection, _ serial: UInt32, _ buffer: inout SecretBytes,
    _ tell: (Outcome) -> Void
  ) {
    var (sending, isInFile) = buffer.send(reply, connection, serial)
    if sending == .refused {
      (sending, isInFile) = buffer.send(.answer(.failed(.outOfMemory)), connection, serial)
    }
    switch sending {
    case .done: break
    case .queued: tell(.waits(connection))
    case .hangUp, .refused: return tell(.hangUp(connection))
    }
    if isInFile { tell(.sentFile(connection)) }
  }
}

extension AgentFailure {
  static var outOfMemory: AgentFailure { AgentFailure(VaultError(.outOfMemory, "the agent has no memory for it")) }
  /// Too many clients ask for too much in one moment.
  static var busy: AgentFailure { AgentFailure(VaultError(.writerBusy, "the agent has too much to do")) }
}

extension SecretBytes {
  /// Room for an answer without a list or a secret.
  static func smallBuffer() throws(CryptoError) -> SecretBytes {
    try SecretBytes(count: 1_024) { (_: inout MutableSpan<UInt8>) throws(CryptoError) in }
  }

  /// Writes a message into this buffer, sends it, and wipes it.
  fileprivate mutating func send(
    _ reply: ReplyMessage, _ connection: ServerConnection, _ serial: UInt32
  ) -> (sending: ServerConnection.Sending, isInFile: Bool) {
    let message: WrittenMessage
    do throws(FrameError) { message = try write(reply, serial: serial) } catch { return (.refused, false) }
    defer { wipe(0..<message.count) }
    var isAnswer = true
    if case .progress = reply { isAnswer = false }
    let packet = bytes.extracting(0..<message.count)
    return (connection.send(message, packet, isAnswer: isAnswer), message.file != nil)
  }
}
