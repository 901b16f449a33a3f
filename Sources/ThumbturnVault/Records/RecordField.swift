internal import ThumbturnCrypto

/// One field of a metadata or secret box: number (2), type (1), size (4), bytes; numbers ascend (VAULT.md §3).
package struct RecordField: Hashable, Sendable {
  /// How the bytes are to be read.
  package enum Kind: UInt8, Sendable {
    /// UTF-8.
    case text = 1
    case data = 2
    /// A signed 64-bit integer, lowest byte first.
    case number = 3
    /// An IEEE double, lowest byte first: seconds since 2001.
    case date = 4
  }

  /// Fields that the vault writes itself. Numbers below 16 are its own.
  enum Own: UInt16 {
    case secretVersion = 1
    case commit = 2
    /// With a policy: hash of the enrolment, empty when there is none.
    case enrolmentHash = 3
    /// With a policy: the key of the secret box, wrapped twice.
    case itemKey = 4
    /// With an application password: see ``PasswordLock``.
    case applicationPassword = 5
    /// With a policy: the canonical access control; its number is that of the attribute, and it stands among those.
    case policy = 40
  }
  package static let ownNumberMax: UInt16 = 15
  static let headCount = 7

  package let number: UInt16
  package let kind: Kind
  package let bytes: [UInt8]

  package init(_ number: UInt16, _ kind: Kind, _ bytes: [UInt8]) {
    self.number = number
    self.kind = kind
    self.bytes = bytes
  }

  /// Appends an encoded field.
  package static func append(_ number: UInt16, _ kind: Kind, _ bytes: Span<UInt8>, to encoded: inout [UInt8]) {
    encoded.append(UInt64(number), count: 2)
    encoded.append(kind.rawValue)
    encoded.append(UInt64(bytes.count), count: 4)
    unsafe bytes.withUnsafeBytes { unsafe encoded.append(contentsOf: $0) }
  }

  /// Appends the encoded field of a number or a date.
  package static func append(_ number: UInt16, _ kind: Kind, _ bits: UInt64, to encoded: inout [UInt8]) {
    encoded.append(UInt64(number), count: 2)
    encoded.append(kind.rawValue)
    encoded.append(8, count: 4)
    encoded.append(bits, count: 8)
  }

  init(_ own: Own, _ kind: Kind, _ bytes: [UInt8]) { self.init(own.rawValue, kind, bytes) }
}

/// Where a field lies in the encoded fields of a record.
package struct RecordFieldPlace: Sendable {
  package let number: UInt16
  package let kind: RecordField.Kind
  package let range: Range<Int>
  /// Where its head begins.
  package var startWithHead: Int { range.lowerBound - RecordField.headCount }
}

/// Walks through encoded fields without copying them.
package struct RecordFieldWalk: Sendable {
  private var at = 0
  private var last = 0

  package init() {}

  /// The next field of `fields`, or nil at the end.
  package mutating func next(in fields: Span<UInt8>) throws(VaultError) -> RecordFieldPlace? {
    guard at < fields.count else { return nil }
    guard fields.count - at >= RecordField.headCount else { throw VaultError(.damagedRecord, "a field is cut short") }
    let number = Int(fields.number(at: at, count: 2))
    let kind = RecordField.Kind(rawValue: fields[at + 2])
    let count = Int(fields.number(at: at + 3, count: 4))
    at += RecordField.headCount
    guard number > last, count <= fields.count - at, let kind else {
      throw VaultError(.damagedRecord, "the fields of a record are not in order")
    }
    last = number
    defer { at += count }
    return RecordFieldPlace(number: UInt16(number), kind: kind, range: at..<(at + count))
  }

  /// Where the bytes of the field `number` lie in `fields`, or nil.
  package static func find(_ number: UInt16, in fields: Span<UInt8>) throws(VaultError) -> RecordFieldPlace? {
    var walk = RecordFieldWalk()
    while let place = try walk.next(in: fields) {
      if place.number == number { return place }
      if place.number > number { return nil }
    }
    return nil
  }
}

extension MutableSpan where Element == UInt8 {
  /// Writes the head of a field.
  @_lifetime(self: copy self)
  mutating func putFieldHead(_ number: UInt16, _ kind: RecordField.Kind, count: Int, at: inout Int) {
    putNumber(UInt64(number), count: 2, at: &at)
    putNumber(UInt64(kind.rawValue), count: 1, at: &at)
    putNumber(UInt64(count), count: 4, at: &at)
  }
}
