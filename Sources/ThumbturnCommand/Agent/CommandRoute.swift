internal import ThumbturnKeychain
internal import ThumbturnVault

/// The vault in this process, or the agent that holds its seat.
///
/// The vault is asked first: only the lock of the seat says who has it, and without an agent nothing is looked for.
struct CommandRoute: CommandBackend {
  let local: any CommandBackend
  let agents: any AgentAccess

  private func route<Value>(
    _ here: (any CommandBackend) throws(KeychainError) -> Value,
    agent there: (any AgentConnection) throws(KeychainError) -> Value
  ) throws(KeychainError) -> Value {
    do throws(KeychainError) { return try here(local) } catch {
      // A locked vault is nobody's now: systemd may start its agent when somebody connects, and that one may be unlocked.
      let isLocked = error.cause?.code == .classKeyLocked
      guard isLocked || error.cause?.code == .seatTaken else { throw error }
      let agent: (any AgentConnection)?
      if isLocked { agent = try? agents.connect() } else { agent = try agents.connect() }
      guard let agent else { throw error }
      return try there(agent)
    }
  }

  /// What both serve alike.
  private func either<Value>(
    _ body: (any PasscodeBackend) throws(KeychainError) -> Value
  ) throws(KeychainError) -> Value {
    try route(
      { (vault) throws(KeychainError) in try body(vault) }, agent: { (vault) throws(KeychainError) in try body(vault) })
  }

  func add(_ item: NewItem, for caller: Caller) throws(KeychainError) -> FoundItem {
    try either { (vault) throws(KeychainError) in try vault.add(item, for: caller) }
  }
  func find(_ query: ItemQuery, for caller: Caller) throws(KeychainError) -> [FoundItem] {
    try either { (vault) throws(KeychainError) in try vault.find(query, for: caller) }
  }
  func update(_ query: ItemQuery, with change: ItemChange, for caller: Caller) throws(KeychainError) {
    try either { (vault) throws(KeychainError) in try vault.update(query, with: change, for: caller) }
  }
  func delete(_ query: ItemQuery, for caller: Caller) throws(KeychainError) {
    try either { (vault) throws(KeychainError) in try vault.delete(query, for: caller) }
  }
  func accessGroups() throws(KeychainError) -> [String] {
    try either { (vault) throws(KeychainError) in try vault.accessGroups() }
  }
  func unlock(_ passcode: Passcode) throws(KeychainError) {
    try either { (vault) throws(KeychainError) in try vault.unlock(passcode) }
  }
  func lock() throws(KeychainError) { try either { (vault) throws(KeychainError) in try vault.lock() } }
  func changePasscode(
    from old: Passcode?, to new: Passcode?, rotates: Bool, progress: (_ done: Int, _ total: Int) -> Void
  ) throws(KeychainError) {
    try either { (vault) throws(KeychainError) in
      try vault.changePasscode(from: old, to: new, rotates: rotates, progress: progress)
    }
  }
  func setLockSettings(_ settings: LockSettings, _ passcode: Passcode?) throws(KeychainError) {
    try either { (vault) throws(KeychainError) in try vault.setLockSettings(settings, passcode) }
  }
  func acceptOlder(_ passcode: Passcode?) throws(KeychainError) {
    try either { (vault) throws(KeychainError) in try vault.acceptOlder(passcode) }
  }

  func status() throws(KeychainError) -> VaultStatus {
    try route(
      { (vault) throws(KeychainError) in try vault.status() },
      agent: { (agent) throws(KeychainError) in try agent.summary().vault })
  }
  /// An agent does not count them.
  func countItems(of protection: ProtectionClass) throws(KeychainError) -> Int? {
    try route(
      { (vault) throws(KeychainError) in try vault.countItems(of: protection) },
      agent: { (_) throws(KeychainError) in nil })
  }

  // These need the vault for themselves.
  func check(
    _ request: CheckRequest, progress: (_ done: Int, _ total: Int) -> Void
  ) throws(KeychainError) -> CheckReport {
    try local.check(request, progress: progress)
  }
  func salvage(replacing confirmed: SalvageReport?) throws(KeychainError) -> SalvageReport {
    try local.salvage(replacing: confirmed)
  }
  func makeSimulated() throws(KeychainError) { try local.makeSimulated() }
}

/// Who serves the vault now.
enum VaultSeat {
  case process(VaultStatus)
  case agent(any AgentConnection, AgentSummary)

  /// Whether an agent has the keys of what a lock closes.
  var isOpen: Bool {
    guard case .agent(_, let summary) = self else { return false }
    switch summary.lockState {
    case .unlocked, .locking: return true
    case .beforeFirstUnlock, .locked: return false
    }
  }

  var status: VaultStatus {
    switch self {
    case .process(let status): status
    case .agent(_, let summary): summary.vault
    }
  }
}

extension CommandContext {
  /// Who serves the vault now, and how it is.
  ///
  /// Never inlined: the optimiser of Swift 6.3.1 fails on its two catches in a caller that has others.
  @inline(never)
  func seat() throws(CommandFailure) -> VaultSeat {
    let location = try location()
    do throws(KeychainError) {
      do throws(KeychainError) { return .process(try makeBackend(location).status()) } catch {
        guard error.cause?.code == .seatTaken, let agent = try findAgents(location).connect() else { throw error }
        return .agent(agent, try agent.summary())
      }
    } catch { throw CommandFailure(error, in: location) }
  }
}
