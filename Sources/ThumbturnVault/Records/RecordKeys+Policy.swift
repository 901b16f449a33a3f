internal import ThumbturnCrypto

// The key of a secret box under a policy is random, and hangs on two keys: that of the record's class and the policy key
// (VAULT.md §3).
extension RecordKeys {
  static let itemKeyCount = 32
  static let wrappedItemKeyCount = itemKeyCount + 2 * KeyWrap.overhead

  /// Refuses a policy while nothing could ever fulfil it, or its key is not there.
  ///
  /// - Throws: ``VaultError/Code/noPasscode``, ``VaultError/Code/classKeyLocked`` before the first unlock.
  package func requirePolicy() throws(VaultError) {
    guard hasPasscode else { throw VaultError(.noPasscode, "no passcode is set", part: .keybag) }
    guard hasPolicyKey else { throw VaultError(.classKeyLocked, "the policy key is locked") }
  }

  /// AES-KW(key of a secret box of the class, AES-KW(HMAC(policy key, "poli" ‖ uuid ‖ secret version), item key)).
  func wrap(
    itemKey: Span<UInt8>, _ protection: ProtectionClass, uuid: Span<UInt8>, version: Span<UInt8>
  ) throws(VaultError) -> [UInt8] {
    let outer = try wrappingKey(protection, uuid: uuid, version: version)
    let inner = try policyWrappingKey(uuid: uuid, version: version)
    do {
      let once = try KeyWrap.wrap(itemKey, under: inner.bytes)
      return try KeyWrap.wrap(once.span, under: outer.bytes)
    } catch { throw VaultError(error) }
  }

  /// The key of a secret box under a policy.
  ///
  /// - Throws: ``VaultError/Code/damagedRecord``, ``VaultError/Code/classKeyLocked``.
  func unwrapItemKey(
    _ wrap: Span<UInt8>, _ protection: ProtectionClass, uuid: Span<UInt8>, version: Span<UInt8>
  ) throws(VaultError) -> SecretBytes {
    let once = try unwrapOnce(wrap, protection, uuid: uuid, version: version)
    let inner = try policyWrappingKey(uuid: uuid, version: version)
    return try Self.unwrap(once.bytes, under: inner, count: Self.itemKeyCount)
  }

  /// The outer of the two wraps taken off: without the policy key it can be told only that this one is whole.
  func unwrapOnce(
    _ wrap: Span<UInt8>, _ protection: ProtectionClass, uuid: Span<UInt8>, version: Span<UInt8>
  ) throws(VaultError) -> SecretBytes {
    let outer = try wrappingKey(protection, uuid: uuid, version: version)
    return try Self.unwrap(wrap, under: outer, count: Self.itemKeyCount + KeyWrap.overhead)
  }

  private static func unwrap(
    _ wrap: Span<UInt8>, under key: borrowing SecretBytes, count: Int
  ) throws(VaultError) -> SecretBytes {
    guard wrap.count == count + KeyWrap.overhead else {
      throw VaultError(.damagedRecord, "the item key of a record has a wrong size")
    }
    do throws(CryptoError) { return try KeyWrap.unwrap(wrap, under: key.bytes) } catch {
      guard error.code == .notAuthentic else { throw VaultError(error) }
      throw VaultError(.damagedRecord, "the item key of a record did not verify")
    }
  }

  private func wrappingKey(
    _ protection: ProtectionClass, uuid: Span<UInt8>, version: Span<UInt8>
  ) throws(VaultError) -> SecretBytes {
    var key = try Self.zeros()
    var out = key.mutableBytes
    try boxKey(protection, .secret, uuid: uuid, version: version, into: &out)
    return key
  }

  private func policyWrappingKey(uuid: Span<UInt8>, version: Span<UInt8>) throws(VaultError) -> SecretBytes {
    var key = try Self.zeros()
    var out = key.mutableBytes
    try policyKey(uuid: uuid, version: version, into: &out)
    return key
  }

  private static func zeros() throws(VaultError) -> SecretBytes {
    do { return try SecretBytes(count: itemKeyCount) { _ in } } catch { throw VaultError(error) }
  }
}
