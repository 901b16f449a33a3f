import Foundation
import Glibc
import Synchronization
import ThumbturnAuthentication
import ThumbturnCommand
import ThumbturnCrypto
import ThumbturnKeychain
@testable import ThumbturnVault

/// An agent that is none: a fake vault behind the agent's protocol.
final class FakeAgent: AgentConnection {
  let vault = FakeBackend()
  let lockState = Synchronization.Mutex(AgentSummary.LockState.beforeFirstUnlock)
  /// The passcode that unlocks it.
  let passcode: [UInt8]
  /// How many times it was unlocked, locked and stopped.
  let calls = Synchronization.Mutex<[String]>([])
  /// What else happens when it is told to end.
  let onStop = Synchronization.Mutex<(@Sendable () -> Void)?>(nil)

  /// Who is asked, and what they do.
  let person = FakePerson()
  var people: any AuthenticationBackend { person }

  init(_ passcode: String = "right", status: VaultStatus = .withPasscode) {
    self.passcode = Array(passcode.utf8)
    vault.state.withLock { $0.status = status }
  }

  func summary() throws(KeychainError) -> AgentSummary {
    AgentSummary(
      process: 4_711, vault: try vault.status(), lockState: lockState.withLock { $0 }, secondsToIdleLock: 899,
      listensToLogind: true)
  }
  func stop() throws(KeychainError) {
    calls.withLock { $0.append("stop") }
    onStop.withLock { $0 }?()
  }
  func unlock(_ passcode: Passcode) throws(KeychainError) {
    guard content(passcode.secret.bytes) == self.passcode else {
      throw KeychainError(VaultError(.wrongPasscode, "the passcode is not this vault's", part: .keybag))
    }
    lockState.withLock { $0 = .unlocked }
    calls.withLock { $0.append("unlock") }
  }
  func lock() throws(KeychainError) {
    guard try vault.status().hasPasscode else { throw KeychainError(VaultError(.noPasscode, "none", part: .keybag)) }
    lockState.withLock { $0 = .locked }
    calls.withLock { $0.append("lock") }
  }

  func simulate(_ event: SimulatedEvent) throws(KeychainError) {
    guard try vault.status().isSimulated else { throw KeychainError(.parameter) }
    calls.withLock { $0.append("simulate \(event)") }
  }

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

/// Where a fake agent is found: at once, after a start, or never.
final class FakeAgents: AgentAccess {
  struct State {
    var agent: FakeAgent?
    /// Comes when one is started, after so many looks.
    var startable: (agent: FakeAgent, looks: Int)?
    /// What the started program ends with.
    var exitCode: Int32?
    var started: [String] = []
    /// What the started program writes to standard error.
    var said = ""
    /// Whether somebody listens, without being this vault's agent.
    var isAnswered = false
  }
  let state = Synchronization.Mutex(State())

  init(_ agent: FakeAgent? = nil) { state.withLock { $0.agent = agent } }

  func connect() throws(KeychainError) -> (any AgentConnection)? {
    state.withLock { state -> FakeAgent? in
      guard state.agent == nil, !state.started.isEmpty, let startable = state.startable else { return state.agent }
      state.startable?.looks -= 1
      if startable.looks <= 0 { state.agent = startable.agent }
      return state.agent
    }
  }

  func spawn(_ path: String) throws(SystemError) -> SpawnedAgent {
    state.withLock { $0.started.append(path) }
    return SpawnedAgent(said: { [self] in state.withLock { $0.said } }) { [self] in state.withLock { $0.exitCode } }
  }

  func isAnswered() -> Bool { state.withLock { $0.isAnswered } }
}

/// A person, and what the agent says of them.
final class FakePerson: AuthenticationBackend {
  let state = Synchronization.Mutex(State())
  struct State {
    var status: Result<AuthenticationStatus, AuthenticationFailure> = .success(.readyForFingers)
    /// What comes of being asked; nil: nothing ever does.
    var answer: Result<Set<Factor>, AuthenticationFailure>? = .success([.finger])
    var asked: [String] = []
    /// How long the status takes.
    var delayMicroseconds: UInt32 = 0
  }

  func authenticationStatus() throws(AuthenticationFailure) -> AuthenticationStatus {
    usleep(state.withLock { $0.delayMicroseconds })
    return try state.withLock { $0.status }.get()
  }

  func evaluate(
    _ requirement: Requirement, _ texts: AuthenticationTexts, in context: AuthenticationContext, anew: Bool,
    reply: @escaping @Sendable (Result<Set<Factor>, AuthenticationFailure>) -> Void
  ) {
    let answer = state.withLock { state in
      state.asked.append("\(texts.reason)\(anew ? ", anew" : "")")
      return state.answer
    }
    guard let answer else { return }
    Thread.detachNewThread { reply(answer) }
  }
}

extension AuthenticationStatus {
  /// All is there for a prompt.
  static var readyForFingers: Self {
    var status = Self()
    status.hasPasscode = true
    status.reader = .ready
    status.stateHash = [UInt8](repeating: 1, count: stateHashCount)
    return status
  }
}

extension VaultStatus {
  /// A vault with a passcode, locked.
  static var withPasscode: VaultStatus {
    VaultStatus(
      isPresent: true, itemCount: 3, format: (1, 0), vaultID: "u", deviceKeyPath: "/d/d0-1", hasPasscode: true,
      openClasses: [.always, .alwaysThisDeviceOnly], isMemoryLocked: true)
  }
  /// The same after wrong ones.
  static var lockedOut: VaultStatus {
    VaultStatus(
      isPresent: true, format: (1, 0), vaultID: "u", deviceKeyPath: "/d/d0-1", hasPasscode: true, failedAttempts: 6,
      secondsToWait: 299)
  }
  /// The same with a simulated finger.
  static var simulated: VaultStatus {
    VaultStatus(
      isPresent: true, format: (1, 0), vaultID: "u", deviceKeyPath: "/d/d0-1", hasPasscode: true, isSimulated: true,
      isMemoryLocked: true)
  }
  /// A vault without one.
  static var withoutPasscode: VaultStatus {
    VaultStatus(isPresent: true, format: (1, 0), vaultID: "u", deviceKeyPath: "/d/d0-1", isMemoryLocked: true)
  }
}

extension FakeBackend {
  /// A vault whose seat an agent has, unless `agent` is nil: then it is free, and the vault as `status` says.
  convenience init(_ status: VaultStatus, isTaken: Bool = false) {
    self.init()
    state.withLock {
      $0.status = status
      if isTaken { $0.take() }
    }
  }
}

extension FakeBackend.State {
  static var seatTaken: KeychainError { KeychainError(VaultError(.seatTaken, "taken", part: .seatLock)) }
  /// From now on every call finds the seat taken.
  mutating func take() {
    statusError = Self.seatTaken
    errors = Array(repeating: Self.seatTaken, count: 20)
  }
  mutating func free() {
    statusError = nil
    errors = []
  }
}
