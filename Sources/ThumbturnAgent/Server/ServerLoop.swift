internal import ThumbturnAgentClient
internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnShims
internal import ThumbturnVault

/// What the I/O thread does. It alone holds the connections.
final class ServerLoop {
  private enum Tag {
    static let listening: UInt64 = 0
    static let wakeup: UInt64 = 1
    static let firstConnection: UInt64 = 2
  }

  private let listening: ListeningSocket
  private let vaultID: [UInt8]
  private let lanes: Lanes
  private let totals: ServerTotals
  private let wakeup: Int32
  private let poller: Int32
  private var connections: [UInt64: ServerConnection] = [:]
  /// Those that have not said hello, the oldest first.
  private var strangers: [ServerConnection] = []
  /// Those with an answer in a file that they may not have read.
  private var readers: Set<UInt64> = []
  private var nextNumber = Tag.firstConnection
  /// Accepting rests until the next tick: there is no descriptor left.
  private var isResting = false
  private var isStopped = false

  init(
    _ listening: ListeningSocket, vaultID: [UInt8], _ lanes: Lanes, _ totals: ServerTotals, wakeup: Int32
  ) throws(SystemError) {
    self.listening = listening
    self.vaultID = vaultID
    self.lanes = lanes
    self.totals = totals
    self.wakeup = wakeup
    poller = try system_poller()
    try system_watch(poller, listening.descriptor, tag: Tag.listening, isNew: true)
    try system_watch(poller, wakeup, tag: Tag.wakeup, isNew: true)
  }

  deinit { system_close(poller) }

  /// - Parameter outcomes: Takes what the lanes told since it was called last.
  /// - Parameter buffer: Locked memory for one packet.
  func run(_ buffer: inout SecretBytes, _ outcomes: () -> [Lane.Outcome]) throws(SystemError) {
    defer { for connection in connections.values { connection.close() } }
    while !isStopped {
      let isTimed = !strangers.isEmpty || !readers.isEmpty || isResting
      try system_events(poller, milliseconds: isTimed ? ServerLimits.tickMilliseconds : -1) { event in
        switch event.tag {
        case Tag.listening: accept()
        case Tag.wakeup:
          system_drain(wakeup)
          for outcome in outcomes() { take(outcome) }
        default: serve(event, &buffer)
        }
      }
      if isTimed { checkTimes() }
    }
  }

  // MARK: Connections

  private func accept() {
    // Some in one turn, so that those who are connected have theirs.
    for _ in 0..<64 {
      do throws(SystemError) {
        guard let socket = try system_accept(listening.descriptor) else { return }
        take(socket)
      } catch {
        // Without a descriptor the socket stays readable: trying at once again would take a whole processor.
        if let oldest = strangers.first { hangUp(oldest) }
        rest(true)
        return
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
    strangers.append(connection)
  }

  private func hangUp(_ connection: ServerConnection) {
    guard connections.removeValue(forKey: connection.number) != nil else { return }
    system_forget(poller, connection.descriptor)
    strangers.removeAll { $0 === connection }
    readers.remove(connection.number)
    for lane in lanes.all { lane.remove(connection.number) }
    connection.close()
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
  }

  private func take(_ outcome: Lane.Outcome) {
    switch outcome {
    case .stop: isStopped = true
    case .hangUp(let connection): hangUp(connection)
    case .sentFile(let connection): if connections[connection.number] != nil { readers.insert(connection.number) }
    case .waits(let connection):
      guard connections[connection.number] != nil else { return }
      watch(connection)
    }
  }

  private func watch(_ connection: ServerConnection) {
    try? system_watch(poller, connection.descriptor, tag: connection.number, writes: connection.isWaitingForRoom)
  }

  // MARK: Messages

  private func serve(_ event: PollerEvent, _ buffer: inout SecretBytes) {
    guard let connection = connections[event.tag] else { return }
    if event.canWrite {
      guard connection.flush() else { return hangUp(connection) }
      watch(connection)
    }
    guard event.canRead else { return }
    // One packet, so that every client has its turn; what else is there makes the next event.
    let packet: ReceivedPacket?
    do throws(SystemError) {
      var bytes = buffer.mutableBytes
      packet = try system_receive(connection.descriptor, into: &bytes)
    } catch {
      buffer.wipe(0..<buffer.count)
      return hangUp(connection)
    }
    guard let packet else { return }
    let file = packet.descriptor.map { BodyFile(descriptor: $0) }
    let isTaken = packet.count > 0 && take(buffer.bytes.extracting(0..<packet.count), file, from: connection)
    buffer.wipe(0..<packet.count)
    if !isTaken { hangUp(connection) }
  }

  /// Takes a message, which is in the buffer; false when the client must go.
  private func take(_ packet: Span<UInt8>, _ file: BodyFile?, from connection: ServerConnection) -> Bool {
    do throws(FrameError) {
      let head = try FrameHead(packet, fileCountMax: FrameLimits.requestCountMax)
      guard let operation = head.operation, (head.fileCount != nil) == (file != nil) else { return false }
      guard connection.hasHello else {
        let hello = try head.hello(in: packet)
        return file == nil && answer(hello, head.serial, connection)
      }
      guard let lane = lanes.lane(for: operation) else { return false }
      return put(packet, head, file, on: lane, connection)
    } catch {
      guard error == .version, !connection.hasHello else { return false }
      let failure = AgentFailure(VaultError(.newerFormat, "another version of the protocol"))
      // The head is the same in every version.
      _ = send(.answer(.failed(failure)), UInt32(packet.number(at: 2, count: 4)), connection)
      return false
    }
  }

  private func answer(_ hello: Hello, _ serial: UInt32, _ connection: ServerConnection) -> Bool {
    guard hello.vaultID == vaultID else {
      _ = send(.answer(.failed(AgentFailure(.otherVault))), serial, connection)
      return false
    }
    guard hello.version == UInt64(FrameLimits.version) else { return false }
    connection.passHello()
    strangers.removeAll { $0 === connection }
    return send(.hello(Hello(vaultID: vaultID)), serial, connection)
  }

  private func put(
    _ packet: Span<UInt8>, _ head: FrameHead, _ file: BodyFile?, on lane: Lane, _ connection: ServerConnection
  ) -> Bool {
    guard connection.begin() else { return false }
    guard totals.takeWaiting(packet.count) else { return refuse(head, connection) }
    guard file == nil || totals.takeFile() else {
      totals.giveWaiting(packet.count)
      return refuse(head, connection)
    }
    guard let copy = try? SecretBytes(copying: packet) else {
      totals.giveWaiting(packet.count)
      if file != nil { totals.giveFile() }
      return refuse(head, connection)
    }
    lane.put(Job(connection: connection, head: head, packet: SharedSecret(copy), file: file))
    return true
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

extension SecretBytes {
  /// Room for an answer without a list or a secret.
  fileprivate static func smallBuffer() throws(CryptoError) -> SecretBytes {
    try SecretBytes(count: 1_024) { (_: inout MutableSpan<UInt8>) throws(CryptoError) in }
  }
}
