internal import ThumbturnCrypto
internal import ThumbturnVault

// How an access control stands in the vault, and what the vault in this process does with one.

extension AccessControl {
  private static let canonicalCount = 9

  /// Protection class (1) ‖ conditions (8, lowest first). One spelling for what means the same.
  var canonicalBytes: [UInt8] {
    [protectionClass.rawValue] + (0..<8).map { UInt8(truncatingIfNeeded: conditions.rawValue >> (8 * UInt64($0))) }
  }

  /// The one with these canonical bytes; nil for bytes that none has.
  init?(canonical bytes: Span<UInt8>) {
    guard bytes.count == Self.canonicalCount else { return nil }
    guard let protectionClass = ProtectionClass(rawValue: bytes[0]) else { return nil }
    let conditions = Conditions(rawValue: bytes.number(at: 1, count: 8))
    self.init(protectionClass, conditions)
    guard self.conditions == conditions, isConstrained else { return nil }
  }

  /// Whether an item can have it here: an application password enters no key yet, and there is no companion on Linux.
  var isStorable: Bool {
    if conditions.contains(.applicationPassword) { return false }
    return !conditions.contains(.companion) || conditions.contains(.or)
  }
}

extension OpenRecord {
  /// The access control of the record's item; nil when nothing was asked for beyond the protection class.
  ///
  /// - Throws: ``VaultError/Code/damagedRecord`` for one that this version did not write.
  func accessControl() throws(VaultError) -> AccessControl? {
    // Nearly always there is none, and that stands near the beginning.
    guard try hasPolicy(), let policy = try policy() else { return nil }
    let control = AccessControl(canonical: policy.accessControl.span)
    guard let control, control.protectionClass == protection else {
      throw VaultError(.damagedRecord, "the access control of a record makes no sense")
    }
    return control
  }
}
