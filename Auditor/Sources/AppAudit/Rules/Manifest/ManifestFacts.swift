/// What a privacy manifest may hold.
struct ManifestFacts: Decodable, Sendable {
  var dataTypes: [String]
  var purposes: [String]
  /// Names that are met in the wild, and the right ones.
  var rightNames: [String: String]

  static let shared = Facts.load("privacy-manifest", as: Self.self)

  /// What to write instead, as the end of a sentence.
  func hint(_ wrong: String, among right: some Sequence<String>) -> String? {
    rightNames[wrong] ?? Spelling.closest(to: wrong, among: right)
  }
}

extension AuditedTarget {
  /// Whether reasons for SDKs may stand in this target's manifest.
  var isSDK: Bool {
    target.isVendored || target.kind == .package || target.kind == .framework || target.kind == .staticLibrary
  }
}
