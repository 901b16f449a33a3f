/// Reads the old style of NeXT, in which Xcode writes `project.pbxproj` and strings files.
struct OldStylePropertyList {
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var count = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func root() throws(PropertyListError) -> PropertyNode {
    try skipBlanks()
    let first = index < bytes.count ? bytes[index] : 0
    // A strings file is a dictionary without its braces.
    if first == UInt8(ascii: "\"")
      || !(first == UInt8(ascii: "{") || first == UInt8(ascii: "(") || first == UInt8(ascii: "<"))
    {
      let start = line
      return PropertyNode(value: .dictionary(try entries(until: nil, depth: 0)), line: start)
    }
    let node = try value(depth: 0)
    try skipBlanks()
    guard index == bytes.count else { throw fail("something stands after the list") }
    return node
  }

  private func fail(_ reason: String) -> PropertyListError { PropertyListError(line: line, reason: reason) }

  private mutating func skipBlanks() throws(PropertyListError) {
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x0A {
        line += 1
        index += 1
      } else if byte <= 0x20 {
        index += 1
      } else if byte == UInt8(ascii: "/"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "/") {
        while index < bytes.count, bytes[index] != 0x0A { index += 1 }
      } else if byte == UInt8(ascii: "/"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "*") {
        try skipComment()
      } else {
        return
      }
    }
  }

  private mutating func skipComment() throws(PropertyListError) {
    index += 2
    while index + 1 < bytes.count {
      if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
        index += 2
        return
      }
      if bytes[index] == 0x0A { line += 1 }
      index += 1
    }
    throw fail("the file ends inside a comment")
  }

  private mutating func value(depth: Int) throws(PropertyListError) -> PropertyNode {
    count += 1
    guard depth < PropertyList.depthMax else { throw fail("values are nested too deep") }
    guard count <= PropertyList.countMax else { throw fail("too many values") }
    guard index < bytes.count else { throw fail("the file ends too early") }
    let start = line
    switch bytes[index] {
    case UInt8(ascii: "{"):
      index += 1
      return PropertyNode(value: .dictionary(try entries(until: UInt8(ascii: "}"), depth: depth)), line: start)
    case UInt8(ascii: "("):
      index += 1
      return PropertyNode(value: .array(try items(depth: depth)), line: start)
    case UInt8(ascii: "<"):
      return PropertyNode(value: .data(try data()), line: start)
    default:
      return PropertyNode(value: .string(try word()), line: start)
    }
  }

  private mutating func items(depth: Int) throws(PropertyListError) -> [PropertyNode] {
    var items: [PropertyNode] = []
    while true {
      try skipBlanks()
      guard index < bytes.count else { throw fail("the file ends inside an array") }
      if bytes[index] == UInt8(ascii: ")") {
        index += 1
        return items
      }
      items.append(try value(depth: depth + 1))
      try skipBlanks()
      if index < bytes.count, bytes[index] == UInt8(ascii: ",") { index += 1 }
    }
  }

  private mutating func entries(until end: UInt8?, depth: Int) throws(PropertyListError) -> [PropertyEntry] {
    var entries: [PropertyEntry] = []
    while true {
      try skipBlanks()
      guard index < bytes.count else {
        if end == nil { return entries }
        throw fail("the file ends inside a dictionary")
      }
      if bytes[index] == end {
        index += 1
        return entries
      }
      let start = line
      let key = try word()
      try skipBlanks()
      guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else {
        throw fail("= is missing after \(key.prefix(40))")
      }
      index += 1
      try skipBlanks()
      entries.append(PropertyEntry(key: key, line: start, node: try value(depth: depth + 1)))
      try skipBlanks()
      if index < bytes.count, bytes[index] == UInt8(ascii: ";") {
        index += 1
      } else if end == nil || index >= bytes.count || bytes[index] != end {
        throw fail("; is missing after \(key.prefix(40))")
      }
    }
  }

  private mutating func data() throws(PropertyListError) -> [UInt8] {
    index += 1
    var digits: [UInt8] = []
    while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
      if bytes[index] == 0x0A { line += 1 }
      if let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue {
        digits.append(UInt8(digit))
      } else if bytes[index] > 0x20 {
        throw fail("data holds what is no hexadecimal digit")
      }
      index += 1
    }
    guard index < bytes.count, digits.count.isMultiple(of: 2) else { throw fail("data is cut off") }
    index += 1
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."),
      UInt8(ascii: "-"),
      UInt8(ascii: "+"), UInt8(ascii: "@"), 0x80...:
      true
    default: false
    }
  }

  private mutating func word() throws(PropertyListError) -> String {
    guard index < bytes.count else { throw fail("the file ends too early") }
    let quote = bytes[index]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") { return try quoted(quote) }
    let start = index
    while index < bytes.count, Self.isWordByte(bytes[index]) { index += 1 }
    guard index > start else { throw fail("a value is missing") }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func quoted(_ quote: UInt8) throws(PropertyListError) -> String {
    index += 1
    var result: [UInt8] = []
    while index < bytes.count, bytes[index] != quote {
      if bytes[index] == 0x0A { line += 1 }
      if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count {
        index += 1
        switch bytes[index] {
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "r"): result.append(0x0D)
        case 0x0A:
          line += 1
          result.append(0x0A)
        default: result.append(bytes[index])
        }
      } else {
        result.append(bytes[index])
      }
      index += 1
    }
    guard index < bytes.count else { throw fail("the file ends inside a string") }
    index += 1
    return String(decoding: result, as: UTF8.self)
  }
}
