/// Reads `bplist00`. Offsets are checked before they are followed; shared and cyclic objects end at the limits.
struct BinaryPropertyList {
  private let bytes: [UInt8]
  private var offsets: [Int] = []
  private let referenceSize: Int
  private let top: Int
  private var count = 0

  init(_ bytes: [UInt8]) throws(PropertyListError) {
    let trailerSize = 32
    guard bytes.count >= 8 + trailerSize else { throw Self.fail("the binary list is cut off") }
    let trailer = bytes.count - trailerSize
    let offsetSize = Int(bytes[trailer + 6])
    let referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(bytes, trailer + 8, 8), let top = Self.number(bytes, trailer + 16, 8),
      let table = Self.number(bytes, trailer + 24, 8), count <= PropertyList.countMax, top < count,
      table <= trailer, count <= (trailer - table) / offsetSize
    else { throw Self.fail("the trailer of the binary list is damaged") }
    var offsets: [Int] = []
    offsets.reserveCapacity(count)
    for index in 0..<count {
      guard let offset = Self.number(bytes, table + index * offsetSize, offsetSize), offset >= 8, offset < table else {
        throw Self.fail("an offset of the binary list is damaged")
      }
      offsets.append(offset)
    }
    self.bytes = bytes
    self.offsets = offsets
    self.referenceSize = referenceSize
    self.top = top
  }

  mutating func root() throws(PropertyListError) -> PropertyNode { try node(top, depth: 0) }

  private static func fail(_ reason: String) -> PropertyListError { PropertyListError(line: 0, reason: reason) }

  /// A number of `size` bytes, the highest first; nil past the end or beyond the range of Int.
  private static func number(_ bytes: [UInt8], _ index: Int, _ size: Int) -> Int? {
    guard index >= 0, size <= bytes.count, index <= bytes.count - size else { return nil }
    var result: UInt64 = 0
    for byte in bytes[index..<index + size] { result = result << 8 | UInt64(byte) }
    return Int(exactly: result)
  }

  private mutating func node(_ reference: Int, depth: Int) throws(PropertyListError) -> PropertyNode {
    count += 1
    guard depth < PropertyList.depthMax else { throw Self.fail("values are nested too deep") }
    guard count <= PropertyList.countMax else { throw Self.fail("too many values") }
    guard reference < offsets.count else { throw Self.fail("a reference of the binary list is damaged") }
    let start = offsets[reference]
    let marker = bytes[start]
    let value: PropertyValue
    switch marker >> 4 {
    case 0x0 where marker == 0x08 || marker == 0x09: value = .boolean(marker == 0x09)
    case 0x1: value = .integer(try integer(start))
    case 0x2: value = .real(try real(start))
    case 0x3: value = .date("")
    case 0x4:
      let (first, length) = try extent(start, unit: 1)
      value = .data(Array(bytes[first..<first + length]))
    case 0x5, 0x7:
      let (first, length) = try extent(start, unit: 1)
      value = .string(String(decoding: bytes[first..<first + length], as: UTF8.self))
    case 0x6:
      let (first, length) = try extent(start, unit: 2)
      let units = (0..<length).map { UInt16(bytes[first + 2 * $0]) << 8 | UInt16(bytes[first + 2 * $0 + 1]) }
      value = .string(String(decoding: units, as: UTF16.self))
    case 0xA, 0xC:
      let (first, length) = try extent(start, unit: referenceSize)
      var items: [PropertyNode] = []
      for index in 0..<length { items.append(try node(try self.reference(first, index), depth: depth + 1)) }
      value = .array(items)
    case 0xD: value = .dictionary(try entries(start, depth: depth))
    default: throw Self.fail("a value of the binary list is of no known type")
    }
    return PropertyNode(value: value, line: 0)
  }

  private mutating func entries(_ start: Int, depth: Int) throws(PropertyListError) -> [PropertyEntry] {
    let (first, length) = try extent(start, unit: 2 * referenceSize)
    var entries: [PropertyEntry] = []
    for index in 0..<length {
      guard let key = try node(try reference(first, index), depth: depth + 1).string else {
        throw Self.fail("a key of the binary list is no string")
      }
      let held = try node(try reference(first, length + index), depth: depth + 1)
      entries.append(PropertyEntry(key: key, line: 0, node: held))
    }
    return entries
  }

  private func reference(_ first: Int, _ index: Int) throws(PropertyListError) -> Int {
    guard let reference = Self.number(bytes, first + index * referenceSize, referenceSize) else {
      throw Self.fail("a reference of the binary list is damaged")
    }
    return reference
  }

  private func integer(_ start: Int) throws(PropertyListError) -> Int64 {
    let size = 1 << Int(bytes[start] & 0x0F)
    guard size <= 16, start + size < bytes.count else { throw Self.fail("a number of the binary list is damaged") }
    var result: UInt64 = 0
    for byte in bytes[start + 1...start + size].suffix(8) { result = result << 8 | UInt64(byte) }
    return Int64(bitPattern: result)
  }

  private func real(_ start: Int) throws(PropertyListError) -> Double {
    let bits = UInt64(bitPattern: try integer(start))
    return bytes[start] & 0x0F == 2
      ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
  }

  /// Where the parts of a string, data or collection begin, and how many of `unit` bytes there are.
  private func extent(_ start: Int, unit: Int) throws(PropertyListError) -> (first: Int, length: Int) {
    var first = start + 1
    var length = Int(bytes[start] & 0x0F)
    if length == 0x0F {
      guard first < bytes.count, bytes[first] >> 4 == 1 else {
        throw Self.fail("a length of the binary list is damaged")
      }
      let size = 1 << Int(bytes[first] & 0x0F)
      guard size <= 8, let long = Self.number(bytes, first + 1, size) else {
        throw Self.fail("a length of the binary list is damaged")
      }
      length = long
      first += 1 + size
    }
    guard first <= bytes.count, length <= (bytes.count - first) / unit else {
      throw Self.fail("a value of the binary list is cut off")
    }
    return (first, length)
  }
}
