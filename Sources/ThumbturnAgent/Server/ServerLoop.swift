internal import ThumbturnAgentClient
internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnShims
internal import ThumbturnVault

/// What a thread does that looks at the sockets; one at a time. It alone holds the connections.
final class ServerLoop {
  private enum Tag {
    static let listening: UInt64 = 0
    static let wakeup: UInt64 = 1
    static let ticker: UInt64 = 2
    static let firstConnection: UInt64 = 3
  }

  /// What is left to be done without the loop.
  enum Work: Sendable {
    case none
    /// Answers the read that is in the buffer, which has so many bytes.
    case received(FrameHead, count: Int, ServerConnection)
    case waited(Job)
  }

  let poller: Int32
  private let listening: ListeningSocket
  private let vaultID: [UInt8]
  private let lanes: Lanes
  private let totals: ServerTotals
  private let service: any AgentService
  private let wakeup: Int32
  private let ticker: Int32
  private var connections: [UInt64: ServerConnection] = [:]
  /// How many connections each process has.
  private var processes: [Int32: Int] = [:]
  /// Those that have not said hello, the oldest first.
  private var strangers: [ServerConnection] = []
  /// Those with an answer in a file that they may not have read.
  private var readers: Set<UInt64> = []
  private var nextNumber = Tag.firstConnection
  /// Accepting rests until the next tick: there is no descriptor left.
  private var isResting = false
  private var isTicking = false
  private(set) var isStopped = false
  private(set) var isFailed = false

  init(
    _ listening: ListeningSocket, vaultID: [UInt8], _ lanes: Lanes, _ answering: Answering, wakeup: Int32
  ) throws(SystemError) {
    self.listening = listening
    self.vaultID = vaultID
    self.lanes = lanes
    totals = answering.totals
    service = answering.service
    self.wakeup = wakeup
    poller = try system_poller()
    do throws(SystemError) { ticker = try system_ticker(waits: false) } catch {
      system_close(poller)
      throw error
    }
    try system_watch(poller, listening.descriptor, tag: Tag.listening, isNew: true)
    try system_watch(poller, wakeup, tag: Tag.wakeup, isNew: true)
    try system_watch(poller, ticker, tag: Tag.ticker, isNew: true)
  }

  deinit {
    system_close(ticker)
    system_close(poller)
  }

  /// - Parameters:
  ///   - buffer: Locked memory for one packet, of the thread that calls.
  ///   - outcomes: Takes what the lanes told since it was called last.
  func handle(_ event: PollerEvent, _ buffer: inout SecretBytes, _ outcomes: () -> [Outcome]) -> Work {
    switch event.tag {
    case Tag.listening: accept()
    case Tag.ticker:
      system_drain(ticker)
      checkTimes()
    case Tag.wakeup:
      system_drain(wakeup)
      for outcome in outcomes() { take(outcome) }
    default: return serve(event, &buffer)
    }
    return .none
  }

  /// Stops, because a thread cannot go on.
  func fail() {
    isFailed = true
    take(.stop)
  }

  private func tick() {
    guard !isTicking else { return }
    isTicking = true
    system_setTicker(ticker, nanoseconds: ServerLimits.tickNanoseconds, repeats: true)
  }

  // MARK: Connections

  private func accept() {
    guard !isStopped else { return }
    // Some in one turn, so that those who are connected have theirs.
    for _ in 0..<ServerLimits.acceptedCount {
      do throws(SystemError) {
        guard let socket = try system_accept(listening.descriptor) else { return }
        take(socket)
      } catch {
        // Without a descriptor the socket stays readable: trying at once again would take a whole processor.
        if let oldest = strangers.first { hangUp(oldest) }
        rest(true)
        return tick()
      }
    }
  }

  private func rest(_ isResting: Bool) {
    self.isResting = isResting
    try? system_watch(poller, listening.descriptor, tag: Tag.listening, reads: !isResting)
  }

  private func take(_ socket: Int32) {
    let peer = system_peer(socket)
    guard peer.user == system_user() else { return system_close(socket) }
    if connections.count >= ServerLimits.connectionsCountMax {
      guard let oldest = strangers.first else { return system_close(socket) }
      hangUp(oldest)
    }
    let connection = ServerConnection(nextNumber, socket, peer, totals)
    nextNumber += 1
    do throws(SystemError) { try system_watch(poller, socket, tag: connection.number, isNew: true) } catch {
      return connection.close()
    }
    connections[connection.number] = connection
    processes[peer.process, default: 0] += 1
    strangers.append(connection)
    tick()
  }

  private func hangUp(_ connection: ServerConnection) {
    guard connections.removeValue(forKey: connection.number) != nil else { return }
    removeStranger(connection)
    readers.remove(connection.number)
    if connection.hasRequests { lanes.remove(connection.number) }
    // The poller forgets what is closed.
    connection.close()
    let left = (processes[connection.peer.process] ?? 1) - 1
    processes[connection.peer.process] = left > 0 ? left : nil
    service.left(connection.peer, connection: connection.number, isLast: left <= 0)
  }

  /// They stand in the order of their numbers, and are many when somebody tries to be a nuisance.
  private func removeStranger(_ connection: ServerConnection) {
    var (low, high) = (0, strangers.count)
    while low < high {
      let middle = (low + high) / 2
      if strangers[middle].number < connection.number { low = middle + 1 } else { high = middle }
    }
    if low < strangers.count, strangers[low] === connection { strangers.remove(at: low) }
  }

  private func checkTimes() {
    let now = system_bootNanoseconds()
    while let oldest = strangers.first, now - oldest.acceptedNanoseconds > ServerLimits.helloNanoseconds {
      hangUp(oldest)
    }
    for number in readers {
      guard let connection = connections[number] else { continue }
      let (isUnread, isInTime) = connection.checkUnread(now: now)
      if !isInTime { hangUp(connection) } else if !isUnread { readers.remove(number) }
    }
    if isResting { rest(false) }
    guard strangers.isEmpty, readers.isEmpty, !isResting else { return }
    isTicking = false
    system_setTicker(ticker, nanoseconds: 0, repeats: false)
  }

  func take(_ outcome: Outcome) {
    switch outcome {
    case .stop: stop()
    case .hangUp(let connection): hangUp(connection)
    case .sentFile(let connection):
      guard connections[connection.number] != nil else { return }
      readers.insert(connection.number)
      tick()
    case .waits(let connection):
      guard connections[connection.number] != nil else { return }
      watch(connection)
    }
  }

  private func stop() {
    guard !isStopped else { return }
    isStopped = true
    listening.close()
    lanes.stop()
    for connection in connections.values { connection.close() }
    connections = [:]
    strangers = []
  }

  private func watch(_ connection: ServerConnection) {
    try? system_watch(poller, connection.descriptor, tag: connection.number, writes: connection.isWaitingForRoom)
  }

  // MARK: Messages

  private func serve(_ event: PollerEvent, _ buffer: inout SecretBytes) -> Work {
    guard let connection = connections[event.tag] else { return .none }
    if event.canWrite {
      guard connection.flush() else {
        hangUp(connection)
        return .none
      }
      watch(connection)
    }
    guard event.canRead else { return .none }
    // One packet, so that every client has its turn; what else is there makes the next event.
    let packet: ReceivedPacket?
    do throws(SystemError) {
      var bytes = buffer.mutableBytes
      packet = try system_receive(connection.descriptor, into: &bytes)
    } catch {
      buffer.wipe(0..<buffer.count)
      hangUp(connection)
      return .none
    }
    guard let packet else { return .none }
    let file = packet.descriptor.map { BodyFile(descriptor: $0) }
    let work = packet.count > 0 ? take(buffer.bytes.extracting(0..<packet.count), file, from: connection) : nil
    if case .received = work {} else { buffer.wipe(0..<packet.count) }
    if work == nil { hangUp(connection) }
    return work ?? .none
  }

  /// Takes a message, which is in the buffer; nil when the client must go.
  private func take(_ packet: Span<UInt8>, _ file: BodyFile?, from connection: ServerConnection) -> Work? {
    do throws(FrameError) {
      let head = try FrameHead(packet, fileCountMax: FrameLimits.requestCountMax)
      guard let operation = head.operation, (head.fileCount != nil) == (file != nil) else { return nil }
      guard connection.hasHello else {
        let hello = try head.hello(in: packet)
        return file == nil && answer(hello, head.serial, connection) ? Work.none : nil
      }
      guard operation != .hello, connection.begin() else { return nil }
      let lane = lanes.lane(for: operation)
      if operation.isRead, file == nil, lanes.reads.begin() {
        return .received(head, count: packet.count, connection)
      }
      guard let job = try job(packet, head, file, connection) else {
        return refuse(head, connection) ? Work.none : nil
      }
      if let lane {
        lane.put(job)
        return Work.none
      }
      return lanes.reads.put(job) ? .waited(job) : Work.none
    } catch {
      guard error == .version, !connection.hasHello else { return nil }
      let failure = AgentFailure(VaultError(.newerFormat, "another version of the protocol"))
      // The head is the same in every version.
      _ = send(.answer(.failed(failure)), UInt32(packet.number(at: 2, count: 4)), connection)
      return nil
    }
  }

  private func answer(_ hello: Hello, _ serial: UInt32, _ connection: ServerConnection) -> Bool {
    guard hello.vaultID == vaultID else {
      _ = send(.answer(.failed(AgentFailure(.otherVault))), serial, connection)
      return false
    }
    guard hello.version == UInt64(FrameLimits.version) else { return false }
    connection.passHello()
    removeStranger(connection)
    return send(.hello(Hello(vaultID: vaultID)), serial, connection)
  }

  /// Makes a request one that waits; nil when there is no memory for it.
  private func job(
    _ packet: Span<UInt8>, _ head: FrameHead, _ file: BodyFile?, _ connection: ServerConnection
  ) throws(FrameError) -> Job? {
    guard totals.takeWaiting(packet.count) else { return nil }
    guard file == nil || totals.takeFile() else {
      totals.giveWaiting(packet.count)
      return nil
    }
    do throws(FrameError) {
      let content: Job.Content
      // What is no message at all wakes up no lane.
      if file == nil, packet.count <= ServerLimits.decodedCountMax {
        content = .decoded(try head.request(in: packet, nil))
      } else {
        do throws(CryptoError) { content = .encoded(SharedSecret(try SecretBytes(copying: packet)), file) } catch {
          throw FrameError.outOfMemory
        }
      }
      return Job(connection: connection, head: head, content: content, count: packet.count)
    } catch {
      totals.giveWaiting(packet.count)
      if file != nil { totals.giveFile() }
      if error == .outOfMemory { return nil }
      throw error
    }
  }

  private func refuse(_ head: FrameHead, _ connection: ServerConnection) -> Bool {
    send(.answer(.failed(.busy)), head.serial, connection, isAnswer: true)
  }

  /// Sends a small message of this thread's own; false when the client must go.
  private func send(
    _ reply: ReplyMessage, _ serial: UInt32, _ connection: ServerConnection, isAnswer: Bool = false
  ) -> Bool {
    guard var small = try? SecretBytes.smallBuffer(), let message = try? small.write(reply, serial: serial) else {
      return false
    }
    let sending = connection.send(message, small.bytes.extracting(0..<message.count), isAnswer: isAnswer)
    if sending == .queued { watch(connection) }
    return sending != .hangUp
  }
}

extension Operation {
  /// Whether the thread that receives it may answer it itself.
  fileprivate var isRead: Bool { self == .find || self == .accessGroups || self == .status }
}
