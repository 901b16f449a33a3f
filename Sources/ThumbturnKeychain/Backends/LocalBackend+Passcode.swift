internal import ThumbturnCrypto
public import ThumbturnVault

extension LocalBackend {
  /// Opens the items that need the passcode, for this process, until ``lock()`` or its end.
  ///
  /// Slow on purpose: a quarter of a second and more. From any thread; ends in bounded time.
  ///
  /// - Throws: ``KeychainError/Code/authenticationFailed`` for a wrong passcode, too many of them, or a vault without one;
  ///   ``KeychainError/cause`` says which. ``KeychainError/Code/itemNotFound`` when there is no vault,
  ///   ``KeychainError/Code/notAvailable`` while an agent holds it.
  public func unlock(_ passcode: Passcode) throws(KeychainError) {
    try inVault { (vault) throws(VaultError) in try vault.unlock(passcode) }
  }

  /// Wipes the keys that are in memory only while the vault is unlocked.
  ///
  /// - Throws: ``KeychainError/Code/authenticationFailed`` for a vault without a passcode, which cannot be locked.
  public func lock() throws(KeychainError) {
    try inVault { (vault) throws(VaultError) in try vault.lock() }
  }

  /// Keeps the vault for this process alone, until ``giveSeat()`` or its end: what an agent does.
  ///
  /// - Throws: ``KeychainError/Code/notAvailable`` when another holds it, ``KeychainError/Code/itemNotFound`` without a vault.
  package func holdSeat() throws(KeychainError) {
    try inVault { (vault) throws(VaultError) in try vault.holdSeat() }
  }

  /// Lets the vault go, with every key.
  package func giveSeat() { vault.giveSeat() }

  /// Forgets everything that a passcode has opened: the vault is as after a start of the machine.
  package func forgetKeys() { vault.forgetKeys() }

  /// Sets, changes or removes the passcode; see VAULT.md §2.
  ///
  /// - Parameters:
  ///   - old: The present one; nil where there is none.
  ///   - new: The new one; nil removes it, and with it every item that is to be there only with a passcode.
  ///   - rotates: Whether everything is sealed anew under new keys. Setting a first passcode always does.
  ///   - progress: Called now and then with the number of items sealed and that of all.
  /// - Throws: As ``unlock(_:)``; ``KeychainError/Code/parameter`` when a passcode is set and was not given.
  public func changePasscode(
    from old: Passcode?, to new: Passcode?, rotates: Bool = false,
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(KeychainError) {
    try inVault { (vault) throws(VaultError) in
      try vault.changePasscode(from: old, to: new, rotates: rotates, ItemDrafting(), progress: progress)
    }
  }

  /// Changes when an agent locks the vault by itself.
  ///
  /// - Throws: As ``unlock(_:)``; ``KeychainError/Code/dataTooLarge`` outside the limits.
  public func setLockSettings(_ settings: LockSettings, _ passcode: Passcode?) throws(KeychainError) {
    try inVault { (vault) throws(VaultError) in try vault.setLockSettings(settings, passcode) }
  }

  /// Takes an older copy of the vault for what is to be from now on, after a backup was put back.
  ///
  /// - Parameter passcode: Nil where there is none.
  /// - Throws: As ``unlock(_:)``.
  public func acceptOlder(_ passcode: Passcode?) throws(KeychainError) {
    try inVault { (vault) throws(VaultError) in try vault.acceptOlder(passcode) }
  }
}

/// What a record becomes under other keys: the same item, with tags of the other index key.
struct ItemDrafting: RecordDrafting {
  func draft(of record: borrowing OpenRecord, under keys: RecordKeys) throws(VaultError) -> RecordDraft {
    guard let itemClass = ItemClass(rawValue: record.table) else {
      throw VaultError(.damagedRecord, "a record of an unknown item class")
    }
    let attributes = try ItemAttributes(of: record)
    return try ItemContent(record, itemClass, attributes).draft(keys)
  }
}

extension ItemAttributes {
  /// All attributes of an open record.
  ///
  /// - Throws: ``VaultError/Code/damagedRecord`` for a field that cannot be decoded.
  init(of record: borrowing OpenRecord) throws(VaultError) {
    let fields = record.fields
    var (start, count) = (fields.count, 0)
    var policy: Range<Int>?
    var walk = RecordFieldWalk()
    while let place = try walk.next(in: fields) {
      guard place.number > RecordField.ownNumberMax else { continue }
      if place.number == Attribute.accessControl.rawValue {
        policy = place.startWithHead..<place.range.upperBound
        continue
      }
      try place.check(in: fields)
      if count == 0 { start = place.startWithHead }
      count += 1
    }
    self.init(fields: fields, from: start, count: count, without: policy)
  }
}
