internal import ThumbturnCrypto

/// The keys of one database: seven class keys and those of index, tags, header, MAC and policies, all random (VAULT.md §2).
final class KeySet: Sendable {
  let id: Identifier
  private let keys: [KeyRole: SharedSecret]

  private init(id: Identifier, keys: [KeyRole: SharedSecret]) {
    self.id = id
    self.keys = keys
  }

  /// The key of a role, or nil when it does not exist or is locked.
  func key(_ role: KeyRole) -> SharedSecret? { keys[role] }

  /// Whether the kernel keeps all of them out of swap.
  var isLocked: Bool { keys.values.allSatisfy { $0.bytes.isLocked } }

  /// A new key set. Without a passcode there is none for the class that dies with it.
  ///
  /// - Parameter hasPolicy: Whether there is a policy key without a passcode too: one that was there stays.
  static func random(hasPasscode: Bool = false, hasPolicy: Bool = false) throws(CryptoError) -> KeySet {
    var keys: [KeyRole: SharedSecret] = [:]
    for role in KeyRole.all {
      if !hasPasscode, role == .protection(.whenPasscodeSetThisDeviceOnly) { continue }
      if !hasPasscode, !hasPolicy, role == .policy { continue }
      keys[role] = SharedSecret(try SecretBytes.random(count: 32))
    }
    return KeySet(id: try Identifier.random(), keys: keys)
  }

  /// All keys wrapped, in ascending order of their roles.
  func wraps(under parents: borrowing ParentKeys) throws(CryptoError) -> [Keybag.Wrap] {
    var wraps: [Keybag.Wrap] = []
    for role in KeyRole.all.sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let key = keys[role] else { continue }
      guard let wrappingKey = try parents.wrappingKey(of: role, keySet: id) else { throw .mismatch }
      let bytes = try key.withBytes { (key) throws(CryptoError) in try KeyWrap.wrap(key, under: wrappingKey.bytes) }
      wraps.append(Keybag.Wrap(role: role, bytes: bytes))
    }
    return wraps
  }

  /// Opens those wraps of a keybag whose parent key is there.
  ///
  /// - Throws: ``CryptoError/Code/notAuthentic`` when one does not fit.
  static func open(_ keybag: Keybag, under parents: borrowing ParentKeys) throws(CryptoError) -> KeySet {
    var keys: [KeyRole: SharedSecret] = [:]
    for wrap in keybag.wraps {
      guard let wrappingKey = try parents.wrappingKey(of: wrap.role, keySet: keybag.keySetID) else { continue }
      keys[wrap.role] = SharedSecret(try KeyWrap.unwrap(wrap.bytes.span, under: wrappingKey.bytes))
    }
    return KeySet(id: keybag.keySetID, keys: keys)
  }

  /// These keys without one that is to be gone for good.
  func without(_ role: KeyRole) -> KeySet { KeySet(id: id, keys: keys.filter { $0.key != role }) }

  /// These keys and what a passcode opened of the same set; keys of another set open nothing here.
  func adding(_ unlocked: UnlockedKeys?) -> KeySet {
    guard let unlocked, unlocked.keySetID == id else { return self }
    return KeySet(id: id, keys: keys.merging(unlocked.keys) { own, _ in own })
  }

  /// What a passcode opens of them.
  var unlocked: UnlockedKeys { UnlockedKeys(keySetID: id, keys: keys.filter(\.key.needsPasscodeKey)) }
}

/// The keys that a passcode has opened, for as long as they may be in memory. They are wiped with their last owner.
final class UnlockedKeys: Sendable {
  let keySetID: Identifier
  fileprivate let keys: [KeyRole: SharedSecret]

  fileprivate init(keySetID: Identifier, keys: [KeyRole: SharedSecret]) {
    self.keySetID = keySetID
    self.keys = keys
  }

  /// What stays when the vault is locked: the classes that are open from the first unlock on, and the policy key.
  func locked() -> UnlockedKeys {
    UnlockedKeys(keySetID: keySetID, keys: keys.filter { !$0.key.isDroppedByLock })
  }

  /// The protection classes among them.
  var classes: Set<ProtectionClass> {
    Set(keys.keys.compactMap { if case .protection(let protection) = $0 { protection } else { nil } })
  }
}

/// The two keys under which a key set is wrapped: D0, and the KEK that a passcode enters. Only ever input of a derivation.
struct ParentKeys: ~Copyable {
  let deviceKey: SecretBytes
  /// Nil while the passcode is not known.
  private let keyEncryptionKey: SecretBytes?

  /// Without a passcode the KEK is derived from the device key.
  init(deviceKey: consuming SecretBytes) throws(CryptoError) {
    keyEncryptionKey = try HKDF.derive(key: deviceKey.bytes, info: "kek".utf8Span.span)
    self.deviceKey = deviceKey
  }

  /// Of a vault with a passcode that is not known: what is always available can be opened.
  init(lockedDeviceKey deviceKey: consuming SecretBytes) {
    self.deviceKey = deviceKey
    keyEncryptionKey = nil
  }

  /// KEK = HKDF(passcode key ‖ D1). Without a TPM, D1 = HKDF(D0, "d1").
  init(deviceKey: consuming SecretBytes, passcodeKey: borrowing SecretBytes) throws(CryptoError) {
    let second = try HKDF.derive(key: deviceKey.bytes, info: "d1".utf8Span.span)
    let passcodeKey = passcodeKey.bytes
    let both = try SecretBytes(count: passcodeKey.count + second.count) {
      (out: inout MutableSpan<UInt8>) throws(CryptoError) in
      var at = 0
      out.put(passcodeKey, at: &at)
      out.put(second.bytes, at: &at)
    }
    keyEncryptionKey = try HKDF.derive(key: both.bytes, info: "kek".utf8Span.span)
    self.deviceKey = deviceKey
  }

  /// Those of a new device key, without a passcode.
  static func random() throws(VaultError) -> ParentKeys {
    do { return try ParentKeys(deviceKey: try SecretBytes.random(count: DeviceKey.keyCount)) } catch {
      throw VaultError(error)
    }
  }

  /// HKDF(parent, "wrap" ‖ class or role ‖ key set id); nil when the parent is not known.
  func wrappingKey(of role: KeyRole, keySet: Identifier) throws(CryptoError) -> SecretBytes? {
    var info = InlineArray<21, UInt8>(repeating: 0)
    var out = info.mutableSpan
    var at = 0
    out.put("wrap".utf8Span.span, at: &at)
    out.putNumber(UInt64(role.rawValue), count: 1, at: &at)
    let id = keySet.bytes
    out.put(id.span, at: &at)
    guard role.needsPasscodeKey else { return try HKDF.derive(key: deviceKey.bytes, info: info.span) }
    return try Self.derive(keyEncryptionKey, info.span)
  }

  private static func derive(_ key: borrowing SecretBytes?, _ info: Span<UInt8>) throws(CryptoError) -> SecretBytes? {
    switch key {
    case .some(let key): try HKDF.derive(key: key.bytes, info: info)
    case .none: nil
    }
  }

  /// HKDF(D0, "keybag mac" ‖ vault UUID).
  func keybagMACKey(vault: Identifier) throws(CryptoError) -> SecretBytes {
    try DeviceKey.derive(from: deviceKey, "keybag mac", vault)
  }
}
