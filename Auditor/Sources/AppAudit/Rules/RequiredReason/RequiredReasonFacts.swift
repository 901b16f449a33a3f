/// Apple's five categories of required-reason API and the reasons that fit each.
struct RequiredReasonFacts: Decodable, Sendable {
  struct Category: Decodable, Sendable {
    var id: String
    /// As it stands in a message: "user defaults".
    var label: String
    /// C functions. A call counts, a type of the same name does not.
    var functions: [String]
    /// Constants of Objective-C.
    var constants: [String]
    /// Members of `FileAttributeKey`.
    var attributeKeys: [String]
    /// Members of `URLResourceKey`.
    var resourceKeys: [String]
    var members: [Member]
    var types: [ListedType]
    /// Property wrappers over the API.
    var wrappers: [String]
  }

  struct Member: Decodable, Sendable {
    var name: String
    /// What the receiver must mention; empty where the name alone is evidence.
    var owners: [String]
  }

  struct ListedType: Decodable, Sendable {
    var swift: String
    var objectiveC: String
  }

  struct Reason: Decodable, Sendable {
    var code: String
    var category: String
    /// `any`, `sdk-only`, `mdm`, `health-research-app` or `custom-keyboard-app`.
    var who: String
    var meaning: String
  }

  var categories: [Category]
  var reasons: [Reason]

  static let shared = Facts.load("required-reasons", as: Self.self)

  /// The categories that a C function belongs to: two for `getattrlist`.
  func categories(ofFunction name: String) -> [Category] { categories.filter { $0.functions.contains(name) } }

  func category(_ id: String) -> Category? { categories.first { $0.id == id } }
  func reason(_ code: String) -> Reason? { reasons.first { $0.code == code } }
}

extension PrivacyManifest {
  /// The codes that it declares for each category.
  var declaredReasons: [String: Set<String>] {
    var declared: [String: Set<String>] = [:]
    for entry in root?["NSPrivacyAccessedAPITypes"]?.items ?? [] {
      guard let category = entry["NSPrivacyAccessedAPIType"]?.string else { continue }
      let codes = entry["NSPrivacyAccessedAPITypeReasons"]?.items.compactMap(\.string) ?? []
      declared[category, default: []].formUnion(codes)
    }
    return declared
  }
}
