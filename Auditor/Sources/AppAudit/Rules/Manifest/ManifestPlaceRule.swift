/// A manifest that no tool of Apple's finds.
struct ManifestPlaceRule: Rule {
  let about = RuleDescription(
    id: "manifest.place",
    kind: .manifest,
    title: "The privacy manifest has another name, or lies where it is not read",
    why:
      "Apple's tools read PrivacyInfo.xcprivacy at the root of a bundle, and nothing else. Its keys do not belong into Info.plist.",
    fix: "Name the file PrivacyInfo.xcprivacy, and make it a resource of the target.",
    appStoreErrors: ["ITMS-91053", "ITMS-91061"])

  private static let keys: Set<String> = [
    "NSPrivacyTracking", "NSPrivacyTrackingDomains", "NSPrivacyCollectedDataTypes", "NSPrivacyAccessedAPITypes",
  ]

  func findings(in target: AuditedTarget) -> [Finding] {
    var findings: [Finding] = []
    for manifest in target.target.manifests {
      let place = Place(path: manifest.path, line: 0)
      if !manifest.hasRightName {
        findings.append(
          finding(
            .error, at: place, in: target,
            "\(Path.name(manifest.path)) is not read: the name must be \(PrivacyManifest.fileName)"))
      } else if Path.suffix(Path.folder(manifest.path)) == "lproj" {
        findings.append(finding(.error, at: place, in: target, "a manifest in a localised folder is not read"))
      } else if target.target.isBuilt, Path.folder(manifest.path) != target.target.folder,
        !["bundle", "A"].contains(Path.suffix(Path.folder(manifest.path))),
        !manifest.path.contains(".bundle/"), !manifest.path.contains("/Versions/")
      {
        findings.append(finding(.error, at: place, in: target, "the manifest does not lie at the root of its bundle"))
      }
    }
    for entry in target.target.infoPlist?.entries ?? [] where Self.keys.contains(entry.key) {
      findings.append(
        finding(
          .error, at: entry.place, in: target, "\(entry.key) stands in the Info.plist, where it has no effect",
          fix: "Move it into \(PrivacyManifest.fileName)."))
    }
    return findings
  }
}
