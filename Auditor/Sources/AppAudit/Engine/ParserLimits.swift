/// What is not given to the parser of Swift, because it would take time or memory without bound, or overflow the stack.
/// Hand-written files stay far below; generated ones mostly do once `Thinning` was there.
enum ParserLimits {
  /// The parser reads some 0.5 MB a second of usual code, and takes up to 400 bytes for each byte of the worst.
  static let sizeBytesMax = 3 << 19
  /// Statements of one word take 60 µs each.
  static let wordCountMax = 200_000
  /// Of `a.b + c`: links of one expression make a tree as deep, which some rules look at from every level.
  static let linkCountMax = 2_000

  /// Why the source is left out; nil where it can be parsed.
  static func problem(of bytes: [UInt8]) -> String? {
    guard bytes.count <= sizeBytesMax else { return "\(bytes.count) bytes, and only \(sizeBytesMax) are parsed" }
    if Nesting.isTooDeep(bytes) { return "nested too deep to be parsed" }
    var reader = Reader(bytes: bytes)
    return reader.problem()
  }

  private struct Reader {
    let bytes: [UInt8]
    var index = 0
    var words = 0
    var links = 0
    /// The last byte that is no blank and in no comment.
    var previous: UInt8 = 0x0A
    var isLineStart = true

    init(bytes: [UInt8]) { self.bytes = bytes }

    private func byte(_ offset: Int) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }

    mutating func problem() -> String? {
      while index < bytes.count {
        let byte = bytes[index]
        switch byte {
        case 0x0A: isLineStart = true
        case 0...0x20: break
        case UInt8(ascii: "/") where self.byte(1) == UInt8(ascii: "/"): skip(to: [0x0A])
        case UInt8(ascii: "/") where self.byte(1) == UInt8(ascii: "*"): skip(to: Array("*/".utf8))
        default: code(byte)
        }
        if words > wordCountMax { return "more than \(wordCountMax) words to be parsed" }
        if links > linkCountMax { return "an expression of more than \(linkCountMax) parts" }
        index += 1
      }
      return nil
    }

    private mutating func code(_ byte: UInt8) {
      let isWord = WordIndex.isWordByte(byte)
      if isLineStart {
        isLineStart = false
        // A statement begins, or the next element of a list.
        if isWord || [UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "}")].contains(byte),
          !Self.isOperator(previous)
        {
          links = 0
        }
      }
      if isWord {
        if index == 0 || !WordIndex.isWordByte(bytes[index - 1]) { words += 1 }
      } else if byte == UInt8(ascii: "\"") {
        if self.byte(1) == byte, self.byte(2) == byte {
          index += 3
          skip(to: Array("\"\"\"".utf8))
        } else {
          skipString()
        }
      } else if Self.isOperator(byte), isOperand(previous), !isPoint(byte) {
        links += 1
      }
      previous = byte
    }

    private static func isOperator(_ byte: UInt8) -> Bool { ".+-*/%&|^?<>=".utf8.contains(byte) }

    /// That of a number.
    private func isPoint(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: ".") && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self.byte(1))
    }

    /// Whether what comes next is tied to what stands there.
    private func isOperand(_ byte: UInt8) -> Bool { WordIndex.isWordByte(byte) || ")]}\"?!>".utf8.contains(byte) }

    /// To the last byte of `end`.
    private mutating func skip(to end: [UInt8]) {
      while index < bytes.count, !bytes[index...].starts(with: end) { index += 1 }
      if end == [0x0A] { isLineStart = true } else { index += end.count - 1 }
    }

    /// To the quote, the end of the line, or to what is put in, which is code.
    private mutating func skipString() {
      index += 1
      while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != 0x0A {
        if bytes[index] == UInt8(ascii: "\\") {
          if byte(1) == UInt8(ascii: "(") { break }
          index += 1
        }
        index += 1
      }
      if index < bytes.count, bytes[index] == 0x0A { index -= 1 }
    }
  }
}
