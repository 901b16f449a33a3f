/// A usage description that is empty, a placeholder, of another type, misspelt or obsolete.
struct UsageTextRule: Rule {
  let about = RuleDescription(
    id: "usage-description.text",
    kind: .usageDescription,
    title: "A usage description says nothing, or its key does not exist",
    why: """
      The text is shown to the person who is asked. An empty one is answered with ITMS-90683, a placeholder by review. A \
      key that Apple does not know has no effect.
      """,
    fix: "Write one sentence that says what the person gets out of it.",
    appStoreErrors: ["ITMS-90683"])

  private static let placeholders = [
    "todo", "lorem", "fixme", "tbd", "xxx", "placeholder", "your text", "test", "description", "usage description",
  ]

  func findings(in target: AuditedTarget) -> [Finding] {
    (target.target.infoPlist?.entries ?? []).flatMap { entry -> [Finding] in
      if let wrong = name(entry, target) { return [wrong] }
      guard let key = UsageFacts.shared.keys.first(where: { $0.key == entry.key }) else { return [] }
      return text(entry, key, target) + obsolete(entry, key, target)
    }
  }

  private func name(_ entry: InfoPlist.Entry, _ target: AuditedTarget) -> Finding? {
    let facts = UsageFacts.shared
    if let wrong = facts.wrongNames.first(where: { $0.name == entry.key }) {
      return finding(
        .error, at: entry.place, in: target, "\(entry.key) is no key of Info.plist",
        fix: wrong.right.map { "Write \($0)." } ?? "Remove it: there is no such key.",
        error: wrong.right.map { _ in "ITMS-90683" })
    }
    if entry.key.hasPrefix("Privacy - "), entry.key.contains("Usage") {
      return finding(
        .error, at: entry.place, in: target, "\"\(entry.key)\" is the name that Xcode shows, not the key",
        fix: "Write the raw key, such as NSFaceIDUsageDescription.", error: "ITMS-90683")
    }
    return nil
  }

  private func text(_ entry: InfoPlist.Entry, _ key: UsageFacts.Key, _ target: AuditedTarget) -> [Finding] {
    if key.isDictionary == true { return [] }
    guard let text = entry.node.string else {
      return [
        finding(
          .error, at: entry.place, in: target, "\(entry.key) is \(entry.node.typeName), and must be a string",
          error: "ITMS-90683")
      ]
    }
    let plain = text.trimmed
    if plain.isEmpty {
      return [finding(.error, at: entry.place, in: target, "\(entry.key) is empty", error: "ITMS-90683")]
    }
    let small = plain.lowercased()
    if Self.placeholders.contains(small) || small == entry.key.lowercased() || small.hasPrefix("todo")
      || small.hasPrefix("lorem ipsum")
    {
      return [
        finding(.warning, at: entry.place, in: target, "\(entry.key) holds a placeholder: \"\(plain.prefix(60))\"")
      ]
    }
    return []
  }

  private func obsolete(_ entry: InfoPlist.Entry, _ key: UsageFacts.Key, _ target: AuditedTarget) -> [Finding] {
    guard let from = key.obsoleteFrom, let replacement = key.replacement, let deployed = target.target.deploymentTarget,
      !Version.isLower(deployed, from)
    else { return [] }
    return [
      finding(
        .note, at: entry.place, in: target,
        "\(entry.key) is not read from iOS \(from) on, and the target needs iOS \(deployed)",
        fix: "Remove it; \(replacement) is what is read.")
    ]
  }
}

/// Versions such as 16.4.
enum Version {
  static func isLower(_ left: String, _ right: String) -> Bool {
    func numbers(_ text: String) -> [Int] { text.split(separator: ".").map { Int($0) ?? 0 } }
    return numbers(left).lexicographicallyPrecedes(numbers(right))
  }
}
