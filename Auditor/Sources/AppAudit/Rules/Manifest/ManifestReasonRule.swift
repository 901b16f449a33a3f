/// Categories and reason codes that do not exist, do not fit together or are not for this bundle.
struct ManifestReasonRule: Rule {
  let about = RuleDescription(
    id: "manifest.reason",
    kind: .manifest,
    title: "A category or reason of the privacy manifest does not exist, or does not fit",
    why: """
      Apple knows five categories, and each reason code belongs to one of them. Another category is answered with \
      ITMS-91054, another code with ITMS-91055. Two codes are for SDKs alone, and mean nothing in an app.
      """,
    fix: "Use one of the codes that Apple lists for the category.",
    appStoreErrors: ["ITMS-91054", "ITMS-91055", "ITMS-91106"])

  func findings(in target: AuditedTarget) -> [Finding] {
    target.target.manifests.filter(\.hasRightName).flatMap { manifest in
      (manifest.root?["NSPrivacyAccessedAPITypes"]?.items ?? []).flatMap { entry($0, manifest.path, target) }
    }
  }

  private func entry(_ entry: PropertyNode, _ path: String, _ target: AuditedTarget) -> [Finding] {
    let facts = RequiredReasonFacts.shared
    // What is missing or of another type is for the schema's rule.
    guard let type = entry["NSPrivacyAccessedAPIType"], let name = type.string, !name.trimmed.isEmpty else { return [] }
    guard let category = facts.category(name) else {
      let known = facts.categories.map(\.id)
      let right = known.first { $0.hasSuffix(name) } ?? ManifestFacts.shared.hint(name, among: known)
      return [
        finding(
          .error, at: Place(path: path, line: type.line), in: target, "\(name) is no category of required-reason APIs",
          fix: right.map { "Write \($0)." } ?? "Apple's categories are \(known.joined(separator: ", ")).",
          error: "ITMS-91054")
      ]
    }
    return (entry["NSPrivacyAccessedAPITypeReasons"]?.items ?? []).compactMap { node in
      node.string.flatMap { judge($0, category, Place(path: path, line: node.line), target) }
    }
  }

  private func judge(
    _ code: String, _ category: RequiredReasonFacts.Category, _ place: Place, _ target: AuditedTarget
  ) -> Finding? {
    let facts = RequiredReasonFacts.shared
    let fitting = facts.reasons.filter { $0.category == category.id }.map(\.code).joined(separator: ", ")
    guard let reason = facts.reason(code) else {
      return finding(
        .error, at: place, in: target, "\(code.isEmpty ? "an empty string" : code) is no reason code",
        fix: "The codes of \(category.id) are \(fitting).", error: "ITMS-91055")
    }
    if reason.category != category.id {
      return finding(
        .error, at: place, in: target, "\(code) belongs to \(reason.category), not to \(category.id)",
        fix: "The codes of \(category.id) are \(fitting).", error: "ITMS-91055")
    }
    if reason.who == "sdk-only", !target.isSDK {
      return finding(
        .error, at: place, in: target, "\(code) is for SDKs whose functions an app calls, not for the app itself",
        fix: "Choose the code that is true for the app: \(fitting).", error: "ITMS-91055")
    }
    if reason.who == "custom-keyboard-app", !target.project.hasKeyboard {
      return finding(
        .warning, at: place, in: target, "\(code) is for apps that are a keyboard, and no target is one",
        fix: "Use 54BD.1 where the app adapts to the active keyboards.")
    }
    return nil
  }
}

extension Project {
  /// Whether a target is a system-wide keyboard, or an extension is of a kind that is not known.
  var hasKeyboard: Bool {
    targets.contains {
      $0.infoPlist?["NSExtension"]?.node["NSExtensionPointIdentifier"]?.string == "com.apple.keyboard-service"
    }
  }
}
