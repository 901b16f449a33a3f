public import ThumbturnAuthentication
public import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

/// What a person asks of the agent: its state, the lock, the passcode.
///
/// Calls may come from any thread. Those with a passcode wait at most 60 seconds, and 60 more after each word of progress;
/// the others as ``RemoteBackend``. A passcode has at most 1,024 bytes.
public final class AgentControl: Sendable {
  /// How far a long call has come.
  public typealias Progress = (_ done: Int, _ total: Int) -> Void

  private let link: AgentLink

  /// Over this link.
  public init(_ link: AgentLink) { self.link = link }

  /// What the agent says of itself.
  public func status() throws(AgentFailure) -> AgentStatus {
    guard case .status(let status) = try link.call(.status) else { throw AgentFailure(.agentNonsense) }
    return status
  }

  /// Gives the passcode.
  ///
  /// - Throws: `authenticationFailed` for a wrong one, with the seconds until the next is looked at.
  public func unlock(_ passcode: SharedSecret) throws(AgentFailure) { _ = try link.call(.unlock(passcode: passcode)) }

  /// Locks at once, without grace.
  public func lock() throws(AgentFailure) { _ = try link.call(.lock) }

  /// Sets the first passcode.
  public func setPasscode(
    _ new: SharedSecret, progress: Progress = { _, _ in }
  ) throws(AgentFailure) { _ = try link.call(.passcodeSet(new), progress: progress) }

  /// Sets another passcode.
  ///
  /// - Parameter rotates: Whether every record is sealed again under new class keys.
  public func changePasscode(
    _ old: SharedSecret, to new: SharedSecret, rotates: Bool = false, progress: Progress = { _, _ in }
  ) throws(AgentFailure) {
    _ = try link.call(.passcodeChange(old: old, new: new, rotates: rotates), progress: progress)
  }

  /// Removes the passcode, and with it every item that exists only while one is set.
  ///
  /// - Parameter rotates: As for ``changePasscode(_:to:rotates:progress:)``.
  public func removePasscode(
    _ old: SharedSecret, rotates: Bool = false, progress: Progress = { _, _ in }
  ) throws(AgentFailure) {
    _ = try link.call(.passcodeRemove(old, rotates: rotates), progress: progress)
  }

  /// Makes new class keys and seals every record again.
  public func rotate(
    _ passcode: SharedSecret?, progress: Progress = { _, _ in }
  ) throws(AgentFailure) { _ = try link.call(.rotate(passcode: passcode), progress: progress) }

  /// Changes how soon it locks.
  public func changeSettings(
    graceSeconds: Int, idleSeconds: Int, passcode: SharedSecret?
  ) throws(AgentFailure) {
    _ = try link.call(.settings(graceSeconds: graceSeconds, idleSeconds: idleSeconds, passcode: passcode))
  }

  /// Takes an older copy of the vault for the current one.
  public func acceptOlder(_ passcode: SharedSecret?) throws(AgentFailure) {
    _ = try link.call(.acceptOlder(passcode: passcode))
  }

  /// Says what a person does at the simulated reader.
  ///
  /// - Throws: `parameter` for a vault that was not made for one.
  public func simulate(_ event: SimulatedEvent) throws(AgentFailure) { _ = try link.call(.simulate(event)) }

  /// Ends the agent.
  public func stop() throws(AgentFailure) { _ = try link.call(.stop) }
}
