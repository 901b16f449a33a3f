/// Empties the bodies of functions, initialisers and computed properties in which no word stands that a rule looks for,
/// and takes the parameters off those that have none in their head either, so that the parser has less to do: most of a
/// run's time is its. Lines stay where they are, columns do not. Where it is not sure to read the file as the compiler
/// does, it leaves the whole file as it is.
struct Thinning {
  /// What was read and has its body to come.
  private struct Head {
    enum Kind { case function, initialiser, property }
    var kind: Kind
    /// Where its word begins.
    var start: Int
    /// Of parentheses around it.
    var depth: Int
  }

  private struct Body {
    var head: Head
    /// What stands between the braces.
    var range: Range<Int>
    /// Where a word keeps it: a property may be named after what its body answers.
    var reach: Range<Int> { head.kind == .property ? head.start..<range.upperBound : range }
  }

  private let bytes: [UInt8]
  private var index = 0
  /// Open braces, with the head of each that is a body outside of another one.
  private var braces: [(open: Int, head: Head?)] = []
  private var isInBody = false
  private var parentheses = 0
  private var awaited: Head?
  /// In order.
  private var bodies: [Body] = []

  /// - Parameters:
  ///   - hits: Where words stand that must stay, in order.
  ///   - andCallers: Whether bodies stay as well that name a function whose body stays.
  static func thinned(_ bytes: [UInt8], keeping hits: [Int], andCallers: Bool = false) -> [UInt8] {
    var reader = Self(bytes: bytes)
    guard reader.read() else { return bytes }
    var empty = reader.bodies.filter { !hasHit(in: $0.reach, hits) }
    if andCallers {
      let names = Set(reader.bodies.filter { hasHit(in: $0.reach, hits) }.compactMap(reader.name))
      if !names.isEmpty { empty.removeAll { reader.hasName(in: $0.range, names) } }
    }
    var thin: [UInt8] = []
    thin.reserveCapacity(bytes.count)
    var end = 0
    for body in empty {
      var start = body.range.lowerBound
      if let nameEnd = reader.nameEnd(body), !hasHit(in: body.head.start..<start, hits) { start = nameEnd }
      thin += bytes[end..<start]
      if start < body.range.lowerBound { thin += "(){".utf8 }
      for index in start..<body.range.upperBound where bytes[index] == 0x0A || bytes[index] == 0x0D {
        thin.append(bytes[index])
      }
      end = body.range.upperBound
    }
    thin += bytes[end...]
    return thin
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// That of a function; an operator has none that is looked for.
  private func name(_ body: Body) -> ArraySlice<UInt8>? {
    guard body.head.kind == .function else { return nil }
    let rest = bytes[(body.head.start + "func".utf8.count)...].drop { !WordIndex.isWordByte($0) }
    return rest.prefix(while: WordIndex.isWordByte)
  }

  /// Where the name ends that parameters follow; nil for properties, operators and names in other letters.
  private func nameEnd(_ body: Body) -> Int? {
    var end = body.head.start + "func".utf8.count
    switch body.head.kind {
    case .property: return nil
    case .initialiser: break
    case .function:
      while end < bytes.count, bytes[end] == 0x20 { end += 1 }
      let start = end
      while end < bytes.count, WordIndex.isWordByte(bytes[end]) { end += 1 }
      guard end > start else { return nil }
    }
    guard end < bytes.count, [UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "?")].contains(bytes[end]) else {
      return nil
    }
    return end
  }

  private func hasName(in range: Range<Int>, _ names: Set<ArraySlice<UInt8>>) -> Bool {
    bytes[range].split(whereSeparator: { !WordIndex.isWordByte($0) }).contains(where: names.contains)
  }

  private static func hasHit(in body: Range<Int>, _ hits: [Int]) -> Bool {
    var low = 0
    var high = hits.count
    while low < high {
      let middle = (low + high) / 2
      if hits[middle] < body.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < hits.count && hits[low] < body.upperBound
  }

  private func byte(_ offset: Int) -> UInt8 {
    index + offset < bytes.count && index + offset >= 0 ? bytes[index + offset] : 0
  }

  /// False where something was met that it does not read, or that does not close.
  private mutating func read() -> Bool {
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "/"):
        if byte(1) == UInt8(ascii: "/") {
          while index < bytes.count, bytes[index] != 0x0A { index += 1 }
        } else if byte(1) == UInt8(ascii: "*") {
          guard skipComment() else { return false }
        } else {
          // Division has a blank on both sides or on none; else it may begin a regular expression.
          let isBlankBefore = byte(-1) == 0x20 || byte(-1) == 0x0A
          let isBlankAfter = byte(1) == 0x20 || byte(1) == 0x0A
          guard isBlankBefore == isBlankAfter, byte(-1) != UInt8(ascii: "("), byte(-1) != UInt8(ascii: ",") else {
            return false
          }
          index += 1
        }
      case UInt8(ascii: "#"):
        guard byte(1) != UInt8(ascii: "\""), byte(1) != UInt8(ascii: "#"), byte(1) != UInt8(ascii: "/") else {
          return false
        }
        index += 1
      case UInt8(ascii: "\""): guard skipString(depth: 0) else { return false }
      case UInt8(ascii: "("), UInt8(ascii: "["):
        parentheses += 1
        index += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"):
        parentheses -= 1
        index += 1
      case UInt8(ascii: "{"):
        let head = awaited?.depth == parentheses ? awaited : nil
        if head != nil { awaited = nil }
        braces.append((index, head))
        if head != nil { isInBody = true }
        index += 1
      case UInt8(ascii: "}"):
        guard let brace = braces.popLast() else { return false }
        if let head = brace.head {
          bodies.append(Body(head: head, range: brace.open + 1..<index))
          isInBody = false
        }
        if awaited?.depth == parentheses { awaited = nil }
        index += 1
      case UInt8(ascii: "="), 0x0A:
        // A stored property: what stands in braces from here on is its value, an observer or something else.
        if awaited?.kind == .property, awaited?.depth == parentheses { awaited = nil }
        index += 1
      case UInt8(ascii: "`"): return false
      default: word()
      }
    }
    return braces.isEmpty && parentheses == 0
  }

  private mutating func word() {
    let start = index
    while index < bytes.count, WordIndex.isWordByte(bytes[index]) { index += 1 }
    if index == start { index += 1 }
    // Inside a body nothing is awaited.
    guard !isInBody, index - start >= 3, index - start <= 15, start == 0 || bytes[start - 1] != UInt8(ascii: ".") else {
      return
    }
    let word = bytes[start..<index]
    func isOne(of words: [String]) -> Bool { words.contains { word.elementsEqual($0.utf8) } }
    if isOne(of: ["func"]) {
      awaited = Head(kind: .function, start: start, depth: parentheses)
    } else if isOne(of: ["var", "subscript"]) {
      awaited = Head(kind: .property, start: start, depth: parentheses)
    } else if isOne(of: ["init"]) {
      awaited = Head(kind: .initialiser, start: start, depth: parentheses)
    } else if awaited?.depth == parentheses, isOne(of: Self.others) {
      // A requirement of a protocol, which has no body.
      awaited = nil
    }
  }

  /// Words that begin a declaration whose braces are no body.
  private static let others = [
    "let", "class", "struct", "enum", "extension", "protocol", "actor", "case", "deinit", "typealias", "associatedtype",
    "import", "macro", "precedencegroup", "operator",
  ]

  private mutating func skipComment() -> Bool {
    var depth = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
        depth += 1
        index += 2
      } else if bytes[index] == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
        depth -= 1
        index += 2
        if depth == 0 { return true }
      } else {
        index += 1
      }
    }
    return false
  }

  /// A text of one line or several, with what is put into it.
  private mutating func skipString(depth: Int) -> Bool {
    guard depth < 8 else { return false }
    let quote = UInt8(ascii: "\"")
    let isLong = byte(1) == quote && byte(2) == quote
    index += isLong ? 3 : 1
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\\") {
        if byte(1) == UInt8(ascii: "(") {
          index += 2
          guard skipInterpolation(depth: depth) else { return false }
        } else {
          index += 2
        }
      } else if bytes[index] == quote, !isLong || byte(1) == quote && byte(2) == quote {
        index += isLong ? 3 : 1
        return true
      } else if bytes[index] == 0x0A, !isLong {
        return false
      } else {
        index += 1
      }
    }
    return false
  }

  private mutating func skipInterpolation(depth: Int) -> Bool {
    var open = 1
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        guard skipString(depth: depth + 1) else { return false }
        continue
      case UInt8(ascii: "("): open += 1
      case UInt8(ascii: ")"): open -= 1
      case UInt8(ascii: "#"), UInt8(ascii: "/"), UInt8(ascii: "`"): return false
      default: break
      }
      index += 1
      if open == 0 { return true }
    }
    return false
  }
}
