internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnShims
internal import ThumbturnVault

/// How long a client waits; a stopped agent costs no more.
enum ClientLimits {
  /// To connect: the agent takes connections at once, unless hundreds come in one moment.
  static let connectMilliseconds: Int32 = 300
  /// For the answer to a hello, which needs no vault.
  static let helloNanoseconds: Int64 = 1_000_000_000
  /// For a call; a writer may wait 5 s for another process itself.
  static let callNanoseconds: Int64 = 10_000_000_000
  /// For a call that derives a key, or seals records again; each word of progress begins it anew.
  static let longCallNanoseconds: Int64 = 60_000_000_000
  /// For an evaluation, between two words of progress: the agent tells every 5 s that it waits.
  static let evaluationNanoseconds: Int64 = 30_000_000_000
  /// For an evaluation in all: 65 s until it is its turn, and 60 s for the person.
  static let evaluationTotalNanoseconds: Int64 = 130_000_000_000
  /// Words of progress for one call: more than any vault has steps to tell of.
  static let progressCountMax = 1_000_000
}

/// One connection to the agent, which carries one call at a time.
///
/// Sendable without a lock: ``ConnectionPool`` gives it to one call, and takes it back under its own lock when that ended.
final class AgentConnection: @unchecked Sendable {
  /// How a call on a connection ended without an answer.
  enum Broken: Error {
    /// Nothing was sent: another connection may take the call.
    case beforeSending(VaultError)
    case after(VaultError)
    /// The message itself cannot be sent.
    case refused(KeychainError)
  }

  private let socket: Int32
  private let process: Int32
  private var buffer: SecretBytes
  private var serial: UInt32 = 0

  /// Connects, and says hello.
  init(_ place: SocketPlace, vaultID: [UInt8]) throws(VaultError) {
    do throws(CryptoError) { buffer = try .packetBuffer() } catch {
      throw VaultError(.outOfMemory, "no memory for a message")
    }
    process = system_process()
    socket = try Self.connect(place)
    try sayHello(vaultID)
    let milliseconds = Int32(ClientLimits.callNanoseconds / 1_000_000)
    do throws(SystemError) { try system_setReceiveLimit(socket, milliseconds: milliseconds) } catch {
      throw VaultError(.inputOutput, "a socket takes no limit")
    }
  }

  deinit {
    // In a forked child it is closed already, and its number may be another file's.
    guard process == system_process() else { return }
    keepInChildren(socket)
    system_close(socket)
  }

  private static func connect(_ place: SocketPlace) throws(VaultError) -> Int32 {
    let folder: Int32
    do throws(VaultError) { folder = try place.openFolder() } catch {
      throw error.code == .noPlace ? .noAgent : error
    }
    defer { system_close(folder) }
    let socket: Int32
    do throws(SystemError) { socket = try system_socket() } catch {
      throw VaultError(.inputOutput, "no socket can be made")
    }
    do throws(SystemError) {
      try system_connect(socket, folder, SocketPlace.name, milliseconds: ClientLimits.connectMilliseconds)
    } catch {
      system_close(socket)
      switch error {
      case .missing, .refusedConnection: throw .noAgent
      case .again: throw .agentSilent
      default: throw VaultError(.notAllowed, "the agent's socket cannot be reached")
      }
    }
    guard system_peerUser(socket) == system_user() else {
      system_close(socket)
      throw VaultError(.unsafePlace, "the agent's socket is another user's")
    }
    guard closeInChildren(socket) else {
      system_close(socket)
      throw VaultError(.outOfMemory, "no memory for a connection")
    }
    return socket
  }

  private func sayHello(_ vaultID: [UInt8]) throws(VaultError) {
    let end = system_bootNanoseconds() + ClientLimits.helloNanoseconds
    serial = 1
    do throws(Broken) {
      let message: WrittenMessage
      do throws(FrameError) { message = try buffer.write(Hello(vaultID: vaultID), serial: serial) } catch {
        throw .refused(KeychainError(.parameter))
      }
      try send(message, until: end)
      switch try receive(.hello, until: end) {
      case .hello(let hello):
        guard hello.vaultID == vaultID, hello.version == UInt64(FrameLimits.version) else { throw .after(.otherVault) }
      case .answer(.failed(let failure)):
        throw .after(failure.error.cause?.code == .wrongKey ? .otherVault : failure.error.cause ?? .agentNonsense)
      case .answer, .progress: throw .after(.agentNonsense)
      }
    } catch {
      switch error {
      case .beforeSending(let cause), .after(let cause): throw cause
      case .refused: throw VaultError(.wrongKey, "a vault's UUID has 16 bytes")
      }
    }
  }

  /// One call.
  func call(
    _ request: AgentRequest, progress: (_ done: Int, _ total: Int) -> Void
  ) throws(Broken) -> AgentReply {
    let operation = request.operation
    let limit =
      operation == .evaluate
      ? ClientLimits.evaluationNanoseconds
      : operation.isLong ? ClientLimits.longCallNanoseconds : ClientLimits.callNanoseconds
    let began = system_bootNanoseconds()
    let last = operation == .evaluate ? began + ClientLimits.evaluationTotalNanoseconds : Int64.max
    var end = began + limit
    serial &+= 1
    let message: WrittenMessage
    do throws(FrameError) { message = try buffer.write(request, serial: serial) } catch {
      throw .refused(KeychainError(error == .overLimit ? .dataTooLarge : .outOfMemory))
    }
    try send(message, until: end)
    // The kernel waits within the limit of a call; where another one holds, or a part of it is over, we do.
    var isWhole = !operation.isLong
    for _ in 0..<ClientLimits.progressCountMax {
      defer { isWhole = false }
      switch try receive(operation, until: end, isWhole: isWhole) {
      case .answer(let reply): return reply
      case .hello: throw .after(.agentNonsense)
      case .progress(let done, let total):
        progress(done, total)
        end = min(system_bootNanoseconds() + limit, last)
      }
    }
    throw .after(.agentNonsense)
  }

  private func send(_ message: WrittenMessage, until end: Int64) throws(Broken) {
    defer { buffer.wipe(0..<message.count) }
    do throws(SystemError) {
      while true {
        let bytes = buffer.bytes.extracting(0..<message.count)
        if try system_send(socket, bytes, passing: message.file?.descriptor) { return }
        guard try system_wait(socket, toSend: true, until: end) else { break }
      }
    } catch { throw .beforeSending(.agentGone) }
    throw .after(.agentSilent)
  }

  private func receive(
    _ operation: Operation, until end: Int64, isWhole: Bool = false
  ) throws(Broken) -> ReplyMessage {
    let packet = try receivePacket(until: end, isWhole: isWhole)
    let file = packet.descriptor.map { BodyFile(descriptor: $0) }
    defer { buffer.wipe(0..<packet.count) }
    guard packet.count > 0 else { throw .after(.agentGone) }
    do throws(FrameError) {
      let bytes = buffer.bytes.extracting(0..<packet.count)
      let head = try FrameHead(bytes, fileCountMax: FrameLimits.replyCountMax)
      guard head.serial == serial else { throw .wrongValue }
      return try head.reply(to: operation, in: bytes, file)
    } catch {
      throw .after(
        error == .outOfMemory ? VaultError(.outOfMemory, "no memory for the agent's answer") : .agentNonsense)
    }
  }

  private func receivePacket(until end: Int64, isWhole: Bool) throws(Broken) -> ReceivedPacket {
    do throws(SystemError) {
      if isWhole {
        var bytes = buffer.mutableBytes
        if let packet = try system_receive(socket, into: &bytes, waits: true) { return packet }
      }
      while true {
        guard try system_wait(socket, toSend: false, until: end) else { break }
        var bytes = buffer.mutableBytes
        if let packet = try system_receive(socket, into: &bytes) { return packet }
      }
    } catch {
      buffer.wipe(0..<buffer.count)
      throw .after(error == .badPacket ? .agentNonsense : .agentGone)
    }
    throw .after(.agentSilent)
  }
}
