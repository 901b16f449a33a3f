internal import ThumbturnAgentClient
internal import ThumbturnAuthentication
internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

/// The agent of the vault in a place, by the socket where it would listen.
struct LocatedAgents: AgentAccess {
  let location: VaultLocation

  func connect() throws(KeychainError) -> (any AgentConnection)? {
    let place: SocketPlace
    do throws(VaultError) { place = try SocketPlace.standard() } catch { throw KeychainError(error) }
    guard let agent = LocatedAgent(SeatedBackend(LocalBackend(location: location), agentAt: place)) else { return nil }
    do throws(KeychainError) { _ = try agent.summary() } catch {
      guard error.cause?.isNoAgent == true else { throw error }
      return nil
    }
    return agent
  }

  func isAnswered() -> Bool {
    guard let place = try? SocketPlace.standard(), let folder = try? place.openFolder() else { return false }
    defer { system_close(folder) }
    return place.isAnswered(in: folder)
  }
}

/// An agent that listens, and serves this vault.
private struct LocatedAgent: AgentConnection {
  private let seated: SeatedBackend
  private let vault: RemoteVault

  /// Nil without a vault that an agent could have.
  init?(_ seated: SeatedBackend) {
    // One way for items and people, so that what was verified counts for the items.
    guard let link = seated.link() else { return nil }
    self.seated = seated
    vault = RemoteVault(link)
  }

  func summary() throws(KeychainError) -> AgentSummary {
    let status = try vault.status()
    let lockState: AgentSummary.LockState =
      switch status.lockState {
      case .beforeFirstUnlock: .beforeFirstUnlock
      case .unlocked: .unlocked
      case .locking(let secondsLeft): .locking(secondsLeft: secondsLeft)
      case .locked: .locked
      }
    return AgentSummary(
      process: status.process, vault: status.vault, lockState: lockState,
      secondsToIdleLock: status.secondsUntilIdleLock, listensToLogind: status.listensToLogind)
  }

  func stop() throws(KeychainError) { try vault.stop() }
  var people: any AuthenticationBackend { seated }
  func simulate(_ event: SimulatedEvent) throws(KeychainError) { try vault.simulate(event) }

  func add(_ item: NewItem, for caller: Caller) throws(KeychainError) -> FoundItem {
    try vault.add(item, for: caller)
  }
  func find(_ query: ItemQuery, for caller: Caller) throws(KeychainError) -> [FoundItem] {
    try vault.find(query, for: caller)
  }
  func update(_ query: ItemQuery, with change: ItemChange, for caller: Caller) throws(KeychainError) {
    try vault.update(query, with: change, for: caller)
  }
  func delete(_ query: ItemQuery, for caller: Caller) throws(KeychainError) { try vault.delete(query, for: caller) }
  func accessGroups() throws(KeychainError) -> [String] { try vault.accessGroups() }
  func unlock(_ passcode: Passcode) throws(KeychainError) { try vault.unlock(passcode) }
  func lock() throws(KeychainError) { try vault.lock() }
  func changePasscode(
    from old: Passcode?, to new: Passcode?, rotates: Bool, progress: (_ done: Int, _ total: Int) -> Void
  ) throws(KeychainError) {
    try vault.changePasscode(from: old, to: new, rotates: rotates, progress: progress)
  }
  func setLockSettings(_ settings: LockSettings, _ passcode: Passcode?) throws(KeychainError) {
    try vault.setLockSettings(settings, passcode)
  }
  func acceptOlder(_ passcode: Passcode?) throws(KeychainError) { try vault.acceptOlder(passcode) }
}
