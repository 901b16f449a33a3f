internal import Foundation

/// What is asked of a row.
enum Limit: Equatable {
  /// At most so many times the peer.
  case ratio(Double)
  /// At most so many microseconds more than the peer.
  case plus(Double)
  /// The ratio where the peer takes at least `from` microseconds, else `plus`.
  case ratioFrom(Double, from: Double, plus: Double)
  /// At most this, in the row's own unit.
  case atMost(Double)

  var text: String {
    switch self {
    case .ratio(let ratio): "≤ \(plain(ratio))×"
    case .plus(let plus): "≤ peer + \(plain(plus)) µs"
    case .ratioFrom(let ratio, let from, let plus):
      "≤ \(plain(ratio))× from \(plain(from)) µs, else peer + \(plain(plus)) µs"
    case .atMost(let value): "≤ \(plain(value))"
    }
  }

  func isMet(ours: Double, peer: Double, ratio: Double) -> Bool {
    switch self {
    case .ratio(let limit): ratio <= limit
    case .plus(let limit): ours - peer <= limit
    case .ratioFrom(let limit, let from, let plus): peer >= from ? ratio <= limit : ours - peer <= plus
    case .atMost(let limit): ours <= limit
    }
  }
}

/// The file `thresholds.txt`: a line for each row, `NAME KIND NUMBER...`; `#` begins a comment.
struct Thresholds {
  let limits: [String: Limit]

  init(path: String) throws { limits = try Self.parse(try String(contentsOfFile: path, encoding: .utf8)) }

  static func parse(_ text: String) throws -> [String: Limit] {
    var limits: [String: Limit] = [:]
    for line in text.split(separator: "\n") {
      let words = line.prefix { $0 != "#" }.split(separator: " ").map(String.init)
      guard let name = words.first else { continue }
      let numbers = words.compactMap(Double.init)
      let kind = words.dropFirst().filter { Double($0) == nil }
      let limit: Limit? =
        switch (kind, numbers.count) {
        case (["ratio"], 1): .ratio(numbers[0])
        case (["plus"], 1): .plus(numbers[0])
        case (["ratio", "from", "plus"], 3): .ratioFrom(numbers[0], from: numbers[1], plus: numbers[2])
        case (["most"], 1): .atMost(numbers[0])
        default: nil
        }
      guard let limit, limits.updateValue(limit, forKey: name) == nil else {
        throw Failure("thresholds: not understood, or twice: \(line)")
      }
    }
    return limits
  }
}

/// Why a benchmark cannot go on.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// A number with as many digits as say something.
func plain(_ value: Double) -> String {
  let digits = abs(value) >= 100 || value == value.rounded() ? 0 : abs(value) >= 10 ? 1 : 2
  return String(format: "%.\(digits)f", value)
}
