/// A pattern of a podspec: `*`, `?`, `[a-z]`, `{a,b}`, and `**/` for any number of folders. Small and large letters match,
/// as CocoaPods has it.
struct FilePattern {
  /// What braces may multiply to.
  static let alternativesMax = 256
  /// Each alternative, cut at its slashes.
  private let alternatives: [[[UInt8]]]
  /// How many patterns without braces it stands for.
  var count: Int { alternatives.count }

  init(_ pattern: String) {
    alternatives = Self.expanded(pattern.lowercased()).map { alternative in
      alternative.split(separator: "/").filter { $0 != "." }.map { Array($0.utf8) }
    }
  }

  /// `{a,b}c` as `ac` and `bc`; the innermost braces first. What is more than ``alternativesMax`` is left out.
  private static func expanded(_ pattern: String) -> [String] {
    var open = [pattern]
    var done: [String] = []
    while let next = open.popLast(), done.count + open.count < alternativesMax {
      guard let end = next.firstIndex(of: "}"), let start = next[..<end].lastIndex(of: "{") else {
        done.append(next)
        continue
      }
      let inside = next[next.index(after: start)..<end]
      let before = String(next[..<start])
      let after = String(next[next.index(after: end)...])
      for part in inside.split(separator: ",", omittingEmptySubsequences: false) { open.append(before + part + after) }
    }
    return done
  }

  /// - Parameter path: Relative to the folder of the podspec.
  func matches(_ path: String) -> Bool {
    let parts = path.lowercased().split(separator: "/").map { Array($0.utf8) }
    return alternatives.contains { Self.matches(parts, $0) }
  }

  /// Whether it matches one of the folders that the file lies in, and so names all of it.
  func matchesFolder(of path: String) -> Bool {
    let parts = path.lowercased().split(separator: "/").dropLast().map { Array($0.utf8) }
    guard !parts.isEmpty else { return false }
    return (1...parts.count).contains { count in
      alternatives.contains { Self.matches(Array(parts[..<count]), $0) }
    }
  }

  /// Both lists from their ends: which starts of `path` each start of `pattern` matches.
  private static func matches(_ path: [[UInt8]], _ pattern: [[UInt8]]) -> Bool {
    var reached: Set<Int> = [0]
    for (number, part) in pattern.enumerated() {
      if part == Array("**".utf8), number + 1 < pattern.count {
        guard let least = reached.min() else { return false }
        reached = Set(least...path.count)
      } else {
        reached = Set(reached.filter { $0 < path.count && matches(path[$0][...], part[...]) }.map { $0 + 1 })
      }
      if reached.isEmpty { return false }
    }
    return reached.contains(path.count)
  }

  /// One name. On a mismatch it goes back to the last star alone, so that the time stays within the product of both.
  private static func matches(_ name: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    var name = name
    var pattern = pattern
    var star: (name: ArraySlice<UInt8>, pattern: ArraySlice<UInt8>)?
    while true {
      if pattern.first == UInt8(ascii: "*") {
        pattern.removeFirst()
        star = (name, pattern)
        continue
      }
      if let byte = name.first, let rest = step(byte, pattern) {
        name.removeFirst()
        pattern = rest
        continue
      }
      if name.isEmpty, pattern.isEmpty { return true }
      guard let last = star, !last.name.isEmpty else { return false }
      name = last.name.dropFirst()
      pattern = last.pattern
      star = (name, pattern)
    }
  }

  /// The pattern behind what matches `byte`, or nil.
  private static func step(_ byte: UInt8, _ pattern: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let first = pattern.first else { return nil }
    if first == UInt8(ascii: "?") || first == byte { return pattern.dropFirst() }
    guard first == UInt8(ascii: "["), let end = pattern.firstIndex(of: UInt8(ascii: "]")) else { return nil }
    var set = pattern[pattern.index(after: pattern.startIndex)..<end]
    let isInverted = set.first == UInt8(ascii: "^") || set.first == UInt8(ascii: "!")
    if isInverted { set.removeFirst() }
    var isIn = false
    while let low = set.popFirst() {
      if set.first == UInt8(ascii: "-"), let high = set.dropFirst().first {
        set.removeFirst(2)
        isIn = isIn || (low <= byte && byte <= high)
      } else {
        isIn = isIn || low == byte
      }
    }
    return isIn != isInverted ? pattern[pattern.index(after: end)...] : nil
  }
}
