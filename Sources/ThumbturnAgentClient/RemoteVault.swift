package import ThumbturnAuthentication
internal import ThumbturnCrypto
package import ThumbturnKeychain
package import ThumbturnVault

/// A vault behind its agent, with what a person does with the passcode.
package final class RemoteVault: PasscodeBackend {
  private let items: RemoteBackend
  private let control: AgentControl

  package init(_ link: AgentLink) {
    items = RemoteBackend(link)
    control = AgentControl(link)
  }

  /// What the agent says of itself.
  package func status() throws(KeychainError) -> AgentStatus {
    try controlled { (control) throws(AgentFailure) in try control.status() }
  }

  /// Ends the agent.
  package func stop() throws(KeychainError) {
    try controlled { (control) throws(AgentFailure) in try control.stop() }
  }

  /// As ``AgentControl/simulate(_:)``.
  package func simulate(_ event: SimulatedEvent) throws(KeychainError) {
    try controlled { (control) throws(AgentFailure) in try control.simulate(event) }
  }

  package func add(_ item: NewItem, for caller: Caller) throws(KeychainError) -> FoundItem {
    try items.add(item, for: caller)
  }
  package func find(_ query: ItemQuery, for caller: Caller) throws(KeychainError) -> [FoundItem] {
    try items.find(query, for: caller)
  }
  package func update(_ query: ItemQuery, with change: ItemChange, for caller: Caller) throws(KeychainError) {
    try items.update(query, with: change, for: caller)
  }
  package func delete(_ query: ItemQuery, for caller: Caller) throws(KeychainError) {
    try items.delete(query, for: caller)
  }
  package func accessGroups() throws(KeychainError) -> [String] { try items.accessGroups() }

  package func unlock(_ passcode: Passcode) throws(KeychainError) {
    try controlled { (control) throws(AgentFailure) in try control.unlock(passcode.secret) }
  }
  package func lock() throws(KeychainError) {
    try controlled { (control) throws(AgentFailure) in try control.lock() }
  }
  package func changePasscode(
    from old: Passcode?, to new: Passcode?, rotates: Bool, progress: (_ done: Int, _ total: Int) -> Void
  ) throws(KeychainError) {
    try controlled { (control) throws(AgentFailure) in
      switch (old?.secret, new?.secret) {
      case (nil, let new?): try control.setPasscode(new, progress: progress)
      case (let old?, let new?): try control.changePasscode(old, to: new, rotates: rotates, progress: progress)
      case (let old?, nil): try control.removePasscode(old, rotates: rotates, progress: progress)
      case (nil, nil): try control.rotate(nil, progress: progress)
      }
    }
  }
  package func setLockSettings(_ settings: LockSettings, _ passcode: Passcode?) throws(KeychainError) {
    try controlled { (control) throws(AgentFailure) in
      try control.changeSettings(
        graceSeconds: settings.graceSeconds, idleSeconds: settings.idleSeconds, passcode: passcode?.secret)
    }
  }
  package func acceptOlder(_ passcode: Passcode?) throws(KeychainError) {
    try controlled { (control) throws(AgentFailure) in try control.acceptOlder(passcode?.secret) }
  }

  private func controlled<Value>(
    _ body: (AgentControl) throws(AgentFailure) -> Value
  ) throws(KeychainError) -> Value {
    do throws(AgentFailure) { return try body(control) } catch { throw error.error }
  }
}

extension AgentStatus {
  /// What a vault in process would say of itself.
  package var vault: VaultStatus {
    var settings = LockSettings()
    settings.graceSeconds = graceSeconds
    settings.idleSeconds = idleSeconds
    return VaultStatus(
      isPresent: true, itemCount: itemCount, format: (formatMajor, formatMinor),
      vaultID: Identifier(vaultID.span).hyphenated, deviceKeyPath: deviceKeyPath, hasPasscode: hasPasscode,
      isSimulated: isSimulated,
      openClasses: Set(openClasses), settings: settings, failedAttempts: failedAttempts, secondsToWait: secondsToWait,
      isMemoryLocked: isMemoryLocked)
  }
}
