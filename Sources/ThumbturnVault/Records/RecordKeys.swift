internal import ThumbturnCrypto

/// The keys of one database, ready for use on one connection: contexts are kept, because making them costs more than
/// using them. One owner at a time.
package final class RecordKeys {
  /// A context of its own in each place of the array.
  private final class ClassContext {
    let derivation: HMAC
    init(_ derivation: consuming HMAC) { self.derivation = derivation }
  }

  let vaultID: InlineArray<16, UInt8>
  let keySetID: InlineArray<16, UInt8>
  private let index: HMAC
  private let mac: HMAC
  private let tagKey: SharedSecret
  private let headerKey: SharedSecret
  private let cipher: AESGCM
  private let classes: [ClassContext?]
  private let policy: ClassContext?
  /// Whether a passcode is set: without one nothing under a policy can be fulfilled.
  package let hasPasscode: Bool
  /// A program has one access group, or few, and each find asks for its tag.
  private var lastGroup: LastGroup?

  /// A bit for each protection class whose key is gone for good.
  private let deadBits: UInt32

  init(_ keySet: KeySet, _ keybag: Keybag) throws(VaultError) {
    func key(_ role: KeyRole) throws(VaultError) -> SharedSecret {
      guard let key = keySet.key(role) else { throw VaultError(.wrongKey, "the keybag lacks a key", part: .keybag) }
      return key
    }
    func context(_ key: SharedSecret) throws(VaultError) -> HMAC {
      do {
        return try key.withBytes { (bytes) throws(CryptoError) -> HMAC in try HMAC(key: bytes) }
      } catch { throw VaultError(error) }
    }
    let index = try context(try key(.index))
    let mac = try context(try key(.mac))
    var classes: [ClassContext?] = []
    for protection in ProtectionClass.allCases {
      if let key = keySet.key(.protection(protection)) {
        classes.append(ClassContext(try context(key)))
      } else {
        classes.append(nil)
      }
    }
    policy = try keySet.key(.policy).map { (key) throws(VaultError) in ClassContext(try context(key)) }
    hasPasscode = keybag.derivation != nil
    tagKey = try key(.tag)
    headerKey = try key(.header)
    do { cipher = try AESGCM() } catch { throw VaultError(error) }
    self.index = index
    self.mac = mac
    self.classes = classes
    deadBits = keybag.dead.reduce(0) { $0 | 1 << UInt32($1.rawValue) }
    vaultID = keybag.vaultID.bytes
    keySetID = keySet.id.bytes
  }

  private func context(_ protection: ProtectionClass) -> ClassContext? {
    classes[Int(protection.rawValue - ProtectionClass.whenUnlocked.rawValue)]
  }

  /// Whether the key of a protection class is in memory.
  package func isOpen(_ protection: ProtectionClass) -> Bool { context(protection) != nil }

  /// Whether the key of a protection class is gone for good; its records are as if they were not there.
  func isDead(_ protection: ProtectionClass) -> Bool { deadBits & 1 << UInt32(protection.rawValue) != 0 }

  /// Whether the key of some class is not in memory, and may be again.
  package var hasLockedClass: Bool { ProtectionClass.allCases.contains { !isOpen($0) && !isDead($0) } }

  /// Refuses a class in which nothing can be stored now.
  ///
  /// - Throws: ``VaultError/Code/classKeyMissing`` when it needs a passcode and none is set, ``VaultError/Code/classKeyLocked``.
  package func require(_ protection: ProtectionClass) throws(VaultError) {
    guard !isDead(protection) else { throw VaultError(.classKeyMissing, "no passcode is set") }
    guard isOpen(protection) else { throw VaultError(.classKeyLocked, "the class key is locked") }
  }

  /// HMAC(index key, table ‖ code ‖ canonical bytes), 16 bytes.
  ///
  /// - Parameters:
  ///   - table: The item class's number; 0 for what two classes share.
  ///   - code: The attribute's four letters.
  ///   - canonical: The canonical bytes of its value.
  package func tag(
    table: UInt8, code: InlineArray<4, UInt8>, _ canonical: Span<UInt8>
  ) throws(VaultError) -> RecordTag {
    let head: InlineArray<5, UInt8> = [table, code[0], code[1], code[2], code[3]]
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    var out = bytes.mutableSpan
    do { try index.sum(head.span, canonical, into: &out) } catch { throw VaultError(error) }
    return RecordTag(bytes)
  }

  /// As ``tag(table:code:_:)`` for an access group, whose tag is nearly always the one that was made last.
  package func groupTag(
    table: UInt8, code: InlineArray<4, UInt8>, _ canonical: Span<UInt8>
  ) throws(VaultError) -> RecordTag {
    if let tag = lastGroup?.tag(table, canonical) { return tag }
    let tag = try tag(table: table, code: code, canonical)
    lastGroup = LastGroup(table, canonical, tag)
    return tag
  }

  /// HMAC(class key, code ‖ uuid ‖ version): the key of one box.
  func boxKey(
    _ protection: ProtectionClass, _ code: BoxCode, uuid: Span<UInt8>, version: Span<UInt8>,
    into key: inout MutableSpan<UInt8>
  ) throws(VaultError) {
    guard let context = context(protection) else { throw VaultError(.classKeyLocked, "the class key is locked") }
    try Self.derive(context, code, uuid: uuid, version: version, into: &key)
  }

  /// Whether the policy key is in memory.
  var hasPolicyKey: Bool { policy != nil }

  /// HMAC(policy key, "poli" ‖ uuid ‖ secret version).
  func policyKey(uuid: Span<UInt8>, version: Span<UInt8>, into key: inout MutableSpan<UInt8>) throws(VaultError) {
    guard let policy else { throw VaultError(.classKeyLocked, "the policy key is locked") }
    try Self.derive(policy, .policy, uuid: uuid, version: version, into: &key)
  }

  private static func derive(
    _ context: ClassContext, _ code: BoxCode, uuid: Span<UInt8>, version: Span<UInt8>,
    into key: inout MutableSpan<UInt8>
  ) throws(VaultError) {
    var message = InlineArray<36, UInt8>(repeating: 0)
    var out = message.mutableSpan
    var at = 0
    out.put(code.bytes.span, at: &at)
    out.put(uuid, at: &at)
    out.put(version, at: &at)
    do { try context.derivation.sum(message.span, into: &key) } catch { throw VaultError(error) }
  }

  /// HMAC(class key, "kcv1" ‖ vault UUID ‖ key set id ‖ class), 16 bytes; zeros for a class without a key.
  func checkValue(_ protection: ProtectionClass) throws(VaultError) -> InlineArray<16, UInt8> {
    var value = InlineArray<16, UInt8>(repeating: 0)
    guard let context = context(protection) else { return value }
    var message = InlineArray<37, UInt8>(repeating: 0)
    var out = message.mutableSpan
    var at = 0
    out.put("kcv1".utf8Span.span, at: &at)
    out.put(vaultID.span, at: &at)
    out.put(keySetID.span, at: &at)
    out.putNumber(UInt64(protection.rawValue), count: 1, at: &at)
    var valueOut = value.mutableSpan
    do { try context.derivation.sum(message.span, into: &valueOut) } catch { throw VaultError(error) }
    return value
  }

  /// HMAC(MAC key, uuid ‖ version): what a record adds to the sum in the header.
  func leaf(uuid: Span<UInt8>, version: Span<UInt8>) throws(VaultError) -> InlineArray<32, UInt8> {
    var leaf = InlineArray<32, UInt8>(repeating: 0)
    var out = leaf.mutableSpan
    do { try mac.sum(uuid, version, into: &out) } catch { throw VaultError(error) }
    return leaf
  }

  func seal(key: Span<UInt8>, aad: Span<UInt8>, _ text: Span<UInt8>) throws(VaultError) -> [UInt8] {
    var box = [UInt8](repeating: 0, count: text.count + AESGCM.overhead)
    var out = box.mutableSpan
    do { try cipher.seal(key: key, aad: aad, text, into: &out) } catch { throw VaultError(error) }
    return box
  }

  func seal(
    key: Span<UInt8>, aad: Span<UInt8>, _ text: Span<UInt8>, _ fresh: inout FreshBytes
  ) throws(VaultError) -> [UInt8] {
    var box = [UInt8](repeating: 0, count: text.count + AESGCM.overhead)
    var out = box.mutableSpan
    do { try cipher.seal(key: key, aad: aad, text, into: &out, &fresh) } catch { throw VaultError(error) }
    return box
  }

  func open(
    key: Span<UInt8>, aad: Span<UInt8>, _ box: Span<UInt8>, into out: inout MutableSpan<UInt8>
  ) throws(VaultError) {
    do { try cipher.open(key: key, aad: aad, box, into: &out) } catch { throw VaultError(error) }
  }

  /// Opens a box into secret memory.
  func open(key: Span<UInt8>, aad: Span<UInt8>, _ box: Span<UInt8>) throws(VaultError) -> SecretBytes {
    guard box.count >= AESGCM.overhead else { throw VaultError(.damagedRecord, "a box is cut short") }
    do {
      return try SecretBytes(count: box.count - AESGCM.overhead) {
        (out: inout MutableSpan<UInt8>) throws(CryptoError) in
        try cipher.open(key: key, aad: aad, box, into: &out)
      }
    } catch { throw VaultError(error) }
  }

  /// Runs `body` with the key of tag blobs or of the header.
  func withKey<Result>(
    _ key: SealedPlace, _ body: (Span<UInt8>) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    try (key == .tags ? tagKey : headerKey).withBytes(body)
  }

  enum SealedPlace { case tags, header }
}

/// The first four bytes of a box key's derivation.
enum BoxCode {
  case metadata
  case secret
  /// The inner wrap of an item key.
  case policy

  var bytes: InlineArray<4, UInt8> {
    switch self {
    case .metadata: [0x6D, 0x65, 0x74, 0x61]  // meta
    case .secret: [0x73, 0x65, 0x63, 0x72]  // secr
    case .policy: [0x70, 0x6F, 0x6C, 0x69]  // poli
    }
  }
}
