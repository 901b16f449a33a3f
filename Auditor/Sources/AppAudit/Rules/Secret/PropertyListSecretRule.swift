/// A secret in the Info.plist.
struct PropertyListSecretRule: Rule {
  let about = RuleDescription(
    id: "secret.info-plist",
    kind: .secret,
    title: "A secret stands in the Info.plist",
    why: """
      The Info.plist lies in plain text in every copy of the app. Identifiers that are meant to be public (client ids, \
      Google keys that are bound to the bundle, Facebook's client token) are silent.
      """,
    fix: "Revoke it, and let a server of yours make the calls that need it.")

  private let text = SecretText()
  private let names = SecretNames.shared

  func findings(in target: AuditedTarget) -> [Finding] {
    (target.target.infoPlist?.entries ?? []).flatMap { entry in
      strings(PropertyEntry(key: entry.key, line: entry.place.line, node: entry.node), depth: 0).compactMap { found in
        judge(found.key, found.text, Place(path: entry.place.path, line: found.line), target)
      }
    }
  }

  private func judge(_ key: String, _ value: String, _ place: Place, _ target: AuditedTarget) -> Finding? {
    if let provider = text.provider(of: value) {
      // A Google key in an app is public, and restricted to the bundle.
      guard !value.hasPrefix("AIza") else { return nil }
      return finding(.error, at: place, in: target, "\(key) holds \(provider)")
    }
    guard !key.lowercased().contains("client"), names.meaning(of: key) != nil, text.isSecret(value) else { return nil }
    return finding(.error, at: place, in: target, "\(key) holds a secret")
  }

  private func strings(_ entry: PropertyEntry, depth: Int) -> [(key: String, text: String, line: Int)] {
    guard depth < 8 else { return [] }
    if let text = entry.node.string { return [(entry.key, text, entry.line)] }
    return entry.node.entries.flatMap { strings($0, depth: depth + 1) }
      + entry.node.items.flatMap { strings(PropertyEntry(key: entry.key, line: $0.line, node: $0), depth: depth + 1) }
  }
}
