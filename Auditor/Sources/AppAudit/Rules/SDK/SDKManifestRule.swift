/// An SDK of Apple's list that brings no privacy manifest.
struct SDKManifestRule: Rule {
  let about = RuleDescription(
    id: "sdk.missing-manifest",
    kind: .sdk,
    title: "An SDK that must bring a privacy manifest has none",
    why: """
      For the SDKs of Apple's list a manifest is demanded since 12 February 2025 of new apps and of updates that add one \
      (ITMS-91061). Judged are frameworks in a built app and the source of pods; a name in an import is no evidence.
      """,
    fix: "Update the SDK to a version that brings its PrivacyInfo.xcprivacy.",
    appStoreErrors: ["ITMS-91061"])

  private struct Listed: Decodable {
    var sdks: [String]
  }
  private let listed = Set(Facts.load("sdks", as: Listed.self).sdks)

  func findings(in target: AuditedTarget) -> [Finding] {
    let target = target
    guard target.target.isVendored || (target.target.isBuilt && target.target.kind == .framework),
      listed.contains(target.target.name), !target.target.manifests.contains(where: \.hasRightName),
      target.target.isBuilt || !target.target.sources.isEmpty || !target.target.resources.isEmpty
    else { return [] }
    return [
      finding(
        .error, at: Place(path: target.target.folder, line: 0), in: target,
        "\(target.target.name) is on Apple's list and has no \(PrivacyManifest.fileName): the upload may get a notice or rejection",
        error: "ITMS-91061")
    ]
  }
}
