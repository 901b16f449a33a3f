/// Entitlements of another type, or with a value that does not exist.
struct EntitlementValueRule: Rule {
  let about = RuleDescription(
    id: "entitlement.value",
    kind: .entitlement,
    title: "An entitlement has another type, or a value that does not exist",
    why: "Signing or the upload refuses it, or the system does not read it.",
    fix: "Write a value of Apple's list, in its exact spelling.")

  func findings(in target: AuditedTarget) -> [Finding] {
    EntitlementFacts.shared.values.flatMap { known in
      target.entitlements(known.key).flatMap { entry, place in judge(entry, known, place, target) }
    }
  }

  private func judge(
    _ entry: PropertyEntry, _ known: EntitlementFacts.Value, _ place: Place, _ target: AuditedTarget
  ) -> [Finding] {
    // `$(NAME)` is put in when the app is built.
    if entry.node.string?.hasPrefix("$") == true { return [] }
    let form: String
    let fits: Bool
    switch known.type {
    case .string: (form, fits) = ("a string", entry.node.string != nil)
    case .boolean: (form, fits) = ("a boolean", entry.node.boolean != nil)
    case .strings:
      (form, fits) = (
        "an array of strings", entry.node.value.isArray && entry.node.items.allSatisfy { $0.string != nil }
      )
    }
    guard fits else {
      return [finding(.error, at: place, in: target, "\(known.key) is \(entry.node.typeName), and must be \(form)")]
    }
    guard let values = known.values else { return [] }
    return ([entry.node] + entry.node.items).compactMap { node in
      guard let value = node.string, !value.hasPrefix("$"), !values.contains(value) else { return nil }
      let right = Spelling.closest(to: value, among: values)
      // Signing puts in what the profile says, and takes another case for it.
      let severity: Severity = right?.lowercased() == value.lowercased() ? .note : .error
      return finding(
        severity, at: Place(path: place.path, line: node.line), in: target, "\"\(value)\" is no value of \(known.key)",
        fix: right.map { "Write \($0)." } ?? "Write one of \(values.joined(separator: ", ")).")
    }
  }
}
