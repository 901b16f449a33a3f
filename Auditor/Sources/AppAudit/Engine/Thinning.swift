/// Empties the bodies of functions in which no word stands that a rule looks for, so that the parser has less to do:
/// most of a run's time is its. Lines stay where they are. Where it is not sure to read the file as the compiler does, it
/// leaves the whole file as it is.
struct Thinning {
  private let bytes: [UInt8]
  private var index = 0
  /// Open braces, and whether each is the body of a function outside of another one.
  private var braces: [(open: Int, isBody: Bool)] = []
  private var parentheses = 0
  /// A `func` was read and its body is to come; at that depth of parentheses.
  private var awaited: Int?
  private var bodies: [Range<Int>] = []

  /// - Parameter hits: Where words stand that must stay, in order.
  static func thinned(_ bytes: [UInt8], keeping hits: [Int]) -> [UInt8] {
    var reader = Self(bytes: bytes)
    guard reader.read() else { return bytes }
    var thin = bytes
    for body in reader.bodies where !hasHit(in: body, hits) {
      for index in body where thin[index] != 0x0A && thin[index] != 0x0D { thin[index] = 0x20 }
    }
    return thin
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

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
        let isBody = awaited == parentheses && !braces.contains { $0.isBody }
        if awaited == parentheses { awaited = nil }
        braces.append((index, isBody))
        index += 1
      case UInt8(ascii: "}"):
        guard let brace = braces.popLast() else { return false }
        if brace.isBody { bodies.append(brace.open + 1..<index) }
        if awaited == parentheses { awaited = nil }
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
    guard index - start <= 9, start == 0 || bytes[start - 1] != UInt8(ascii: ".") else { return }
    if bytes[start..<index].elementsEqual("func".utf8) {
      awaited = parentheses
    } else if awaited != nil,
      ["var", "let", "init", "subscript", "class", "struct", "enum", "extension"].contains(where: {
        bytes[start..<index].elementsEqual($0.utf8)
      }), parentheses == awaited
    {
      // A requirement of a protocol, which has no body.
      awaited = nil
    }
  }

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
