internal import ThumbturnCrypto
internal import ThumbturnKeychain

/// Reads fields in ascending order: number (2), type (1), size (4), bytes. It holds places only; the bytes stay where they
/// are, and are given to each call.
///
/// What is not asked for is refused: a field with a number below the next one that is asked for, and everything that is left
/// at ``end()``.
struct FieldReader {
  static let headCount = 7

  private var at: Int
  private let limit: Int

  /// Reads the fields in `range`.
  init(_ range: Range<Int>) {
    at = range.lowerBound
    limit = range.upperBound
  }

  /// Where the bytes of a field are; nil when it is not there.
  private mutating func take(
    _ number: UInt16, _ type: FieldType, in bytes: Span<UInt8>
  ) throws(FrameError) -> Range<Int>? {
    guard at < limit else { return nil }
    guard limit - at >= Self.headCount else { throw .cutShort }
    let found = UInt16(bytes.number(at: at, count: 2))
    if found > number { return nil }
    guard found == number else { throw .unexpectedField }
    guard bytes[at + 2] == type.rawValue else { throw .wrongType }
    let count = Int(bytes.number(at: at + 3, count: 4))
    let start = at + Self.headCount
    guard count <= limit - start else { throw .cutShort }
    at = start + count
    return start..<at
  }

  /// Nothing may be left.
  func end() throws(FrameError) { guard at == limit else { throw .unexpectedField } }

  mutating func file(in bytes: Span<UInt8>) throws(FrameError) -> UInt64? {
    guard let range = try take(0, .file, in: bytes) else { return nil }
    guard range.count == 8 else { throw .wrongSize }
    return bytes.number(at: range.lowerBound, count: 8)
  }

  mutating func optionalNumber(_ number: UInt16, in bytes: Span<UInt8>) throws(FrameError) -> UInt64? {
    guard let range = try take(number, .number, in: bytes) else { return nil }
    guard range.count == 8 else { throw .wrongSize }
    return bytes.number(at: range.lowerBound, count: 8)
  }

  mutating func number(_ number: UInt16, in bytes: Span<UInt8>) throws(FrameError) -> UInt64 {
    guard let value = try optionalNumber(number, in: bytes) else { throw .missingField }
    return value
  }

  /// A number that fits in an `Int` and is not negative.
  mutating func size(_ number: UInt16, in bytes: Span<UInt8>) throws(FrameError) -> Int {
    guard let value = Int(exactly: try self.number(number, in: bytes)) else { throw .wrongValue }
    return value
  }

  mutating func optionalFlag(_ number: UInt16, in bytes: Span<UInt8>) throws(FrameError) -> Bool? {
    guard let value = try optionalNumber(number, in: bytes) else { return nil }
    guard value <= 1 else { throw .wrongValue }
    return value == 1
  }

  mutating func flag(_ number: UInt16, in bytes: Span<UInt8>) throws(FrameError) -> Bool {
    guard let value = try optionalFlag(number, in: bytes) else { throw .missingField }
    return value
  }

  mutating func optionalText(
    _ number: UInt16, countMax: Int = FrameLimits.textCountMax, in bytes: Span<UInt8>
  ) throws(FrameError) -> String? {
    guard let range = try take(number, .text, in: bytes) else { return nil }
    return try Self.text(range, countMax: countMax, in: bytes)
  }

  mutating func text(_ number: UInt16, in bytes: Span<UInt8>) throws(FrameError) -> String {
    guard let value = try optionalText(number, in: bytes) else { throw .missingField }
    return value
  }

  /// The text in `range`.
  static func text(_ range: Range<Int>, countMax: Int, in bytes: Span<UInt8>) throws(FrameError) -> String {
    guard range.count <= countMax else { throw .overLimit }
    guard let text = try? UTF8Span(validating: bytes.extracting(range)) else { throw .wrongValue }
    return String(copying: text)
  }

  mutating func optionalBytes(
    _ number: UInt16, countMax: Int, in bytes: Span<UInt8>
  ) throws(FrameError) -> [UInt8]? {
    guard let range = try take(number, .bytes, in: bytes) else { return nil }
    guard range.count <= countMax else { throw .overLimit }
    return bytes.extracting(range).copied()
  }

  mutating func bytes(_ number: UInt16, countMax: Int, in bytes: Span<UInt8>) throws(FrameError) -> [UInt8] {
    guard let value = try optionalBytes(number, countMax: countMax, in: bytes) else { throw .missingField }
    return value
  }

  mutating func optionalSecret(
    _ number: UInt16, countMax: Int = FrameLimits.secretCountMax, in bytes: Span<UInt8>
  ) throws(FrameError) -> SharedSecret? {
    guard let range = try take(number, .secret, in: bytes) else { return nil }
    guard range.count <= countMax else { throw .overLimit }
    do throws(CryptoError) { return SharedSecret(try SecretBytes(copying: bytes.extracting(range))) } catch {
      throw .outOfMemory
    }
  }

  mutating func secret(_ number: UInt16, countMax: Int, in bytes: Span<UInt8>) throws(FrameError) -> SharedSecret {
    guard let value = try optionalSecret(number, countMax: countMax, in: bytes) else { throw .missingField }
    return value
  }

  mutating func optionalAttributes(_ number: UInt16, in bytes: Span<UInt8>) throws(FrameError) -> ItemAttributes? {
    guard let range = try take(number, .attributes, in: bytes) else { return nil }
    guard range.count <= FrameLimits.attributesCountMax else { throw .overLimit }
    guard let attributes = ItemAttributes(checking: bytes.extracting(range)) else { throw .wrongValue }
    return attributes
  }

  mutating func attributes(_ number: UInt16, in bytes: Span<UInt8>) throws(FrameError) -> ItemAttributes {
    guard let value = try optionalAttributes(number, in: bytes) else { throw .missingField }
    return value
  }

  /// The fields inside a field.
  mutating func optionalGroup(_ number: UInt16, in bytes: Span<UInt8>) throws(FrameError) -> FieldReader? {
    try take(number, .group, in: bytes).map { FieldReader($0) }
  }

  mutating func group(_ number: UInt16, in bytes: Span<UInt8>) throws(FrameError) -> FieldReader {
    guard let value = try optionalGroup(number, in: bytes) else { throw .missingField }
    return value
  }

  /// Gives each entry of a list to `body`; false when there is no such field.
  mutating func optionalList(
    _ number: UInt16, countMax: Int, in bytes: Span<UInt8>, _ body: (Range<Int>) throws(FrameError) -> Void
  ) throws(FrameError) -> Bool {
    guard let range = try take(number, .list, in: bytes) else { return false }
    guard range.count >= 4 else { throw .cutShort }
    let count = Int(bytes.number(at: range.lowerBound, count: 4))
    guard count <= countMax else { throw .overLimit }
    var at = range.lowerBound + 4
    for _ in 0..<count {
      guard range.upperBound - at >= 4 else { throw .cutShort }
      let size = Int(bytes.number(at: at, count: 4))
      at += 4
      guard size <= range.upperBound - at else { throw .cutShort }
      try body(at..<(at + size))
      at += size
    }
    guard at == range.upperBound else { throw .unexpectedField }
    return true
  }

  mutating func list(
    _ number: UInt16, countMax: Int, in bytes: Span<UInt8>, _ body: (Range<Int>) throws(FrameError) -> Void
  ) throws(FrameError) {
    guard try optionalList(number, countMax: countMax, in: bytes, body) else { throw .missingField }
  }
}
