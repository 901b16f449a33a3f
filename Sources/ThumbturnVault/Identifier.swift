internal import ThumbturnCrypto

/// 16 random bytes that name a vault, a keybag, a device key, a key set or a record. No secret.
package struct Identifier: Hashable, Sendable {
  package static let count = 16
  private let high: UInt64
  private let low: UInt64

  /// Zeros: the predecessor of a first keybag.
  static let none = Identifier(high: 0, low: 0)

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The identifier with these 16 bytes.
  package init(_ bytes: Span<UInt8>) {
    precondition(bytes.count == Self.count)
    self.init(high: bytes.number(at: 0, count: 8), low: bytes.number(at: 8, count: 8))
  }

  static func random() throws(CryptoError) -> Identifier {
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    try randomBytes(into: &span)
    return Identifier(bytes.span)
  }

  static func random(_ fresh: inout FreshBytes) -> Identifier {
    let bytes = fresh.next(InlineArray<16, UInt8>.self)
    return Identifier(bytes.span)
  }

  package var bytes: InlineArray<16, UInt8> {
    InlineArray { UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> UInt64(8 * ($0 % 8))) }
  }

  /// 32 lower-case hexadecimal digits, as in file names.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    let bytes = bytes
    for index in 0..<Self.count { text += [digits[Int(bytes[index] >> 4)], digits[Int(bytes[index] & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// As a UUID is written, with hyphens.
  package var hyphenated: String {
    var text = ""
    for (index, digit) in hexadecimal.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    return text
  }
}
