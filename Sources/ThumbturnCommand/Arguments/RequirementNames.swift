internal import ThumbturnKeychain

/// What `--require` calls what a person has to show before an item can be read.
enum RequirementName: String, CaseIterable {
  case finger, passcode, any
  case currentFinger = "current-finger"

  var conditions: AccessControl.Conditions {
    switch self {
    case .finger: .biometryAny
    case .passcode: .devicePasscode
    case .any: .userPresence
    case .currentFinger: .biometryCurrentSet
    }
  }
}

extension Invocation {
  /// What `--require` says.
  var requirement: RequirementName? {
    values[.require].flatMap { RequirementName(rawValue: String(decoding: $0, as: UTF8.self)) }
  }
}

extension AccessControl {
  /// What it asks for beside the protection class, as `show` and `list` have it; nil when nothing. Programs can ask for
  /// more than `--require` knows.
  var requirementText: String? {
    guard isConstrained else { return nil }
    var parts: [String] = []
    let asked = Self.constraintNames.filter { conditions.contains($0.0) }.map(\.1)
    if !asked.isEmpty { parts.append(asked.joined(separator: conditions.contains(.or) ? "-or-" : "-and-")) }
    if conditions.contains(.applicationPassword) { parts.append("password") }
    if conditions.contains(.privateKeyUsage) { parts.append("key-use-only") }
    return parts.joined(separator: "+")
  }

  private static let constraintNames: [(Conditions, String)] =
    RequirementName.allCases.map { ($0.conditions, $0.rawValue) } + [(.companion, "companion")]
}
