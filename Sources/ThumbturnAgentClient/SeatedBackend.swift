#if !SANITIZE_THREAD
  internal import Synchronization
#endif
package import ThumbturnAuthentication
internal import ThumbturnCrypto
public import ThumbturnKeychain
package import ThumbturnVault

/// The user's vault, whoever holds it now: in this process, or by way of the agent while one runs.
///
/// There is one seat. A call is first made where the last one was answered; when that place does not have the seat any more,
/// the other is asked, and a call is never made twice. Nothing is started, unless systemd starts the agent for who connects:
/// without an agent a vault with a passcode is before its first unlock here. From any thread; ends in bounded time.
public final class SeatedBackend: KeychainBackend {
  /// The vault in this process.
  public let local: LocalBackend
  private let place: SocketPlace
  private let state = Mutex<Agent?>(nil)
  /// The way to the agent of this vault, whether it answered or not: one for all calls, so that equal prompts are one.
  private let way = Mutex<Agent?>(nil)
  private let promptPlace: @Sendable () -> PromptPlace

  /// The agent that answered last.
  private struct Agent: Sendable {
    let vaultID: [UInt8]
    let link: AgentLink
  }

  /// - Parameters:
  ///   - local: The vault in this process.
  ///   - place: Where an agent of it would listen.
  public convenience init(_ local: LocalBackend, agentAt place: SocketPlace) {
    self.init(local, agentAt: place) { PromptPlace.current() }
  }

  /// With another place for prompts, for tests.
  package init(
    _ local: LocalBackend, agentAt place: SocketPlace, promptPlace: @escaping @Sendable () -> PromptPlace
  ) {
    self.local = local
    self.place = place
    self.promptPlace = promptPlace
  }

  /// As ``KeychainBackend/add(_:for:)``.
  public func add(_ item: NewItem, for caller: Caller) throws(KeychainError) -> FoundItem {
    try seated { (backend) throws(KeychainError) in try backend.add(item, for: caller) }
  }

  /// As ``KeychainBackend/find(_:for:)``.
  public func find(_ query: ItemQuery, for caller: Caller) throws(KeychainError) -> [FoundItem] {
    try seated { (backend) throws(KeychainError) in try backend.find(query, for: caller) }
  }

  /// As ``KeychainBackend/update(_:with:for:)``.
  public func update(_ query: ItemQuery, with change: ItemChange, for caller: Caller) throws(KeychainError) {
    try seated { (backend) throws(KeychainError) in try backend.update(query, with: change, for: caller) }
  }

  /// As ``KeychainBackend/delete(_:for:)``.
  public func delete(_ query: ItemQuery, for caller: Caller) throws(KeychainError) {
    try seated { (backend) throws(KeychainError) in try backend.delete(query, for: caller) }
  }

  private func seated<Result>(
    _ call: (any KeychainBackend) throws(KeychainError) -> Result
  ) throws(KeychainError) -> Result {
    try seated(
      local: { () throws(KeychainError) in try call(local) },
      agent: { (link) throws(KeychainError) in try call(RemoteBackend(link)) })
  }

  /// Makes a call where the seat is.
  ///
  /// - Parameters:
  ///   - inProcess: The call over the vault in this process.
  ///   - byAgent: The same by way of the agent.
  package func seated<Result>(
    local inProcess: () throws(KeychainError) -> Result, agent byAgent: (AgentLink) throws(KeychainError) -> Result
  ) throws(KeychainError) -> Result {
    if let agent = state.withLock({ $0 }) {
      do throws(KeychainError) { return try byAgent(agent.link) } catch {
        guard error.cause?.isNoAgent == true || error.cause?.isOtherVault == true else { throw error }
        state.withLock { $0 = nil }
      }
    }
    let failure: KeychainError
    do throws(KeychainError) { return try inProcess() } catch { failure = error }
    return try elsewhere(after: failure, byAgent)
  }

  /// Makes a call that the vault in this process did not answer, by way of the agent that has the seat.
  ///
  /// A locked vault is nobody's now: systemd may start its agent when somebody connects, and that one may be unlocked. When
  /// who listens does not answer properly, "locked" stays the truth: it does not have the seat.
  private func elsewhere<Result>(
    after failure: KeychainError, _ byAgent: (AgentLink) throws(KeychainError) -> Result
  ) throws(KeychainError) -> Result {
    let isLocked = failure.cause?.code == .classKeyLocked
    guard isLocked || failure.cause?.code == .seatTaken, let agent = agent() else { throw failure }
    do throws(KeychainError) {
      let result = try byAgent(agent.link)
      state.withLock { $0 = agent }
      return result
    } catch {
      let isNobody = error.cause?.code == .seatTaken || error.cause?.isOtherVault == true
      throw isLocked && isNobody ? failure : error
    }
  }

  /// The way to the agent of this vault; nil when its UUID cannot be read.
  package func link() -> AgentLink? { agent()?.link }

  /// Makes a call that is about the passcode where the seat is.
  private func seatedVault<Value>(
    _ call: (any PasscodeBackend) throws(KeychainError) -> Value
  ) throws(KeychainError) -> Value {
    try seated(
      local: { () throws(KeychainError) in try call(local) },
      agent: { (link) throws(KeychainError) in try call(RemoteVault(link)) })
  }

  private func agent() -> Agent? {
    guard let vaultID = Vault.identifierBytes(at: local.location) else { return nil }
    return way.withLock { way in
      if let known = way, known.vaultID == vaultID { return known }
      let agent = Agent(vaultID: vaultID, link: AgentLink(place, vaultID: vaultID, promptPlace: promptPlace))
      way = agent
      return agent
    }
  }
}

extension SeatedBackend: PasscodeBackend {
  package func accessGroups() throws(KeychainError) -> [String] {
    try seatedVault { (vault) throws(KeychainError) in try vault.accessGroups() }
  }
  package func unlock(_ passcode: Passcode) throws(KeychainError) {
    try seatedVault { (vault) throws(KeychainError) in try vault.unlock(passcode) }
  }
  package func lock() throws(KeychainError) {
    try seatedVault { (vault) throws(KeychainError) in try vault.lock() }
  }
  package func changePasscode(
    from old: Passcode?, to new: Passcode?, rotates: Bool, progress: (_ done: Int, _ total: Int) -> Void
  ) throws(KeychainError) {
    try seatedVault { (vault) throws(KeychainError) in
      try vault.changePasscode(from: old, to: new, rotates: rotates, progress: progress)
    }
  }
  package func setLockSettings(_ settings: LockSettings, _ passcode: Passcode?) throws(KeychainError) {
    try seatedVault { (vault) throws(KeychainError) in try vault.setLockSettings(settings, passcode) }
  }
  package func acceptOlder(_ passcode: Passcode?) throws(KeychainError) {
    try seatedVault { (vault) throws(KeychainError) in try vault.acceptOlder(passcode) }
  }
}
