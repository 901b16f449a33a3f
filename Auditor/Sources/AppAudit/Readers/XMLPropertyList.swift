/// Reads the XML form. Only what Apple's document type allows; no entity but the five of XML and numbers.
struct XMLPropertyList {
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var count = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func root() throws(PropertyListError) -> PropertyNode {
    var tag = try openingTag()
    if tag.name == "plist" {
      if tag.isEmpty { throw fail("the list is empty") }
      tag = try openingTag()
      if tag.isClosing { throw fail("the list is empty") }
    }
    return try value(of: tag, depth: 0)
  }

  private struct Tag {
    var name: String
    var isClosing = false
    var isEmpty = false
    var line: Int
  }

  private func fail(_ reason: String) -> PropertyListError { PropertyListError(line: line, reason: reason) }

  private mutating func advance() {
    if bytes[index] == 0x0A { line += 1 }
    index += 1
  }

  private func looking(at text: StaticString) -> Bool {
    guard index + text.utf8CodeUnitCount <= bytes.count else { return false }
    return bytes[index..<index + text.utf8CodeUnitCount].elementsEqual("\(text)".utf8)
  }

  private mutating func skip(past end: StaticString) throws(PropertyListError) {
    while index < bytes.count {
      if looking(at: end) {
        index += end.utf8CodeUnitCount
        return
      }
      advance()
    }
    throw fail("the file ends inside a comment or declaration")
  }

  /// The next tag; text between tags that is not blank is refused.
  private mutating func openingTag() throws(PropertyListError) -> Tag {
    while index < bytes.count {
      if looking(at: "<!--") {
        try skip(past: "-->")
      } else if looking(at: "<?") {
        try skip(past: "?>")
      } else if looking(at: "<!") {
        try skip(past: ">")
      } else if bytes[index] == UInt8(ascii: "<") {
        return try tag()
      } else if bytes[index] <= 0x20 {
        advance()
      } else {
        throw fail("text outside of a value")
      }
    }
    throw fail("the file ends too early")
  }

  private mutating func tag() throws(PropertyListError) -> Tag {
    var tag = Tag(name: "", line: line)
    index += 1
    if index < bytes.count, bytes[index] == UInt8(ascii: "/") {
      tag.isClosing = true
      index += 1
    }
    let start = index
    while index < bytes.count, bytes[index] > 0x20, bytes[index] != UInt8(ascii: ">"), bytes[index] != UInt8(ascii: "/")
    {
      index += 1
    }
    tag.name = String(decoding: bytes[start..<index], as: UTF8.self)
    while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
      tag.isEmpty = bytes[index] == UInt8(ascii: "/")
      advance()
    }
    guard index < bytes.count else { throw fail("the file ends inside a tag") }
    index += 1
    return tag
  }

  private mutating func value(of tag: Tag, depth: Int) throws(PropertyListError) -> PropertyNode {
    count += 1
    guard depth < PropertyList.depthMax else { throw fail("values are nested too deep") }
    guard count <= PropertyList.countMax else { throw fail("too many values") }
    guard !tag.isClosing else { throw fail("</\(tag.name)> closes what was not opened") }
    func node(_ value: PropertyValue) -> PropertyNode { PropertyNode(value: value, line: tag.line) }
    switch tag.name {
    case "true", "false":
      if !tag.isEmpty { _ = try text(of: tag) }
      return node(.boolean(tag.name == "true"))
    case "string": return node(.string(try text(of: tag)))
    case "integer":
      let digits = try text(of: tag)
      guard let number = Int64(digits.trimmed) ?? Self.hexadecimal(digits.trimmed) else {
        throw fail("\(digits) is no integer")
      }
      return node(.integer(number))
    case "real":
      let digits = try text(of: tag)
      guard let number = Double(digits.trimmed) else { throw fail("\(digits) is no number") }
      return node(.real(number))
    case "date": return node(.date(try text(of: tag)))
    case "data":
      guard let decoded = Base64.decode(try text(of: tag)) else { throw fail("data is not base64") }
      return node(.data(decoded))
    case "array": return node(.array(try items(of: tag, depth: depth)))
    case "dict": return node(.dictionary(try entries(of: tag, depth: depth)))
    default: throw fail("<\(tag.name)> is not an element of a property list")
    }
  }

  private static func hexadecimal(_ digits: String) -> Int64? {
    digits.hasPrefix("0x") ? Int64(digits.dropFirst(2), radix: 16) : nil
  }

  private mutating func items(of tag: Tag, depth: Int) throws(PropertyListError) -> [PropertyNode] {
    var items: [PropertyNode] = []
    if tag.isEmpty { return items }
    while true {
      let next = try openingTag()
      if next.isClosing {
        guard next.name == tag.name else { throw fail("</\(next.name)> closes <\(tag.name)>") }
        return items
      }
      items.append(try value(of: next, depth: depth + 1))
    }
  }

  private mutating func entries(of tag: Tag, depth: Int) throws(PropertyListError) -> [PropertyEntry] {
    var entries: [PropertyEntry] = []
    if tag.isEmpty { return entries }
    while true {
      let next = try openingTag()
      if next.isClosing {
        guard next.name == tag.name else { throw fail("</\(next.name)> closes <\(tag.name)>") }
        return entries
      }
      guard next.name == "key" else { throw fail("<\(next.name)> stands where a key is due") }
      let key = try text(of: next)
      let opening = try openingTag()
      entries.append(PropertyEntry(key: key, line: next.line, node: try value(of: opening, depth: depth + 1)))
    }
  }

  /// The text up to the closing tag, entities resolved.
  private mutating func text(of tag: Tag) throws(PropertyListError) -> String {
    if tag.isEmpty { return "" }
    var result: [UInt8] = []
    while index < bytes.count {
      if looking(at: "<![CDATA[") {
        index += 9
        while index < bytes.count, !looking(at: "]]>") {
          result.append(bytes[index])
          advance()
        }
        guard index < bytes.count else { break }
        index += 3
      } else if looking(at: "<!--") {
        try skip(past: "-->")
      } else if bytes[index] == UInt8(ascii: "<") {
        let closing = try self.tag()
        guard closing.isClosing, closing.name == tag.name else { throw fail("<\(closing.name)> inside <\(tag.name)>") }
        return String(decoding: result, as: UTF8.self)
      } else if bytes[index] == UInt8(ascii: "&") {
        result.append(contentsOf: try entity())
      } else {
        result.append(bytes[index])
        advance()
      }
    }
    throw fail("the file ends inside <\(tag.name)>")
  }

  private mutating func entity() throws(PropertyListError) -> [UInt8] {
    let start = index + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: ";"), index - start < 12 { index += 1 }
    guard index < bytes.count, bytes[index] == UInt8(ascii: ";") else { throw fail("& without an entity") }
    let name = String(decoding: bytes[start..<index], as: UTF8.self)
    index += 1
    switch name {
    case "lt": return [UInt8(ascii: "<")]
    case "gt": return [UInt8(ascii: ">")]
    case "amp": return [UInt8(ascii: "&")]
    case "quot": return [UInt8(ascii: "\"")]
    case "apos": return [UInt8(ascii: "'")]
    default:
      let number =
        name.hasPrefix("#x")
        ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
      guard let number, let scalar = Unicode.Scalar(number) else { throw fail("&\(name); is not known") }
      return Array(String(Character(scalar)).utf8)
    }
  }
}
