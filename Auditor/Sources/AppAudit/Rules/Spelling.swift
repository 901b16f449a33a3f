/// What somebody may have meant.
enum Spelling {
  /// The candidate that is fewest edits away, where those are few for the length.
  static func closest(to word: String, among candidates: some Sequence<String>) -> String? {
    let limit = max(1, word.count / 4)
    var best: (word: String, distance: Int)?
    for candidate in candidates {
      let distance = distance(Array(word.lowercased().utf8), Array(candidate.lowercased().utf8))
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
  }

  /// Edits of one letter, and swaps of two neighbours. Longer words than 200 bytes are not compared.
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    guard left.count <= 200, right.count <= 200 else { return .max }
    var before = Array(0...right.count)
    var beforeThat = before
    for (row, a) in left.enumerated() {
      var current = [row + 1]
      for (column, b) in right.enumerated() {
        var cost = min(before[column] + (a == b ? 0 : 1), before[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, a == right[column - 1], left[row - 1] == b {
          cost = min(cost, beforeThat[column - 1] + 1)
        }
        current.append(cost)
      }
      beforeThat = before
      before = current
    }
    return before[right.count]
  }
}
