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

  /// Answers a request that waited.
  ///
  /// - Parameter buffer: Locked memory for one packet; nothing is left in it.
  func answer(_ job: Job, _ buffer: inout SecretBytes, tell: (Outcome) -> Void) {
    defer { release(job) }
    let request: AgentRequest
    switch job.content {
    case .decoded(let decoded): request = decoded
    case .encoded(let packet, let file):
      do throws(FrameError) {
        request = try packet.withBytes { (packet) throws(FrameError) in try job.head.request(in: packet, file) }
      } catch { return refuse(error, job.connection, job.head.serial, &buffer, tell) }
    }
    answer(request, job.connection, job.head.serial, &buffer, tell)
  }

  /// Answers a request that is in `buffer`; nothing is left there.
  func answer(
    _ head: FrameHead, count: Int, _ connection: ServerConnection, _ buffer: inout SecretBytes,
    tell: (Outcome) -> Void
  ) {
    let request: AgentRequest
    do throws(FrameError) {
      defer { buffer.wipe(0..<count) }
      request = try head.request(in: buffer.bytes.extracting(0..<count), nil)
    } catch { return refuse(error, connection, head.serial, &buffer, tell) }
    answer(request, connection, head.serial, &buffer, tell)
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
    _ request: AgentRequest, _ connection: ServerConnection, _ serial: UInt32, _ buffer: inout SecretBytes,
    _ tell: (Outcome) -> Void
  ) {
    let reply = service.answer(request, from: connection.peer) { done, total in
      _ = buffer.send(.progress(done: done, total: total), connection, serial)
    }
    send(.answer(reply), connection, serial, &buffer, tell)
    if case .stop = request, case .done = reply { tell(.stop) }
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
