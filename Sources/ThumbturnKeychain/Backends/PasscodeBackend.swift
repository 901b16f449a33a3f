package import ThumbturnVault

/// A backend that also serves what a person does with the passcode: the vault in this process, or an agent.
package protocol PasscodeBackend: KeychainBackend {
  /// Every access group that an item of the vault has; one of a locked item is not known.
  func accessGroups() throws(KeychainError) -> [String]
  /// As ``LocalBackend/unlock(_:)``.
  func unlock(_ passcode: Passcode) throws(KeychainError)
  /// As ``LocalBackend/lock()``.
  func lock() throws(KeychainError)
  /// As ``LocalBackend/changePasscode(from:to:rotates:progress:)``.
  func changePasscode(
    from old: Passcode?, to new: Passcode?, rotates: Bool, progress: (_ done: Int, _ total: Int) -> Void
  ) throws(KeychainError)
  /// As ``LocalBackend/setLockSettings(_:_:)``.
  func setLockSettings(_ settings: LockSettings, _ passcode: Passcode?) throws(KeychainError)
  /// As ``LocalBackend/acceptOlder(_:)``.
  func acceptOlder(_ passcode: Passcode?) throws(KeychainError)
}

extension LocalBackend: PasscodeBackend {}

extension LocalBackend {
  /// How many items have a protection class, of every access group: locked ones too, because the class stands in clear.
  ///
  /// - Throws: The codes of the vault's state.
  package func itemCount(of protection: ProtectionClass) throws(KeychainError) -> Int {
    try inVault { (vault) throws(VaultError) in
      try vault.read { (reader) throws(VaultError) -> Int in
        var count = 0
        for itemClass in ItemClass.allCases {
          var query = RecordQuery(table: itemClass.rawValue, groups: [])
          query.isOfAnyGroup = true
          query.protection = protection
          try reader.forEach(query, wantsSecret: false) { (_) throws(VaultError) in
            count += 1
            return .goOn
          }
        }
        return count
      }
    }
  }
}
