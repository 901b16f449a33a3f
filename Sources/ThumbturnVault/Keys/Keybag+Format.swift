internal import ThumbturnCrypto

/// The bytes of a keybag: magic (8), major (2), minor (2), then fields, then the MAC (32) over all before it.
///
/// A field is its number (2), the size of its bytes (4) and the bytes; numbers ascend. A later minor version may add
/// fields, which this one keeps its hands off: it then only reads.
extension Keybag {
  private static let magic: InlineArray<8, UInt8> = [0x54, 0x54, 0x4B, 0x45, 0x59, 0x42, 0x41, 0x47]  // TTKEYBAG
  static let macCount = 32

  enum Field: UInt16 {
    case vaultID = 1
    case number = 2
    case id = 3
    case predecessor = 4
    case deviceKeyID = 5
    case keySetID = 6
    case databaseName = 7
    case derivation = 8
    case wraps = 9
    case dead = 10
    case removals = 11
    case settings = 12
  }

  /// All bytes but the MAC.
  func encoded() -> [UInt8] {
    var out: [UInt8] = []
    for index in 0..<8 { out.append(Self.magic[index]) }
    out.append(UInt64(format.major), count: 2)
    out.append(UInt64(format.minor), count: 2)
    func field(_ field: Field, _ bytes: [UInt8]) {
      out.append(UInt64(field.rawValue), count: 2)
      out.append(UInt64(bytes.count), count: 4)
      out += bytes
    }
    func list(_ parts: [[UInt8]]) -> [UInt8] {
      parts.reduce(into: []) { list, part in
        list.append(UInt64(part.count), count: 2)
        list += part
      }
    }
    field(.vaultID, vaultID.array)
    var count: [UInt8] = []
    count.append(number, count: 8)
    field(.number, count)
    field(.id, id.array)
    field(.predecessor, predecessor.array)
    field(.deviceKeyID, deviceKeyID.array)
    field(.keySetID, keySetID.array)
    field(.databaseName, Array(databaseName.utf8))
    field(.derivation, PasscodeDerivation.encoded(derivation))
    field(.wraps, list(wraps.map { [$0.role.rawValue] + $0.bytes }))
    field(.dead, dead.map(\.rawValue).sorted())
    field(.removals, list(removals.map { Array($0.utf8) }))
    if settings != LockSettings() { field(.settings, settings.encoded) }
    return out
  }

  /// Reads a keybag. Nothing in it may be believed before ``verify(_:mac:under:)``.
  init(decoding bytes: Span<UInt8>) throws(VaultError) {
    func damaged(_ reason: StaticString) -> VaultError { VaultError(.damaged, reason, part: .keybag) }
    guard bytes.count >= 12 + Self.macCount, bytes.extracting(0..<8).equals(Self.magic.span) else {
      throw damaged("the keybag is cut short or not ours")
    }
    format = FormatVersion(
      major: UInt16(bytes.number(at: 8, count: 2)), minor: UInt16(bytes.number(at: 10, count: 2)))
    try format.check(.keybag, fileName: Self.fileName)
    var fields: [Field: Range<Int>] = [:]
    let end = bytes.count - Self.macCount
    var at = 12
    var last = 0
    while at < end {
      guard end - at >= 6 else { throw damaged("a field of the keybag is cut short") }
      let number = Int(bytes.number(at: at, count: 2))
      let count = Int(bytes.number(at: at + 2, count: 4))
      at += 6
      guard number > last, count <= end - at else { throw damaged("the fields of the keybag are not in order") }
      last = number
      if let field = Field(rawValue: UInt16(number)) {
        fields[field] = at..<(at + count)
      } else if format.isWritable {
        throw damaged("a field that this format does not have")
      }
      at += count
    }
    func range(_ field: Field, count: Int? = nil) throws(VaultError) -> Range<Int> {
      guard let range = fields[field], count == nil || range.count == count else {
        throw damaged("a field of the keybag is missing or has a wrong size")
      }
      return range
    }
    func list(_ field: Field) throws(VaultError) -> [Range<Int>] {
      let whole = try range(field)
      var parts: [Range<Int>] = []
      var at = whole.lowerBound
      while at < whole.upperBound {
        guard whole.upperBound - at >= 2 else { throw damaged("a list of the keybag is cut short") }
        let count = Int(bytes.number(at: at, count: 2))
        at += 2
        guard count <= whole.upperBound - at else { throw damaged("a list of the keybag is cut short") }
        parts.append(at..<(at + count))
        at += count
      }
      return parts
    }
    vaultID = Identifier(bytes.extracting(try range(.vaultID, count: 16)))
    number = bytes.number(at: try range(.number, count: 8).lowerBound, count: 8)
    id = Identifier(bytes.extracting(try range(.id, count: 16)))
    predecessor = Identifier(bytes.extracting(try range(.predecessor, count: 16)))
    deviceKeyID = Identifier(bytes.extracting(try range(.deviceKeyID, count: 16)))
    keySetID = Identifier(bytes.extracting(try range(.keySetID, count: 16)))
    let derivationRange = try range(.derivation, count: PasscodeDerivation.count)
    derivation = try PasscodeDerivation.decode(bytes.extracting(derivationRange))
    wraps = []
    for part in try list(.wraps) {
      guard !part.isEmpty, let role = KeyRole(rawValue: bytes[part.lowerBound]) else {
        throw damaged("a wrapped key of an unknown role")
      }
      wraps.append(Wrap(role: role, bytes: bytes.extracting((part.lowerBound + 1)..<part.upperBound).copied()))
    }
    dead = []
    for index in try range(.dead) {
      guard let protection = ProtectionClass(rawValue: bytes[index]) else { throw damaged("an unknown class is dead") }
      dead.insert(protection)
    }
    removals = try list(.removals).map { String(decoding: bytes.extracting($0).copied(), as: UTF8.self) }
    if fields[.settings] != nil {
      settings = try LockSettings(decoding: bytes.extracting(try range(.settings, count: LockSettings.count)))
    }
    let name = bytes.extracting(try range(.databaseName)).copied()
    guard name == Array(databaseName.utf8) else { throw damaged("the keybag names another key set's database") }
  }

  /// Whether `mac` is that of `bytes` under the device key.
  static func verify(
    _ bytes: Span<UInt8>, mac: Span<UInt8>, vault: Identifier, under parents: borrowing ParentKeys
  ) throws(CryptoError) -> Bool {
    let expected = try sum(bytes, vault: vault, under: parents)
    return isEqualInConstantTime(expected.span, mac)
  }

  /// HMAC(HKDF(D0, "keybag mac" ‖ vault UUID), bytes).
  static func sum(
    _ bytes: Span<UInt8>, vault: Identifier, under parents: borrowing ParentKeys
  ) throws(CryptoError) -> [UInt8] {
    let key = try parents.keybagMACKey(vault: vault)
    var out = [UInt8](repeating: 0, count: macCount)
    var span = out.mutableSpan
    try HMAC(key: key.bytes).sum(bytes, into: &span)
    return out
  }
}

extension Identifier {
  var array: [UInt8] {
    let bytes = bytes
    return bytes.span.copied()
  }
}

extension [UInt8] {
  /// Appends the lowest `count` bytes of `value`, lowest first.
  mutating func append(_ value: UInt64, count: Int) {
    for index in 0..<count { append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
  }
}
