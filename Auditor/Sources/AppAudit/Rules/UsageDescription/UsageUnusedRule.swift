/// A usage description whose API no source of the target uses.
struct UsageUnusedRule: Rule {
  let about = RuleDescription(
    id: "usage-description.unused",
    kind: .usageDescription,
    title: "A usage description is there, and no source uses its API",
    why:
      "A note: a linked SDK that is not in the folder may use it. Reviewers ask about texts for what the app does not do.",
    fix: "Remove the key when no linked SDK needs it.")

  func findings(in target: AuditedTarget) -> [Finding] {
    guard target.target.isBundle, !target.target.sources.isEmpty else { return [] }
    let used = Set(target.linked(by: UsageMissingRule()).map(\.name))
    return UsageFacts.shared.keys.compactMap { key in
      guard !key.triggers.isEmpty, !used.contains(key.key), let entry = target.target.infoPlist?[key.key],
        !UsageFacts.shared.keys.contains(where: { $0.instead.contains(key.key) && used.contains($0.key) })
      else { return nil }
      return finding(
        .note, at: entry.place, in: target, "\(key.key) is there, and no source of the target uses its API")
    }
  }
}
