internal import ThumbturnCrypto
public import ThumbturnAgentClient

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
