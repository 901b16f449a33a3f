#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import ThumbturnAgentClient
internal import ThumbturnCrypto

#if SANITIZE_THREAD
  typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif

/// What all clients together have taken of the server's memory.
final class ServerTotals: Sendable {
  private struct Counts {
    var waitingBytes = 0
    var files = 0
    var unreadFileBytes = 0
  }
  private let counts = Mutex(Counts())

  /// Memory for a request or an answer that waits; false when there is none left.
  func takeWaiting(_ bytes: Int) -> Bool {
    counts.withLock { counts in
      guard counts.waitingBytes + bytes <= ServerLimits.waitingCountMax else { return false }
      counts.waitingBytes += bytes
      return true
    }
  }

  func giveWaiting(_ bytes: Int) { counts.withLock { $0.waitingBytes -= bytes } }

  func takeFile() -> Bool {
    counts.withLock { counts in
      guard counts.files < ServerLimits.filesCountMax else { return false }
      counts.files += 1
      return true
    }
  }

  func giveFile() { counts.withLock { $0.files -= 1 } }

  func takeUnread(_ bytes: Int) -> Bool {
    counts.withLock { counts in
      guard counts.unreadFileBytes + bytes <= ServerLimits.unreadFilesCountMax else { return false }
      counts.unreadFileBytes += bytes
      return true
    }
  }

  func giveUnread(_ bytes: Int) { counts.withLock { $0.unreadFileBytes -= bytes } }

  /// Nothing is taken.
  var isNothing: Bool {
    counts.withLock { $0.waitingBytes == 0 && $0.files == 0 && $0.unreadFileBytes == 0 }
  }
}

/// A connection of the server: the loop reads from it and closes it, whoever answers sends.
final class ServerConnection: Sendable {
  /// What becomes of a message that is to be sent.
  enum Sending {
    case done
    /// It waits for room in the socket.
    case queued
    /// The client has gone, or must.
    case hangUp
    /// No memory for an answer of this size: a shorter one may go.
    case refused
  }

  private struct Waiting {
    let packet: SharedSecret
    let file: BodyFile?
    /// Whether it is the last word to a request.
    let isAnswer: Bool
  }

  private struct State {
    var isOpen = true
    var hasHello = false
    var inFlight = 0
    var waiting: [Waiting] = []
    var waitingBytes = 0
    /// An answer in a file that the client may not have read yet.
    var unreadFileBytes = 0
    var unreadSince: Int64 = 0
  }

  let number: UInt64
  let descriptor: Int32
  let peer: AgentPeer
  let acceptedNanoseconds: Int64
  private let totals: ServerTotals
  private let state = Mutex(State())

  init(_ number: UInt64, _ descriptor: Int32, _ peer: AgentPeer, _ totals: ServerTotals) {
    self.number = number
    self.descriptor = descriptor
    self.peer = peer
    self.totals = totals
    acceptedNanoseconds = system_bootNanoseconds()
  }

  deinit { close() }

  func close() {
    state.withLock { state in
      guard state.isOpen else { return }
      state.isOpen = false
      system_close(descriptor)
      totals.giveWaiting(state.waitingBytes)
      totals.giveUnread(state.unreadFileBytes)
      state.waiting = []
      state.waitingBytes = 0
      state.unreadFileBytes = 0
    }
  }

  var hasHello: Bool { state.withLock { $0.hasHello } }
  var isOpen: Bool { state.withLock { $0.isOpen } }
  /// Whether a request of it is not answered yet.
  var hasRequests: Bool { state.withLock { $0.inFlight > 0 } }
  var isWaitingForRoom: Bool { state.withLock { !$0.waiting.isEmpty } }

  func passHello() { state.withLock { $0.hasHello = true } }

  /// One more request; false when the client has too many already.
  func begin() -> Bool {
    state.withLock { state in
      guard state.inFlight < ServerLimits.inFlightCountMax else { return false }
      state.inFlight += 1
      return true
    }
  }

  /// Sends a message without waiting, or keeps it until there is room.
  ///
  /// - Parameter isAnswer: Whether it ends a request; what does not may be left out when there is no room.
  func send(_ message: WrittenMessage, _ packet: Span<UInt8>, isAnswer: Bool) -> Sending {
    guard message.fileCount == 0 || totals.takeUnread(message.fileCount) else { return .refused }
    let (sending, isTaken) = state.withLock { state -> (Sending, Bool) in
      guard state.isOpen else { return (.hangUp, false) }
      var isTaken = false
      if message.fileCount > 0 {
        // One at a time: whoever asks for the next before it took this one does not read at all.
        release(&state)
        guard state.unreadFileBytes == 0 else { return (.hangUp, false) }
        (state.unreadFileBytes, state.unreadSince) = (message.fileCount, system_bootNanoseconds())
        isTaken = true
      }
      if state.waiting.isEmpty {
        do throws(SystemError) {
          if try system_send(descriptor, packet, passing: message.file?.descriptor) {
            if isAnswer { state.inFlight -= 1 }
            return (.done, isTaken)
          }
        } catch { return (.hangUp, isTaken) }
      }
      guard isAnswer else { return (.done, isTaken) }
      guard state.waitingBytes + packet.count <= ServerLimits.queuedCountMax, totals.takeWaiting(packet.count),
        let copy = try? SecretBytes(copying: packet)
      else { return (.hangUp, isTaken) }
      state.waiting.append(Waiting(packet: SharedSecret(copy), file: message.file, isAnswer: isAnswer))
      state.waitingBytes += packet.count
      return (.queued, isTaken)
    }
    if message.fileCount > 0, !isTaken { totals.giveUnread(message.fileCount) }
    return sending
  }

  /// Sends what waits, as far as there is room; false when the client has gone.
  func flush() -> Bool {
    state.withLock { state in
      guard state.isOpen else { return false }
      while let next = state.waiting.first {
        do throws(SystemError) {
          let isSent = try next.packet.withBytes { (bytes) throws(SystemError) in
            try system_send(descriptor, bytes, passing: next.file?.descriptor)
          }
          guard isSent else { return true }
        } catch { return false }
        state.waiting.removeFirst()
        state.waitingBytes -= next.packet.count
        totals.giveWaiting(next.packet.count)
        if next.isAnswer { state.inFlight -= 1 }
      }
      return true
    }
  }

  /// Whether the client still has an answer in a file to take; false in `isInTime` when it took too long.
  func checkUnread(now: Int64) -> (isUnread: Bool, isInTime: Bool) {
    state.withLock { state in
      guard state.isOpen, state.unreadFileBytes > 0 else { return (false, true) }
      if state.waiting.isEmpty { release(&state) }
      let isUnread = state.unreadFileBytes > 0
      return (isUnread, !isUnread || now - state.unreadSince < ServerLimits.unreadNanoseconds)
    }
  }

  /// Counts an answer in a file no longer, once everything was read.
  private func release(_ state: inout State) {
    guard state.unreadFileBytes > 0, state.waiting.isEmpty, !system_hasUnread(descriptor) else { return }
    totals.giveUnread(state.unreadFileBytes)
    state.unreadFileBytes = 0
  }
}
