/// Collected data types and purposes that Apple does not know.
struct ManifestCollectedDataRule: Rule {
  let about = RuleDescription(
    id: "manifest.collected-data",
    kind: .manifest,
    title: "The privacy manifest names a data type or purpose that does not exist",
    why: "Apple's lists have 35 data types and 6 purposes. Another value is answered with ITMS-91056.",
    fix: "Use a value of Apple's list, in its exact spelling.",
    appStoreErrors: ["ITMS-91056"])

  func findings(in target: AuditedTarget) -> [Finding] {
    let facts = ManifestFacts.shared
    var findings: [Finding] = []
    for manifest in target.target.manifests where manifest.hasRightName {
      for entry in manifest.root?["NSPrivacyCollectedDataTypes"]?.items ?? [] {
        if let type = entry["NSPrivacyCollectedDataType"] {
          findings += judge(type, among: facts.dataTypes, "data type", manifest.path, target)
        }
        for purpose in entry["NSPrivacyCollectedDataTypePurposes"]?.items ?? [] {
          findings += judge(purpose, among: facts.purposes, "purpose", manifest.path, target)
        }
      }
    }
    return findings
  }

  private func judge(
    _ node: PropertyNode, among known: [String], _ what: String, _ path: String, _ target: AuditedTarget
  ) -> [Finding] {
    guard let value = node.string, !value.trimmed.isEmpty, !known.contains(value) else { return [] }
    let right = ManifestFacts.shared.hint(value, among: known)
    return [
      finding(
        .error, at: Place(path: path, line: node.line), in: target, "\(value) is no \(what) of Apple's list",
        fix: right.map { "Write \($0)." }, error: "ITMS-91056")
    ]
  }
}
