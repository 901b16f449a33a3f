/// The tokens of a Podfile or podspec, as far as plain literals need them. Nothing is run.
enum RubyToken: Hashable {
  case word(String)
  case string(String)
  /// `:path`, and `path:` in front of a value.
  case symbol(String)
  case punctuation(String)
  /// What only Ruby could know: an interpolated string, a here-document, a string without an end.
  case computed

  func isWord(_ text: String) -> Bool { self == .word(text) }
  func isPunctuation(_ text: String) -> Bool { self == .punctuation(text) }

  var word: String? {
    if case .word(let text) = self { return text }
    return nil
  }

  var string: String? {
    if case .string(let text) = self { return text }
    return nil
  }
}

/// Cuts Ruby into statements. `do |name|` ends one, and `end` is one of its own.
struct RubyStatements {
  /// No Podfile or podspec that somebody wrote is as large.
  static let sizeBytesMax = 1 << 20

  private(set) var statements: [[RubyToken]] = []
  private var statement: [RubyToken] = []
  private var depth = 0
  private let bytes: [UInt8]
  private var index = 0
  /// The end marks of here-documents that begin on this line.
  private var documents: [String] = []

  /// - Returns: Nil for more than ``sizeBytesMax`` bytes.
  static func read(_ bytes: [UInt8]) -> [[RubyToken]]? {
    guard bytes.count <= sizeBytesMax else { return nil }
    var reader = Self(bytes: bytes)
    while reader.index < bytes.count { reader.next() }
    reader.finish()
    return reader.statements
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var here: UInt8? { index < bytes.count ? bytes[index] : nil }
  private func at(_ offset: Int) -> UInt8? { index + offset < bytes.count ? bytes[index + offset] : nil }

  private mutating func finish() {
    if !statement.isEmpty { statements.append(statement) }
    statement = []
  }

  private mutating func next() {
    guard let byte = here else { return }
    switch byte {
    case UInt8(ascii: "\n"): endLine()
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): index += 1
    case UInt8(ascii: "\\"): index += at(1) == UInt8(ascii: "\n") ? 2 : 1
    case UInt8(ascii: "#"): while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
    case UInt8(ascii: "'"), UInt8(ascii: "\""): string(quote: byte)
    case UInt8(ascii: "%") where at(1) == UInt8(ascii: "w") && Self.closing(at(2)) != nil: words()
    case UInt8(ascii: "<") where at(1) == UInt8(ascii: "<") && document(): break
    case UInt8(ascii: ":") where at(1) == UInt8(ascii: ":"):
      index += 2
      statement.append(.punctuation("::"))
    case UInt8(ascii: ":") where Self.isWord(at(1)):
      index += 1
      statement.append(.symbol(word()))
    case _ where Self.isWord(byte): name()
    default: punctuation(byte)
    }
  }

  private static func isWord(_ byte: UInt8?) -> Bool {
    guard let byte else { return false }
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      return true
    default: return byte >= 0x80
    }
  }

  private mutating func word() -> String {
    let start = index
    while Self.isWord(here) { index += 1 }
    // `inherit!`, `empty?`
    if let byte = here, byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?"), at(1) != UInt8(ascii: "=") {
      index += 1
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func name() {
    let text = word()
    if here == UInt8(ascii: ":"), at(1) != UInt8(ascii: ":") {
      index += 1
      statement.append(.symbol(text))
      return
    }
    guard depth == 0, statement.last != .punctuation(".") else { return statement.append(.word(text)) }
    if text == "end" {
      finish()
      statements.append([.word(text)])
    } else {
      statement.append(.word(text))
      if text == "do" { endOpening() }
    }
  }

  /// After `do`: the names between bars belong to it.
  private mutating func endOpening() {
    while here == UInt8(ascii: " ") { index += 1 }
    if here == UInt8(ascii: "|") {
      index += 1
      while let byte = here, byte != UInt8(ascii: "|"), byte != UInt8(ascii: "\n") {
        if Self.isWord(byte) { statement.append(.symbol(word())) } else { index += 1 }
      }
      if here == UInt8(ascii: "|") { index += 1 }
    }
    finish()
  }

  private mutating func endLine() {
    index += 1
    for mark in documents { skip(to: mark) }
    documents = []
    guard depth == 0 else { return }
    switch statement.last {
    case .punctuation(let text) where [",", "=", "=>", "+=", "+", ".", "|", "&"].contains(text): return
    default: finish()
    }
  }

  private mutating func skip(to mark: String) {
    while index < bytes.count {
      let start = index
      while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
      let line = String(decoding: bytes[start..<index], as: UTF8.self).trimmed
      index += 1
      if line == mark { return }
    }
  }

  /// `<<-END`, `<<~END` and `<<END`.
  private mutating func document() -> Bool {
    var offset = 2
    if at(offset) == UInt8(ascii: "-") || at(offset) == UInt8(ascii: "~") { offset += 1 }
    let quote = at(offset) == UInt8(ascii: "'") || at(offset) == UInt8(ascii: "\"") ? at(offset) : nil
    if quote != nil { offset += 1 }
    guard Self.isWord(at(offset)) else { return false }
    index += offset
    documents.append(word())
    if quote != nil { index += 1 }
    statement.append(.computed)
    return true
  }

  private mutating func string(quote: UInt8) {
    index += 1
    var text: [UInt8] = []
    var isPlain = true
    while let byte = here, byte != quote {
      guard byte != UInt8(ascii: "\n") else {
        statement.append(.computed)
        return
      }
      if byte == UInt8(ascii: "\\"), let escaped = at(1) {
        index += 1
        text.append(escaped)
      } else {
        if byte == UInt8(ascii: "#"), at(1) == UInt8(ascii: "{"), quote == UInt8(ascii: "\"") { isPlain = false }
        text.append(byte)
      }
      index += 1
    }
    index += 1
    // `'Name': value`
    if isPlain, here == UInt8(ascii: ":"), at(1) != UInt8(ascii: ":") {
      index += 1
      statement.append(.symbol(String(decoding: text, as: UTF8.self)))
    } else {
      statement.append(isPlain ? .string(String(decoding: text, as: UTF8.self)) : .computed)
    }
  }

  private static func closing(_ byte: UInt8?) -> UInt8? {
    switch byte {
    case UInt8(ascii: "["): UInt8(ascii: "]")
    case UInt8(ascii: "("): UInt8(ascii: ")")
    case UInt8(ascii: "{"): UInt8(ascii: "}")
    default: nil
    }
  }

  /// `%w[a b]` as the list that it is.
  private mutating func words() {
    guard let opening = at(2), let end = Self.closing(opening) else { return }
    index += 3
    let start = index
    // Brackets of the same kind stand in pairs.
    var pairs = 1
    while let byte = here {
      if byte == opening { pairs += 1 } else if byte == end { pairs -= 1 }
      if pairs == 0 { break }
      index += 1
    }
    let text = String(decoding: bytes[start..<min(index, bytes.count)], as: UTF8.self)
    index += 1
    statement.append(.punctuation("["))
    for word in text.split(whereSeparator: \.isWhitespace) { statement += [.string(String(word)), .punctuation(",")] }
    statement.append(.punctuation("]"))
  }

  private mutating func punctuation(_ byte: UInt8) {
    let second = at(1)
    var text = String(UnicodeScalar(byte))
    if (byte == UInt8(ascii: "=") && second == UInt8(ascii: ">"))
      || (byte == UInt8(ascii: "=") && second == UInt8(ascii: "="))
      || (byte == UInt8(ascii: "+") && second == UInt8(ascii: "="))
    {
      if let second { text += String(UnicodeScalar(second)) }
      index += 1
    }
    index += 1
    switch text {
    case "[", "(", "{": depth += 1
    case "]", ")", "}": depth = max(0, depth - 1)
    case ";" where depth == 0: return finish()
    default: break
    }
    statement.append(.punctuation(text))
  }
}

/// A literal of Ruby.
indirect enum RubyValue: Hashable {
  case string(String)
  case symbol(String)
  case list([RubyValue])
  case hash([Entry])

  struct Entry: Hashable {
    var key: String
    var value: RubyValue
  }

  /// Lists in lists.
  private static let depthMax = 16

  /// The value that all of `tokens` are; several with commas between them are a list. Nil where anything else stands there.
  init?(_ tokens: ArraySlice<RubyToken>) {
    var rest = tokens
    var values: [RubyValue] = []
    repeat {
      guard let value = Self.next(&rest, depth: 0) else { return nil }
      values.append(value)
    } while Self.skip(",", &rest)
    guard rest.isEmpty else { return nil }
    self = values.count == 1 ? values[0] : .list(values)
  }

  private static func skip(_ text: String, _ rest: inout ArraySlice<RubyToken>) -> Bool {
    guard rest.first == .punctuation(text) else { return false }
    rest.removeFirst()
    return true
  }

  /// The value at the start of `rest`, which is left behind it.
  static func next(_ rest: inout ArraySlice<RubyToken>, depth: Int) -> RubyValue? {
    guard depth < depthMax, let first = rest.popFirst() else { return nil }
    switch first {
    case .string(let text): return .string(text)
    case .symbol(let text): return .symbol(text)
    case .word(let text): return ["true", "false", "nil"].contains(text) ? .symbol(text) : nil
    case .punctuation("["):
      var values: [RubyValue] = []
      while !skip("]", &rest) {
        guard let value = next(&rest, depth: depth + 1), skip(",", &rest) || rest.first == .punctuation("]") else {
          return nil
        }
        values.append(value)
      }
      return .list(values)
    case .punctuation("{"):
      var entries: [Entry] = []
      while !skip("}", &rest) {
        guard let entry = entry(&rest, depth: depth + 1), skip(",", &rest) || rest.first == .punctuation("}") else {
          return nil
        }
        entries.append(entry)
      }
      return .hash(entries)
    case .punctuation, .computed: return nil
    }
  }

  private static func entry(_ rest: inout ArraySlice<RubyToken>, depth: Int) -> Entry? {
    switch rest.popFirst() {
    case .string(let key):
      guard skip("=>", &rest) else { return nil }
      return next(&rest, depth: depth).map { Entry(key: key, value: $0) }
    case .symbol(let key):
      _ = skip("=>", &rest)
      return next(&rest, depth: depth).map { Entry(key: key, value: $0) }
    default: return nil
    }
  }

  /// All strings in it, those of hashes without the keys.
  var strings: [String] {
    switch self {
    case .string(let text): [text]
    case .symbol: []
    case .list(let values): values.flatMap(\.strings)
    case .hash(let entries): entries.flatMap(\.value.strings)
    }
  }

  /// What JSON says, for `.podspec.json`.
  init?(json: Any, depth: Int = 0) {
    guard depth < Self.depthMax else { return nil }
    switch json {
    case let text as String: self = .string(text)
    case let flag as Bool: self = .symbol(flag ? "true" : "false")
    case let items as [Any]: self = .list(items.compactMap { Self(json: $0, depth: depth + 1) })
    case let members as [String: Any]:
      self = .hash(
        members.sorted { $0.key < $1.key }.compactMap { member in
          Self(json: member.value, depth: depth + 1).map { Entry(key: member.key, value: $0) }
        })
    default: return nil
    }
  }
}
