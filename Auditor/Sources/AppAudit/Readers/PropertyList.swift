/// Why a property list cannot be read.
struct PropertyListError: Error, Hashable, Sendable {
  /// From 1; 0 where there are no lines.
  var line: Int
  var reason: String
}

/// Property lists in the three forms that Xcode writes. Never traps; every size has a limit.
enum PropertyList {
  /// A larger file is no property list that somebody wrote.
  static let sizeBytesMax = 32 << 20
  /// Apple's own lists are at most a dozen deep.
  static let depthMax = 128
  /// Values in one list, so that a binary list whose parts share cannot grow without end.
  static let countMax = 2_000_000

  /// Reads a list in whichever form it is.
  static func read(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyNode {
    guard bytes.count <= sizeBytesMax else {
      throw PropertyListError(line: 0, reason: "larger than \(sizeBytesMax) bytes")
    }
    if bytes.starts(with: Array("bplist".utf8)) {
      var reader = try BinaryPropertyList(bytes)
      return try reader.root()
    }
    let text = Text.utf8(bytes)
    var first = text.startIndex
    while first < text.endIndex, text[first] <= 0x20 { first += 1 }
    guard first < text.endIndex else { throw PropertyListError(line: 1, reason: "the file is empty") }
    if text[first] == UInt8(ascii: "<"), !isOldStyleData(text, from: first) {
      var reader = XMLPropertyList(bytes: text)
      return try reader.root()
    }
    var reader = OldStylePropertyList(bytes: text)
    return try reader.root()
  }

  /// `<0fbd77>` is data in the old style; XML begins with `<?`, `<!` or `<plist`.
  private static func isOldStyleData(_ text: [UInt8], from first: Int) -> Bool {
    guard first + 1 < text.count else { return false }
    let next = text[first + 1]
    return next != UInt8(ascii: "?") && next != UInt8(ascii: "!") && next != UInt8(ascii: "p")
      && next != UInt8(ascii: "d")
  }
}

/// Bytes of text files, whatever their encoding.
enum Text {
  /// The bytes as UTF-8 without a mark: UTF-16 is converted, other bytes stay as they are.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes, low: 0) }
    if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes, low: 1) }
    return bytes
  }

  private static func utf16(_ bytes: [UInt8], low: Int) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var index = 2
    while index + 1 < bytes.count {
      units.append(UInt16(bytes[index + low]) | UInt16(bytes[index + 1 - low]) << 8)
      index += 2
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
