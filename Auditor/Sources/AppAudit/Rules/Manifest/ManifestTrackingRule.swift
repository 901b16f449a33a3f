/// Tracking and its domains contradict each other, or a domain is none.
struct ManifestTrackingRule: Rule {
  let about = RuleDescription(
    id: "manifest.tracking",
    kind: .manifest,
    title: "The manifest's tracking flag and tracking domains do not fit together",
    why: """
      Domains are blocked only where NSPrivacyTracking is true, and tracking must name its domains. ITMS-91064 answers a \
      contradiction. A domain is a host name: no scheme, path or port.
      """,
    fix: "Set NSPrivacyTracking to true where the app tracks and name the domains, else remove them.",
    appStoreErrors: ["ITMS-91064", "ITMS-91056", "ITMS-91107"])

  func findings(in target: AuditedTarget) -> [Finding] {
    target.target.manifests.filter(\.hasRightName).flatMap { findings($0, target) }
  }

  private func findings(_ manifest: PrivacyManifest, _ target: AuditedTarget) -> [Finding] {
    guard let root = manifest.root else { return [] }
    func place(_ line: Int) -> Place { Place(path: manifest.path, line: line) }
    var findings: [Finding] = []
    let isTracking = root["NSPrivacyTracking"]?.boolean == true
    let domains = root["NSPrivacyTrackingDomains"]
    let hosts = domains?.items ?? []
    if !hosts.isEmpty, !isTracking, let entry = root.entry("NSPrivacyTrackingDomains") {
      findings.append(
        finding(
          .error, at: place(entry.line), in: target, "tracking domains are named, but NSPrivacyTracking is not true",
          error: "ITMS-91064"))
    }
    if isTracking, hosts.isEmpty, let entry = root.entry("NSPrivacyTracking") {
      findings.append(
        finding(
          .error, at: place(entry.line), in: target, "NSPrivacyTracking is true, but no tracking domain is named",
          error: "ITMS-91056"))
    }
    for node in hosts {
      guard let host = node.string, !Self.isHost(host) else { continue }
      findings.append(
        finding(
          .error, at: place(node.line), in: target, "\"\(host)\" is no domain",
          fix: "Write the host name alone, such as ads.example.com.", error: "ITMS-91056"))
    }
    return findings
  }

  /// Labels of letters, digits and hyphens with dots between them.
  static func isHost(_ text: String) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return labels.count >= 2 && text.utf8.count <= 253
      && labels.allSatisfy { label in
        !label.isEmpty && label.utf8.count <= 63
          && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
      }
  }
}
