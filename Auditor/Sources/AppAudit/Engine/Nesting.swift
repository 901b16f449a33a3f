/// Whether Swift source is nested so deep that the parser would not come to an end: it tries each `[` as a type and as a
/// literal, so that its time doubles with every level (measured: 12 levels 0.2 s, 16 levels 1.1 s, 20 more than 8 s),
/// and with ten thousand it overflows the stack.
enum Nesting {
  /// Of `[` inside each other.
  static let squareMax = 12
  /// Of brackets of every kind.
  static let countMax = 200

  static func isTooDeep(_ bytes: [UInt8]) -> Bool {
    var square = 0
    var all = 0
    var index = 0
    var isLineStart = true
    while index < bytes.count {
      let byte = bytes[index]
      // What begins in the first column begins anew: a quote that was counted wrong must not spoil the whole file.
      if isLineStart, byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") || byte == UInt8(ascii: "@") {
        square = 0
        all = 0
      }
      isLineStart = byte == 0x0A
      switch byte {
      case UInt8(ascii: "/") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "/"):
        while index + 1 < bytes.count, bytes[index + 1] != 0x0A { index += 1 }
      case UInt8(ascii: "\""): skipString(bytes, &index)
      case UInt8(ascii: "["):
        square += 1
        all += 1
      case UInt8(ascii: "("), UInt8(ascii: "{"): all += 1
      case UInt8(ascii: "]"):
        square = max(0, square - 1)
        all = max(0, all - 1)
      case UInt8(ascii: ")"), UInt8(ascii: "}"): all = max(0, all - 1)
      default: break
      }
      if square > squareMax || all > countMax { return true }
      index += 1
    }
    return false
  }

  /// To the closing quote or the end of the line.
  private static func skipString(_ bytes: [UInt8], _ index: inout Int) {
    var next = index + 1
    while next < bytes.count, bytes[next] != UInt8(ascii: "\""), bytes[next] != 0x0A {
      // An interpolation is code: it is counted.
      if bytes[next] == UInt8(ascii: "\\"), next + 1 < bytes.count, bytes[next + 1] == UInt8(ascii: "(") { break }
      next += bytes[next] == UInt8(ascii: "\\") ? 2 : 1
    }
    index = next < bytes.count && bytes[next] == UInt8(ascii: "\"") ? next : next - 1
  }
}
