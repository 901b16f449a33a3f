/// The app's files are not protected by default.
struct DataProtectionRule: Rule {
  let about = RuleDescription(
    id: "entitlement.data-protection",
    kind: .entitlement,
    title: "The default protection of the app's files is none",
    why: """
      With NSFileProtectionNone everything that the app writes can be read before the first unlock. Without the \
      entitlement iOS protects files until the first unlock, which is better.
      """,
    fix: "Write NSFileProtectionComplete, or remove the key.")

  func findings(in target: AuditedTarget) -> [Finding] {
    target.entitlements("com.apple.developer.default-data-protection").compactMap { entry, place in
      guard entry.node.string == EntitlementFacts.shared.unprotected else { return nil }
      return finding(.error, at: place, in: target, "the app's files are written without protection")
    }
  }
}
