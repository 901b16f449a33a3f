/// Says which rules want to see a file, from the identifiers in its bytes; comments and strings are not told apart.
///
/// A value per thread: it remembers what it found out about each identifier.
struct WordIndex {
  /// Identifiers remembered; a project of a million lines has some 60,000.
  private static let memoryCountMax = 500_000

  // Each set of words is a condition with a number; a rule's are its own and those that must be met as well.
  private let exact: [UInt64: Set<Int>]
  private let parts: [(bytes: [UInt8], conditions: Set<Int>)]
  private let conditions: [[Int]]
  private var memory: [UInt64: Set<Int>] = [:]

  /// - Parameter words: Those of each rule, in the order whose numbers ``interested(in:)`` gives.
  init(_ words: [Words]) {
    var exact: [UInt64: Set<Int>] = [:]
    var parts: [String: Set<Int>] = [:]
    var conditions: [[Int]] = []
    var next = 0
    for words in words {
      let all = [words] + words.also
      conditions.append(Array(next..<next + all.count))
      for words in all {
        for word in words.exact { exact[Self.hash(word.utf8), default: []].insert(next) }
        for part in words.parts { parts[part, default: []].insert(next) }
        next += 1
      }
    }
    self.conditions = conditions
    self.exact = exact
    self.parts = parts.map { (Array($0.key.utf8), $0.value) }
  }

  private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }

  /// Which rules a file concerns, and where the words stand that they look for.
  struct Interest {
    var rules: Set<Int>
    /// The offset of each word that one of those rules looks for, in order.
    var places: [Int]
  }

  /// The rules that the file's identifiers concern.
  mutating func interested(in bytes: [UInt8]) -> Interest {
    var found: Set<Int> = []
    var hits: [(place: Int, met: Set<Int>)] = []
    var isLineStart = true
    var skipsLine = false
    var start = -1
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in 0...bytes.count {
      let byte = index < bytes.count ? bytes[index] : 0
      if byte == 0x0A { (isLineStart, skipsLine) = (true, false) }
      if skipsLine { continue }
      if isLineStart, byte == UInt8(ascii: "/"), index + 1 < bytes.count, bytes[index + 1] == byte {
        // A line that is a comment: the names of an app and its files in it concern nobody.
        skipsLine = true
        continue
      }
      if byte > 0x20 { isLineStart = false }
      if Self.isWordByte(byte) {
        if start < 0 {
          start = index
          hash = 0xCBF2_9CE4_8422_2325
        }
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
      } else if start >= 0 {
        let met = met(by: hash, bytes[start..<index])
        if !met.isEmpty {
          found.formUnion(met)
          hits.append((start, met))
        }
        start = -1
      }
    }
    let rules = Set(conditions.indices.filter { conditions[$0].allSatisfy(found.contains) })
    let wanted = Set(rules.flatMap { conditions[$0] })
    return Interest(rules: rules, places: hits.filter { !$0.met.isDisjoint(with: wanted) }.map(\.place))
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private mutating func met(by hash: UInt64, _ word: ArraySlice<UInt8>) -> Set<Int> {
    if let known = memory[hash] { return known }
    var met = exact[hash] ?? []
    if !parts.isEmpty {
      let small = word.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
      for part in parts where small.contains(part.bytes) { met.formUnion(part.conditions) }
    }
    if memory.count < Self.memoryCountMax { memory[hash] = met }
    return met
  }
}

extension [UInt8] {
  /// Whether `part` is in it.
  func contains(_ part: [UInt8]) -> Bool {
    guard let first = part.first, part.count <= count else { return part.isEmpty }
    for start in 0...count - part.count where self[start] == first {
      if self[start..<start + part.count].elementsEqual(part) { return true }
    }
    return false
  }
}
