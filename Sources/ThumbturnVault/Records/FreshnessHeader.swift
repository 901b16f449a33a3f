internal import ThumbturnCrypto

/// The one row that says what the whole database should hold (VAULT.md §5), rewritten in each transaction.
struct FreshnessHeader: Sendable {
  static let count = 260

  /// What the vault was made for; each bit is set when it is made, or never.
  struct Flags: OptionSet, Hashable, Sendable {
    let rawValue: UInt32
    /// Its fingers come from a simulated sensor, which no other vault accepts.
    static let simulated = Self(rawValue: 1 << 0)
  }

  var flags: Flags = []
  var keybagNumber: UInt64
  var keybagID: Identifier
  /// Counts with a TPM's counter; 0 without one.
  var epoch: UInt64 = 0
  /// Counts transactions.
  var counter: UInt64 = 0
  var rowCount: UInt64 = 0
  /// Sum modulo 2^256 of the leaves of all records, lowest byte first.
  var sum = InlineArray<32, UInt8>(repeating: 0)
  /// One for each protection class, in ascending order of their numbers.
  var checkValues = InlineArray<7, InlineArray<16, UInt8>>(repeating: .init(repeating: 0))

  mutating func add(_ leaf: InlineArray<32, UInt8>) {
    var carry = 0
    for index in 0..<32 {
      carry += Int(sum[index]) + Int(leaf[index])
      sum[index] = UInt8(carry & 0xFF)
      carry >>= 8
    }
  }

  mutating func subtract(_ leaf: InlineArray<32, UInt8>) {
    var borrow = 0
    for index in 0..<32 {
      let difference = Int(sum[index]) - Int(leaf[index]) - borrow
      sum[index] = UInt8(difference & 0xFF)
      borrow = difference < 0 ? 1 : 0
    }
  }

  /// flags (4), keybag number (8), keybag id (16), epoch (8), counter (8), rows (8), sum (32), check values (7 × 16), and 64
  /// zero bytes, of which later versions may use some.
  func encode(into out: inout MutableSpan<UInt8>) {
    var at = 0
    out.putNumber(UInt64(flags.rawValue), count: 4, at: &at)
    out.putNumber(keybagNumber, count: 8, at: &at)
    let id = keybagID.bytes
    out.put(id.span, at: &at)
    for number in [epoch, counter, rowCount] { out.putNumber(number, count: 8, at: &at) }
    out.put(sum.span, at: &at)
    for index in 0..<7 {
      let value = checkValues[index]
      out.put(value.span, at: &at)
    }
  }

  init(decoding bytes: Span<UInt8>) {
    precondition(bytes.count == Self.count)
    flags = Flags(rawValue: UInt32(bytes.number(at: 0, count: 4)))
    keybagNumber = bytes.number(at: 4, count: 8)
    keybagID = Identifier(bytes.extracting(12..<28))
    epoch = bytes.number(at: 28, count: 8)
    counter = bytes.number(at: 36, count: 8)
    rowCount = bytes.number(at: 44, count: 8)
    for index in 0..<32 { sum[index] = bytes[52 + index] }
    for index in 0..<7 {
      for byte in 0..<16 { checkValues[index][byte] = bytes[84 + 16 * index + byte] }
    }
  }

  /// The header of an empty database.
  init(_ keybag: Keybag, _ keys: RecordKeys, _ flags: Flags = []) throws(VaultError) {
    self.flags = flags
    keybagNumber = keybag.number
    keybagID = keybag.id
    for (index, protection) in ProtectionClass.allCases.enumerated() {
      checkValues[index] = try keys.checkValue(protection)
    }
  }

  func sealed(_ keys: RecordKeys) throws(VaultError) -> [UInt8] {
    var text = InlineArray<260, UInt8>(repeating: 0)
    var out = text.mutableSpan
    encode(into: &out)
    return try keys.withKey(.header) { (key) throws(VaultError) in
      let aad = Self.aad(keys)
      return try keys.seal(key: key, aad: aad.span, text.span)
    }
  }

  init(opening box: Span<UInt8>, _ keys: RecordKeys) throws(VaultError) {
    guard box.count == Self.count + AESGCM.overhead else {
      throw VaultError(.damaged, "the database's header has a wrong size", part: .database)
    }
    var text = InlineArray<260, UInt8>(repeating: 0)
    var out = text.mutableSpan
    let isAuthentic = try keys.withKey(.header) { (key) throws(VaultError) in
      let aad = Self.aad(keys)
      do throws(VaultError) { try keys.open(key: key, aad: aad.span, box, into: &out) } catch {
        guard error.code == .damagedRecord else { throw error }
        return false
      }
      return true
    }
    guard isAuthentic else {
      throw VaultError(.damaged, "the database's header was changed, or is another vault's", part: .database)
    }
    self.init(decoding: text.span)
  }

  /// vault UUID ‖ key set id.
  private static func aad(_ keys: RecordKeys) -> InlineArray<32, UInt8> {
    var aad = InlineArray<32, UInt8>(repeating: 0)
    for index in 0..<16 {
      aad[index] = keys.vaultID[index]
      aad[16 + index] = keys.keySetID[index]
    }
    return aad
  }

  /// Whether this header and this keybag are of one time; a crash between the two leaves the predecessor's id, which the
  /// next transaction corrects.
  func check(against keybag: Keybag, _ keys: RecordKeys) throws(VaultError) {
    if keybagID != keybag.id && keybagID != keybag.predecessor {
      if keybag.number < keybagNumber {
        throw VaultError(.olderCopy, "an older copy of the keybag was put back", part: .keybag)
      }
      throw VaultError(.olderCopy, "an older copy of the vault was put back", part: .database)
    }
    for (index, protection) in ProtectionClass.allCases.enumerated() where keys.isOpen(protection) {
      let value = try keys.checkValue(protection)
      let expected = checkValues[index]
      guard isEqualInConstantTime(value.span, expected.span) else {
        throw VaultError(.wrongKey, "a class key does not fit the database", part: .keybag)
      }
    }
  }
}
