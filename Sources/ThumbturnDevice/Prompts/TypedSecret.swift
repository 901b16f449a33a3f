internal import ThumbturnCrypto

/// What a person typed, collected in secret memory.
struct TypedSecret: ~Copyable {
  /// The longest, in bytes.
  static let countMax = 1_024

  private var storage: SecretBytes
  private(set) var count = 0
  /// Whether more was typed than may be.
  private(set) var isTooLong = false

  init() throws(CryptoError) {
    storage = try SecretBytes(count: Self.countMax) { (_: inout MutableSpan<UInt8>) throws(CryptoError) in }
  }

  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.bytes.extracting(0..<count) }
  }

  mutating func append(_ byte: UInt8) {
    guard count < Self.countMax else {
      isTooLong = true
      return
    }
    let end = count
    var bytes = storage.mutableBytes
    bytes[end] = byte
    count += 1
  }

  /// Adds the bytes of a line of data, from its third byte on, in which `%` and two digits stand for a byte.
  ///
  /// - Returns: False when a `%` stands alone.
  mutating func append(data line: Span<UInt8>) -> Bool {
    var index = 2
    while index < line.count {
      if line[index] == UInt8(ascii: "%") {
        guard index + 2 < line.count, let high = Self.digit(line[index + 1]), let low = Self.digit(line[index + 2])
        else { return false }
        append(high << 4 | low)
        index += 3
      } else {
        append(line[index])
        index += 1
      }
    }
    return true
  }

  /// Takes the last character away, which may have several bytes.
  mutating func removeLast() {
    var start = count
    while start > 0 {
      start -= 1
      if storage.bytes[start] & 0xC0 != 0x80 { break }
    }
    storage.wipe(start..<count)
    count = start
  }

  mutating func removeAll() {
    storage.wipe(0..<count)
    count = 0
    isTooLong = false
  }

  /// The whole as a secret; nil when it was too long, or is not UTF-8.
  consuming func finished() -> SharedSecret? {
    guard !isTooLong, Self.isUTF8(bytes) else { return nil }
    storage.narrow(to: 0..<count)
    return SharedSecret(storage)
  }

  private static func isUTF8(_ bytes: Span<UInt8>) -> Bool {
    do {
      _ = try UTF8Span(validating: bytes)
      return true
    } catch {
      return false
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
