// Wrong fingers, counted beside wrong passcodes (VAULT.md §9). Each call takes the lock of the attempts for itself: it is
// never held while a finger is waited for.
extension Vault {
  /// Counts a wrong finger, before the reader looks at one; on the disk when this returns. Whoever is killed while the reader
  /// looks has spent it.
  ///
  /// - Returns: How many there are now, this one included: at most 5.
  /// - Throws: ``VaultError/Code/lockedOut``, with no time to wait, when there were 5 before, or the file of attempts says
  ///   nothing valid: only the right passcode ends that. ``VaultError/Code/noPasscode``, ``VaultError/Code/noVault``,
  ///   ``VaultError/Code/writerBusy`` when tries of a passcode kept the lock for 30 seconds, and what writing can throw: then
  ///   nothing may be looked at.
  package func beginFinger() throws(VaultError) -> Int {
    try withAttempts { (attempts) throws(VaultError) in try attempts.beginFinger() }
  }

  /// Takes back what ``beginFinger()`` has counted: no finger came, it was not seen well enough, or the person cancelled.
  package func fingerWithdrawn() throws(VaultError) {
    try withAttempts { (attempts) throws(VaultError) in try attempts.withdrawFinger() }
  }

  /// A finger was recognised: no wrong one is counted any more.
  package func fingerMatched() throws(VaultError) {
    try withAttempts { (attempts) throws(VaultError) in try attempts.fingerMatched() }
  }

  /// Wrong fingers since the last right finger or passcode: 5 mean that none is looked at. Waits for nobody, and writes
  /// nothing; without a passcode there are none.
  package func fingerFailures() throws(VaultError) -> Int {
    try ForkGate.pass { () throws(VaultError) in
      let keybag = try visit().verified().keybag
      guard keybag.derivation != nil else { return 0 }
      return presentLockOut(keybag).fingerFailures
    }
  }

  private func withAttempts<Result>(
    _ body: (AttemptsFile) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    try ForkGate.pass { () throws(VaultError) in
      let (visit, checked) = try look()
      guard checked.keybag.derivation != nil else {
        throw VaultError(.noPasscode, "no passcode is set", part: .keybag)
      }
      defer { withExtendedLifetime(visit) {} }
      return try body(checked.attempts)
    }
  }
}
