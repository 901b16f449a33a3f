internal import ThumbturnVault

extension LocalBackend {
  /// Makes a vault for a simulated sensor, where there is none: only such a one takes what a simulated sensor says, and says
  /// so in its status. A vault that is there cannot become one.
  ///
  /// - Throws: ``KeychainError/Code/notAvailable`` where there is a vault (the cause is ``VaultError/Code/inTheWay``), and the
  ///   codes of the vault's state.
  package func createSimulated() throws(KeychainError) {
    try inVault { (vault) throws(VaultError) in try vault.createSimulated() }
  }

  /// Counts a wrong finger, before the reader looks at one; on the disk when this returns.
  ///
  /// - Returns: How many there are now, this one included: at most 5.
  /// - Throws: ``KeychainError/Code/authenticationFailed`` when there were 5 before (the cause is
  ///   ``VaultError/Code/lockedOut``), or no passcode is set; the codes of the vault's state: then nothing may be looked at.
  package func beginFinger() throws(KeychainError) -> Int {
    try inVault { (vault) throws(VaultError) in try vault.beginFinger() }
  }

  /// Takes back what ``beginFinger()`` has counted: no finger came, it was not seen well enough, or the person cancelled.
  package func fingerWithdrawn() throws(KeychainError) {
    try inVault { (vault) throws(VaultError) in try vault.fingerWithdrawn() }
  }

  /// A finger was recognised: no wrong one is counted any more.
  package func fingerMatched() throws(KeychainError) {
    try inVault { (vault) throws(VaultError) in try vault.fingerMatched() }
  }

  /// Wrong fingers since the last right finger or passcode: 5 mean that none is looked at.
  package func fingerFailures() throws(KeychainError) -> Int {
    try inVault { (vault) throws(VaultError) in try vault.fingerFailures() }
  }
}
