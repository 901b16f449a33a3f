internal import Synchronization
public import ThumbturnAgentClient
public import ThumbturnAuthentication
internal import ThumbturnCrypto

/// What the agent does with a request.
public protocol AgentService: Sendable {
  /// Answers a request; called on the thread of a lane, and by several at once.
  ///
  /// Adds, updates and deletes come one at a time, so does what needs a passcode; finds come two at a time. Whoever waits
  /// here keeps its lane from the other clients.
  ///
  /// - Parameters:
  ///   - request: What is asked; sizes and numbers in it are within their limits, meanings are not checked.
  ///   - peer: Who asks.
  ///   - progress: Tells the client how far a long request has come. One that does not listen misses it.
  func answer(
    _ request: AgentRequest, from peer: AgentPeer, progress: (_ done: Int, _ total: Int) -> Void
  ) -> AgentReply

  /// As ``answer(_:from:progress:)``, where nothing may wait for a fingerprint reader; nil when that is needed, and nothing was
  /// done. Then the request comes again on a lane of its own, where it may take seconds.
  func answerAtOnce(
    _ request: AgentRequest, from peer: AgentPeer, progress: (_ done: Int, _ total: Int) -> Void
  ) -> AgentReply?

  /// Begins what waits for a person, and comes back at once; the answer goes to `answer` whenever it is there.
  func begin(_ evaluation: EvaluationRequest, from peer: AgentPeer, _ answer: EvaluationAnswer)

  /// A connection is gone. Called on the thread that looks at the sockets: it must not wait.
  ///
  /// - Parameters:
  ///   - connection: The number that its ``EvaluationAnswer``s have.
  ///   - isLast: Whether the process has no other connection.
  func left(_ peer: AgentPeer, connection: UInt64, isLast: Bool)
}

extension AgentService {
  /// Waits for no reader.
  public func answerAtOnce(
    _ request: AgentRequest, from peer: AgentPeer, progress: (_ done: Int, _ total: Int) -> Void
  ) -> AgentReply? { answer(request, from: peer, progress: progress) }

  /// Asks nobody.
  public func begin(_ evaluation: EvaluationRequest, from peer: AgentPeer, _ answer: EvaluationAnswer) {
    answer.send(.failure(AuthenticationFailure(.systemCancel, .agentFailed)))
  }

  /// Remembers nobody.
  public func left(_ peer: AgentPeer, connection: UInt64, isLast: Bool) {}
}

/// Where the answer of an evaluation goes: once, from any thread.
public final class EvaluationAnswer: Sendable {
  /// The connection that asked; no other has its number, also later.
  public let connection: UInt64
  private let sends: @Sendable (ReplyMessage) -> Void
  private let isConnected: @Sendable () -> Bool
  private let isSent = Atomic(false)

  /// - Parameters:
  ///   - isConnected: Whether the client is still there.
  ///   - sends: Sends a message without waiting.
  package init(
    connection: UInt64, isConnected: @escaping @Sendable () -> Bool, sends: @escaping @Sendable (ReplyMessage) -> Void
  ) {
    self.connection = connection
    self.isConnected = isConnected
    self.sends = sends
  }

  /// Whether the client is still there.
  public var isOpen: Bool { isConnected() }

  // Whatever happens, the client has its answer.
  deinit { send(.failure(AuthenticationFailure(.systemCancel, .agentFailed))) }

  /// Tells the client that it still waits for somebody.
  public func progress() {
    guard !isSent.load(ordering: .acquiring) else { return }
    sends(.progress(done: 0, total: 1))
  }

  /// The answer; a second one is not sent.
  public func send(_ result: Result<Evaluated, AuthenticationFailure>) {
    guard !isSent.exchange(true, ordering: .acquiringAndReleasing) else { return }
    sends(.answer(.evaluated(result)))
  }
}

/// The process at the other end of a connection, as the kernel knew it when it connected.
public final class AgentPeer: Sendable {
  /// Its number then; another process may have it now, unless ``handle`` says that this one still runs.
  public let process: Int32
  /// Its user.
  public let user: UInt32
  /// A pidfd, open as long as this object; nil on kernels before 6.5.
  public let handle: Int32?

  /// Takes over the handle.
  init(process: Int32, user: UInt32, handle: Int32?) {
    self.process = process
    self.user = user
    self.handle = handle
  }

  deinit { if let handle { system_close(handle) } }
}
