package import ThumbturnAuthentication
package import ThumbturnCrypto
package import ThumbturnKeychain
package import ThumbturnVault

/// How the command line reaches the agent of a vault. Tests put their own in.
package protocol AgentAccess: Sendable {
  /// The agent that serves this vault now; nil when none listens.
  ///
  /// Ends within a second or so.
  ///
  /// - Throws: ``KeychainError/Code/notAvailable`` for one that does not answer, or that serves another vault.
  func connect() throws(KeychainError) -> (any AgentConnection)?

  /// Whether anything listens where the agent of this vault would, whatever vault it serves.
  func isAnswered() -> Bool

  /// Starts the agent's program at an absolute path, and does not wait for it.
  func spawn(_ path: String) throws(SystemError) -> SpawnedAgent
}

extension AgentAccess {
  package func spawn(_ path: String) throws(SystemError) -> SpawnedAgent {
    let (process, errors) = try System.startProgram(path)
    return SpawnedAgent(said: { errors.text() }) { System.exitCode(of: process) }
  }
}

/// An agent that was just started.
package struct SpawnedAgent: Sendable {
  /// Its exit code once it has ended, -1 when a signal ended it; nil while it runs.
  package let exitCode: @Sendable () -> Int32?
  /// What it has written to standard error by now, that nobody has taken yet.
  package let said: @Sendable () -> String

  package init(said: @escaping @Sendable () -> String = { "" }, _ exitCode: @escaping @Sendable () -> Int32?) {
    self.exitCode = exitCode
    self.said = said
  }
}

/// An agent that answers.
package protocol AgentConnection: PasscodeBackend {
  /// How it and its vault are.
  func summary() throws(KeychainError) -> AgentSummary
  /// Ends the agent, after it has locked the vault.
  func stop() throws(KeychainError)
  /// Who asks people.
  var people: any AuthenticationBackend { get }
  /// Says what happens at the simulated reader.
  ///
  /// - Throws: For a vault that was not made for it, ``KeychainError/Code/parameter``.
  func simulate(_ event: SimulatedEvent) throws(KeychainError)
}

/// What an agent says of itself and its vault; no secret.
package struct AgentSummary: Sendable {
  package enum LockState: Hashable, Sendable {
    case beforeFirstUnlock
    case unlocked
    /// The screen is locked, and the keys are still there for so long.
    case locking(secondsLeft: Int)
    case locked
  }

  /// The number of its process.
  package var process: Int32
  /// What every backend can say of the vault.
  package var vault: VaultStatus
  package var lockState: LockState
  /// How long until it locks because nobody calls; nil when it does not.
  package var secondsToIdleLock: Int?
  /// Whether it hears of locked screens and of sleep.
  package var listensToLogind: Bool

  package init(
    process: Int32, vault: VaultStatus, lockState: LockState, secondsToIdleLock: Int?, listensToLogind: Bool
  ) {
    self.process = process
    self.vault = vault
    self.lockState = lockState
    self.secondsToIdleLock = secondsToIdleLock
    self.listensToLogind = listensToLogind
  }
}
