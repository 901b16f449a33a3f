public import ThumbturnVault

extension LocalBackend {
  /// Looks at every record of the vault, and does what `request` allows with what it finds.
  ///
  /// - Parameters:
  ///   - request: What may be changed.
  ///   - progress: Called now and then with the number of records read and that of all.
  /// - Throws: ``KeychainError/Code/itemNotFound`` when there is no vault, ``KeychainError/Code/notAvailable`` when it cannot
  ///   be opened; a damaged database is a finding, no error.
  public func check(
    _ request: CheckRequest = CheckRequest(), progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(KeychainError) -> CheckReport {
    try inVault { (vault) throws(VaultError) in try vault.check(request, progress: progress) }
  }

  /// Finds every record that still opens, also in a database that SQLite cannot read, and puts a new database with them in
  /// its place when `confirmed` is what it finds. The old one is kept.
  ///
  /// - Parameter confirmed: What a person agreed to, from an earlier call; nil only looks.
  /// - Throws: ``KeychainError/Code/itemNotFound`` when there is no vault, ``KeychainError/Code/notAvailable`` when nothing
  ///   opens.
  public func salvage(replacing confirmed: SalvageReport? = nil) throws(KeychainError) -> SalvageReport {
    try inVault { (vault) throws(VaultError) in try vault.salvage(replacing: confirmed) }
  }
}
