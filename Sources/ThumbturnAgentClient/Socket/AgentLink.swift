#if !SANITIZE_THREAD
  internal import Synchronization
#endif
package import ThumbturnAuthentication
internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

#if SANITIZE_THREAD
  typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif

/// The way to the agent of one vault, for any number of threads.
///
/// Each call has a connection to itself while it lasts: no call waits for another's answer, no thread of ours reads for
/// others, and no lock is held while anything is waited for. Connections are kept for the next call. A forked child makes
/// its own; those of its parent are closed in it at once.
public final class AgentLink: Sendable {
  private let pool: PerProcess<ConnectionPool>
  private let desks: PerProcess<EvaluationDesk>
  /// Where this process can be shown a prompt.
  let promptPlace: @Sendable () -> PromptPlace

  /// Nothing is opened before the first call.
  ///
  /// - Parameters:
  ///   - place: Where the socket is.
  ///   - vaultID: The 16 bytes of the vault's UUID. The agent of another vault is refused.
  public convenience init(_ place: SocketPlace, vaultID: [UInt8]) {
    self.init(place, vaultID: vaultID) { PromptPlace.current() }
  }

  /// With another place for prompts, for tests.
  package init(
    _ place: SocketPlace, vaultID: [UInt8], promptPlace: @escaping @Sendable () -> PromptPlace
  ) {
    pool = PerProcess { ConnectionPool(place, vaultID: vaultID) }
    desks = PerProcess { EvaluationDesk(Errands()) }
    self.promptPlace = promptPlace
  }

  /// Where evaluations of this process wait.
  var desk: EvaluationDesk { desks.object }

  /// One call, which ends within the limits of Documentation/agent.md.
  func call(
    _ request: AgentRequest, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(AgentFailure) -> AgentReply {
    let pool = pool.object
    // What was kept may have been hung up meanwhile, as sending shows; what is new then says the truth.
    for _ in 0...ConnectionPool.keptCountMax {
      let (connection, isNew) = try pool.take()
      let reply: AgentReply
      do throws(AgentConnection.Broken) { reply = try connection.call(request, progress: progress) } catch {
        switch error {
        case .beforeSending(let cause):
          guard !isNew else { throw AgentFailure(cause) }
          continue
        case .after(let cause): throw AgentFailure(cause)
        case .refused(let error):
          pool.give(connection)
          throw AgentFailure(error)
        }
      }
      pool.give(connection)
      if case .failed(let failure) = reply { throw failure }
      return reply
    }
    throw AgentFailure(.agentGone)
  }
}

/// Connections that carry no call now.
final class ConnectionPool: Sendable {
  /// How many are kept: more threads than that rarely call in one moment, and each has 64 KiB of locked memory.
  static let keptCountMax = 4

  private let place: SocketPlace
  private let vaultID: [UInt8]
  private let kept = Mutex<[AgentConnection]>([])

  init(_ place: SocketPlace, vaultID: [UInt8]) {
    self.place = place
    self.vaultID = vaultID
  }

  func take() throws(AgentFailure) -> (connection: AgentConnection, isNew: Bool) {
    // The newest first: the others may rest until the agent ends.
    if let connection = kept.withLock({ $0.popLast() }) { return (connection, false) }
    do throws(VaultError) { return (try AgentConnection(place, vaultID: vaultID), true) } catch {
      throw AgentFailure(error)
    }
  }

  func give(_ connection: AgentConnection) {
    kept.withLock { kept in
      if kept.count < Self.keptCountMax { kept.append(connection) }
    }
  }
}
