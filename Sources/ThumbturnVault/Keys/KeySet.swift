internal import ThumbturnCrypto

/// The keys of one database: seven class keys and those of index, tags, header and MAC, all random (VAULT.md §2).
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

  /// A new key set for a vault without a passcode: no policy key, and none for the class that dies with the passcode.
  static func random() throws(CryptoError) -> KeySet {
    var keys: [KeyRole: SharedSecret] = [:]
    for role in KeyRole.all where role != .policy && role != .protection(.whenPasscodeSetThisDeviceOnly) {
      keys[role] = SharedSecret(try SecretBytes.random(count: 32))
    }
    return KeySet(id: try Identifier.random(), keys: keys)
  }

  /// All keys wrapped, in ascending order of their roles.
  func wraps(under parents: borrowing ParentKeys) throws(CryptoError) -> [Keybag.Wrap] {
    var wraps: [Keybag.Wrap] = []
    for role in KeyRole.all.sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let key = keys[role] else { continue }
      let wrappingKey = try parents.wrappingKey(of: role, keySet: id)
      let bytes = try key.withBytes { (key) throws(CryptoError) in try KeyWrap.wrap(key, under: wrappingKey.bytes) }
      wraps.append(Keybag.Wrap(role: role, bytes: bytes))
    }
    return wraps
  }

  /// Opens the wraps of a keybag.
  ///
  /// - Throws: ``CryptoError/Code/notAuthentic`` when one does not fit.
  static func open(_ keybag: Keybag, under parents: borrowing ParentKeys) throws(CryptoError) -> KeySet {
    var keys: [KeyRole: SharedSecret] = [:]
    for wrap in keybag.wraps {
      let wrappingKey = try parents.wrappingKey(of: wrap.role, keySet: keybag.keySetID)
      keys[wrap.role] = SharedSecret(try KeyWrap.unwrap(wrap.bytes.span, under: wrappingKey.bytes))
    }
    return KeySet(id: keybag.keySetID, keys: keys)
  }
}

/// The two keys under which a key set is wrapped: D0, and the KEK that a passcode enters. Only ever input of a derivation.
struct ParentKeys: ~Copyable {
  let deviceKey: SecretBytes
  private let passcodeKey: SecretBytes

  /// Without a passcode the KEK is derived from the device key.
  init(deviceKey: consuming SecretBytes) throws(CryptoError) {
    passcodeKey = try HKDF.derive(key: deviceKey.bytes, info: "kek".utf8Span.span)
    self.deviceKey = deviceKey
  }

  /// Those of a new device key.
  static func random() throws(VaultError) -> ParentKeys {
    do { return try ParentKeys(deviceKey: try SecretBytes.random(count: DeviceKey.keyCount)) } catch {
      throw VaultError(error)
    }
  }

  /// HKDF(parent, "wrap" ‖ class or role ‖ key set id).
  func wrappingKey(of role: KeyRole, keySet: Identifier) throws(CryptoError) -> SecretBytes {
    var info = InlineArray<21, UInt8>(repeating: 0)
    var out = info.mutableSpan
    var at = 0
    out.put("wrap".utf8Span.span, at: &at)
    out.putNumber(UInt64(role.rawValue), count: 1, at: &at)
    let id = keySet.bytes
    out.put(id.span, at: &at)
    if role.needsPasscodeKey { return try HKDF.derive(key: passcodeKey.bytes, info: info.span) }
    return try HKDF.derive(key: deviceKey.bytes, info: info.span)
  }

  /// HKDF(D0, "keybag mac" ‖ vault UUID).
  func keybagMACKey(vault: Identifier) throws(CryptoError) -> SecretBytes {
    var info = InlineArray<26, UInt8>(repeating: 0)
    var out = info.mutableSpan
    var at = 0
    out.put("keybag mac".utf8Span.span, at: &at)
    let id = vault.bytes
    out.put(id.span, at: &at)
    return try HKDF.derive(key: deviceKey.bytes, info: info.span)
  }
}
