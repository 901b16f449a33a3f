import SwiftSyntax

/// Tells user defaults from what only looks like them.
enum DefaultsUse {
  /// Whether `base`, without blanks, is Apple's user defaults: the class, or a variable that says so.
  static func isDefaults(_ base: String, in source: SwiftSource, at node: some SyntaxProtocol) -> Bool {
    let plain = base.filter { $0 != "?" && $0 != "!" && !$0.isWhitespace }
    if plain.hasPrefix("UserDefaults.") || plain.hasPrefix("UserDefaults(") || plain.hasPrefix("NSUserDefaults.") {
      return !source.isOwnType("UserDefaults", at: node)
    }
    guard let name = plain.split(separator: ".").last?.lowercased() else { return false }
    if source.annotations[String(plain.split(separator: ".").last ?? "")]?.contains(where: {
      $0.contains("UserDefaults")
    })
      == true
    {
      return true
    }
    return name == "defaults" || name.hasSuffix("userdefaults") || name.hasSuffix("shareddefaults")
  }
}
