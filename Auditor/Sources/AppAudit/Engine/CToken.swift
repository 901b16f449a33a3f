/// A token of Objective-C, C or C++.
struct CToken: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case identifier
    case number
    /// `"…"` and `@"…"`; the text is what stands between the quotes, escapes as written.
    case string
    case character
    /// One character, or `->` or `::`.
    case punctuation
  }

  var kind: Kind
  var text: String
  /// From 1.
  var line: Int

  func isPunctuation(_ text: String) -> Bool { kind == .punctuation && self.text == text }
}

/// Cuts a file into tokens. Comments are dropped, and so is what the preprocessor drops in a device's Release build.
/// Any bytes are accepted; what makes no sense becomes punctuation.
struct CLexer {
  /// Twice those of the largest library that apps carry as source, SQLite in one file.
  static let tokenCountMax = 4_000_000

  private let bytes: [UInt8]
  /// Whether it is the body of a macro, in which `#` begins no directive.
  private let isMacro: Bool
  private var index = 0
  private var line = 1
  private(set) var tokens: [CToken] = []
  /// Whether there were more tokens than are read.
  private(set) var isCutOff = false
  /// Names between `<>` or quotes of `#import` and `#include`, and of `@import`.
  private(set) var imports: Set<String> = []
  private var conditions = CConditions()

  init(_ bytes: [UInt8], isMacro: Bool = false) {
    self.bytes = bytes
    self.isMacro = isMacro
  }

  mutating func run() {
    var atLineStart = true
    while index < bytes.count {
      guard tokens.count < Self.tokenCountMax else {
        isCutOff = true
        return
      }
      let byte = bytes[index]
      if byte == 0x0A {
        line += 1
        index += 1
        atLineStart = true
      } else if byte <= 0x20 {
        index += 1
      } else if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "/") {
        skipLine()
      } else if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        skipComment()
      } else if byte == UInt8(ascii: "\\"), peek(1) == 0x0A || peek(1) == 0x0D {
        index += 1
      } else if byte == UInt8(ascii: "#"), atLineStart, !isMacro {
        directive()
      } else {
        atLineStart = false
        if conditions.isActive { token() } else { skipInactive() }
      }
    }
  }

  private func peek(_ distance: Int) -> UInt8 { index + distance < bytes.count ? bytes[index + distance] : 0 }

  private mutating func skipLine() {
    while index < bytes.count, bytes[index] != 0x0A {
      if bytes[index] == UInt8(ascii: "\\"), peek(1) == 0x0A {
        line += 1
        index += 1
      }
      index += 1
    }
  }

  private mutating func skipComment() {
    index += 2
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        index += 2
        return
      }
      if bytes[index] == 0x0A { line += 1 }
      index += 1
    }
  }

  /// In what is dropped, quotes and comments still count, for a `#` inside them is no directive.
  private mutating func skipInactive() {
    if bytes[index] == UInt8(ascii: "\"") { _ = quoted(UInt8(ascii: "\"")) } else { index += 1 }
  }

  /// The logical line after `#`, its comments gone.
  private mutating func directive() {
    var text: [UInt8] = []
    index += 1
    while index < bytes.count, bytes[index] != 0x0A {
      if bytes[index] == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "/") {
        skipLine()
        break
      }
      if bytes[index] == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        skipComment()
        text.append(0x20)
        continue
      }
      if bytes[index] == UInt8(ascii: "\\"), peek(1) == 0x0A || (peek(1) == 0x0D && peek(2) == 0x0A) {
        index += peek(1) == 0x0A ? 2 : 3
        line += 1
        text.append(0x20)
        continue
      }
      text.append(bytes[index])
      index += 1
    }
    let words = String(decoding: text, as: UTF8.self).trimmed
    let name = words.prefix { $0.isLetter }
    let rest = String(words.dropFirst(name.count)).trimmed
    switch name {
    case "import", "include": if conditions.isActive { addImport(rest) }
    case "define":
      // The body of a macro is code of whoever uses it: it is read as if it stood here.
      if conditions.isActive { define(rest) }
    default: conditions.directive(String(name), rest)
    }
  }

  private mutating func addImport(_ rest: String) {
    let name = rest.trimmingPrefix { $0 == "<" || $0 == "\"" }.prefix { $0 != ">" && $0 != "\"" }
    imports.insert(String(name))
    if let slash = name.firstIndex(of: "/") { imports.insert(String(name[..<slash])) }
  }

  private mutating func define(_ rest: String) {
    let body = rest.drop { $0.isLetter || $0.isNumber || $0 == "_" }
    let parameters = body.first == "(" ? body.drop { $0 != ")" }.dropFirst() : body
    var lexer = CLexer(Array(parameters.utf8), isMacro: true)
    lexer.run()
    tokens.append(CToken(kind: .punctuation, text: ";", line: line))
    tokens.append(contentsOf: lexer.tokens.map { CToken(kind: $0.kind, text: $0.text, line: line) })
    tokens.append(CToken(kind: .punctuation, text: ";", line: line))
  }

  private mutating func token() {
    let byte = bytes[index]
    let start = line
    if CLexer.isWordByte(byte), !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      tokens.append(CToken(kind: .identifier, text: word(), line: start))
    } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      tokens.append(CToken(kind: .number, text: word(), line: start))
    } else if byte == UInt8(ascii: "@"), peek(1) == UInt8(ascii: "\"") {
      index += 1
      tokens.append(CToken(kind: .string, text: quoted(UInt8(ascii: "\"")), line: start))
    } else if byte == UInt8(ascii: "\"") {
      tokens.append(CToken(kind: .string, text: quoted(byte), line: start))
    } else if byte == UInt8(ascii: "'") {
      tokens.append(CToken(kind: .character, text: quoted(byte), line: start))
    } else if byte == UInt8(ascii: "-"), peek(1) == UInt8(ascii: ">") {
      index += 2
      tokens.append(CToken(kind: .punctuation, text: "->", line: start))
    } else if byte == UInt8(ascii: ":"), peek(1) == UInt8(ascii: ":") {
      index += 2
      tokens.append(CToken(kind: .punctuation, text: "::", line: start))
    } else {
      index += 1
      tokens.append(CToken(kind: .punctuation, text: String(decoding: [byte], as: UTF8.self), line: start))
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  private mutating func word() -> String {
    let start = index
    while index < bytes.count, Self.isWordByte(bytes[index]) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// What stands between the quotes. A quote without its twin ends with the line.
  private mutating func quoted(_ quote: UInt8) -> String {
    index += 1
    let start = index
    while index < bytes.count, bytes[index] != quote, bytes[index] != 0x0A {
      if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count {
        index += 1
        if bytes[index] == 0x0A { line += 1 }
      }
      index += 1
    }
    let end = min(index, bytes.count)
    if index < bytes.count, bytes[index] == quote { index += 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}
