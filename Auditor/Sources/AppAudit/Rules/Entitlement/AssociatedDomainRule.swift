/// Associated domains that have no effect, or are for development.
struct AssociatedDomainRule: Rule {
  let about = RuleDescription(
    id: "entitlement.associated-domain",
    kind: .entitlement,
    title: "An associated domain has no effect as written",
    why: """
      An entry is a service, a colon and a host: no scheme, path or port of an address. ?mode=developer works on devices in \
      developer mode alone.
      """,
    fix: "Write applinks:example.com, webcredentials:example.com and the like.")

  private let services = EntitlementFacts.shared.domainServices

  func findings(in target: AuditedTarget) -> [Finding] {
    target.entitlements("com.apple.developer.associated-domains").flatMap { entry, place in
      entry.node.items.compactMap { item -> Finding? in
        guard let domain = item.string, let problem = problem(domain) else { return nil }
        return finding(
          .warning, at: Place(path: place.path, line: item.line), in: target, "\"\(domain)\" \(problem)")
      }
    }
  }

  private func problem(_ domain: String) -> String? {
    if domain.isEmpty || domain.hasPrefix("$") { return nil }
    guard let colon = domain.firstIndex(of: ":"), services.contains(String(domain[..<colon])) else {
      return "names no service: it has no effect"
    }
    let host = domain[domain.index(after: colon)...]
    if host.hasPrefix("//") || host.contains("/") { return "holds more than a host: it has no effect" }
    if host.contains("?mode=developer") { return "works in developer mode alone" }
    return nil
  }
}
