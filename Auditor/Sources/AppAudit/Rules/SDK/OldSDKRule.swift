/// A lock file holds an SDK of Apple's list in a version of before its privacy manifest.
struct OldSDKRule: Rule {
  let about = RuleDescription(
    id: "sdk.version-without-manifest",
    kind: .sdk,
    title: "An SDK that must bring a privacy manifest is pinned to a version without one",
    why: """
      For the SDKs of Apple's list a manifest is demanded since 12 February 2025 of new apps and of updates that add one \
      (ITMS-91061). Package.resolved of an Xcode project and Podfile.lock say which version is built. Judged are SDKs whose \
      first release with a manifest is known; packages only where a target links a product of them; forks, branches and \
      commits have no version that says anything. Of pods whose source is there the source is judged.
      """,
    fix: "Update the SDK to a version that brings its PrivacyInfo.xcprivacy.",
    appStoreErrors: ["ITMS-91061"])

  struct Known: Decodable {
    struct Release: Decodable {
      var sdk: String
      /// `owner/name`, in small letters.
      var repository: String
      var products: [String]
      var pods: [String]
      /// The first release with a manifest.
      var since: String
      /// Where that was seen.
      var source: String
    }
    var sdks: [String]
    var manifestSince: [Release]
  }
  private let known = Facts.load("sdks", as: Known.self).manifestSince

  func findings(in target: AuditedTarget) -> [Finding] {
    let own = target.target
    guard !own.isVendored, !own.isBuilt, own.kind != .other else { return [] }
    var findings: [Finding] = []
    for pin in target.project.pins {
      for release in known where isUsed(pin, release, target) && Self.isOlder(pin.version, than: release.since) {
        findings.append(
          finding(
            .warning, at: pin.place, in: target,
            "\(release.sdk) \(pin.version) is on Apple's list and brings no \(PrivacyManifest.fileName), which came "
              + "with \(release.since): the upload may get a notice or rejection",
            fix: "Update \(release.sdk) to \(release.since) or later.", error: "ITMS-91061"))
      }
    }
    return findings
  }

  private func isUsed(_ pin: Pin, _ release: Known.Release, _ target: AuditedTarget) -> Bool {
    switch pin.origin {
    case .package(let repository):
      return release.repository == repository && release.products.contains(where: target.target.dependencies.contains)
    case .pod(let name):
      let folder = Path.folder(pin.place.path)
      let isBelow = folder.isEmpty || target.target.folder == folder || target.target.folder.hasPrefix(folder + "/")
      return release.pods.contains(name) && target.target.kind == .app && isBelow
        && !target.project.targets.contains { $0.isVendored && $0.name == name }
    }
  }

  /// Compares the numbers; what stands behind a hyphen or a plus is not looked at, nor a version that has other letters.
  static func isOlder(_ version: String, than other: String) -> Bool {
    func numbers(_ text: String) -> [Int]? {
      let parts = text.prefix { $0 != "-" && $0 != "+" }.split(separator: ".", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { Int($0) }
      return numbers.count == parts.count ? numbers : nil
    }
    guard var left = numbers(version), var right = numbers(other) else { return false }
    while left.count < right.count { left.append(0) }
    while right.count < left.count { right.append(0) }
    return left.lexicographicallyPrecedes(right)
  }
}
