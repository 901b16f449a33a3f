import SwiftSyntax

/// Calls that show one of the system's questions.
struct PermissionFacts: Decodable, Sendable {
  struct Ask: Decodable, Sendable {
    var call: String
    var owner: String?
    var label: String?
    var module: String?
    var name: String
    /// The app works the same without it.
    var optional: Bool?
    /// Apple does not tell what the person chose.
    var hidesAnswer: Bool?
    /// The answer comes to a delegate.
    var byDelegate: Bool?
  }
  struct Message: Decodable, Sendable {
    var selector: String
    var name: String
  }
  var asks: [Ask]
  var objectiveC: [Message]
  var statusWords: Set<String>

  static let shared = Facts.load("permissions", as: PermissionFacts.self)

  func ask(_ call: FunctionCallExprSyntax, in source: SwiftSource) -> Ask? {
    guard let name = call.calledName, let base = call.calledBase else { return nil }
    return asks.first { ask in
      guard ask.call == name else { return false }
      if let label = ask.label, call.argument(label) == nil { return false }
      if let module = ask.module, !source.imports.contains(module) { return false }
      guard let owner = ask.owner else { return base != "self" || !source.declaredFunctions.contains(name) }
      return base == owner || base.hasPrefix(owner + ".") || base.hasPrefix(owner + "(")
    }
  }
}
