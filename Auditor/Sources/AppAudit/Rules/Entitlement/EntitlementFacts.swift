/// What Apple's documentation says of entitlements.
struct EntitlementFacts: Decodable, Sendable {
  struct Value: Decodable, Sendable {
    enum Form: String, Decodable { case string, boolean, strings }
    var key: String
    var type: Form
    var values: [String]?
  }
  var values: [Value]
  var domainServices: [String]
  var unprotected: String

  static let shared = Facts.load("entitlements", as: EntitlementFacts.self)
}

extension AuditedTarget {
  /// Each entitlement of that key, with its place.
  func entitlements(_ key: String) -> [(entry: PropertyEntry, place: Place)] {
    target.entitlements.compactMap { file in
      file.root.entry(key).map { ($0, Place(path: file.path, line: $0.line)) }
    }
  }
}
