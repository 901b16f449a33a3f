internal import Foundation
internal import ThumbturnSecurity

/// The constants that cases name, as the library defines them.
public enum SymbolicNames {
  private static let strings: [String: String] = {
    let groups = [attributes, values, internetPasswordValues, others]
    return groups.reduce(into: [:]) { $0.merge($1.mapValues { $0 as String }) { first, _ in first } }
  }()

  /// Every name that a case may use.
  public static var all: Set<String> { Set(strings.keys) }

  /// The string behind a name; `raw:xyz` is `xyz`.
  static func key(_ name: String) throws(Problem) -> String {
    if name.hasPrefix("raw:") { return String(name.dropFirst(4)) }
    guard let string = strings[name] else { throw Problem("unknown constant \(name)") }
    return string
  }
}
