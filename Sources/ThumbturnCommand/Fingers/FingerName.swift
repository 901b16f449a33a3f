/// A finger, by the name that fprintd has for it. It takes any other word for "whichever finger", so that none reaches it.
package enum FingerName: String, CaseIterable, Sendable {
  case leftThumb = "left-thumb"
  case leftIndex = "left-index-finger"
  case leftMiddle = "left-middle-finger"
  case leftRing = "left-ring-finger"
  case leftLittle = "left-little-finger"
  case rightThumb = "right-thumb"
  case rightIndex = "right-index-finger"
  case rightMiddle = "right-middle-finger"
  case rightRing = "right-ring-finger"
  case rightLittle = "right-little-finger"

  /// What is enrolled when none is named.
  static let usual = Self.rightIndex

  /// As a person says it.
  var text: String { rawValue.split(separator: "-").joined(separator: " ") }
}

extension FingerName {
  /// The longest word that is compared with names, in bytes.
  private static let countMax = 32
  /// So many letters may be wrong.
  private static let distanceMax = 3

  /// The fingers that somebody may have meant who wrote something else, at most two.
  static func meant(by word: [UInt8]) -> [FingerName] {
    guard word.count <= countMax, let text = String(validating: word, as: UTF8.self) else { return [] }
    let parts = text.lowercased().split { !$0.isLetter }.map(String.init)
    guard !parts.isEmpty else { return [] }
    let holding = allCases.filter { name in
      let words = name.rawValue.split(separator: "-")
      return parts.allSatisfy { part in words.contains { $0 == part } }
    }
    if !holding.isEmpty { return Array(holding.prefix(2)) }
    let letters = Array(parts.joined(separator: "-").utf8)
    let near = allCases.map { (name: $0, distance: distance(letters, Array($0.rawValue.utf8))) }
      .filter { $0.distance <= distanceMax }
    guard let least = near.map(\.distance).min() else { return [] }
    return near.filter { $0.distance == least }.prefix(2).map(\.name)
  }

  /// How many bytes have to be put in, taken out or exchanged to make one of the other.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (index, byte) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, other) in right.enumerated() {
        let exchanged = diagonal + (byte == other ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(exchanged, row[column] + 1, diagonal + 1)
      }
    }
    return row[right.count]
  }
}

extension CommandFailure {
  /// A finger that nobody has.
  static func unknownFinger(_ word: [UInt8]) -> Self {
    let meant = FingerName.meant(by: word).map(\.rawValue).joined(separator: " or ")
    let guess = meant.isEmpty ? "" : "did you mean \(meant)? "
    let names = FingerName.allCases.map(\.rawValue).joined(separator: ", ")
    return Self(.usage, "there is no such finger", hint: "\(guess)the fingers are \(names)")
  }
}
