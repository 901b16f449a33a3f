/// What `explain` prints about a rule or an App Store error.
enum Explain {
  private struct Errors: Decodable {
    struct Entry: Decodable {
      var code: String
      var name: String
      var cause: String
      var since: String?
    }
    var errors: [Entry]
  }

  static func text(_ name: String) throws(UsageError) -> String {
    if let rule = RuleCatalog.all.first(where: { $0.about.id == name }) { return text(rule.about) }
    let errors = Facts.load("app-store-errors", as: Errors.self).errors
    let code = name.uppercased().hasPrefix("ITMS-") ? name.uppercased() : "ITMS-" + name
    guard let error = errors.first(where: { $0.code == code }) else {
      let known = RuleCatalog.all.map(\.about.id) + errors.map(\.code)
      throw UsageError(
        "there is no rule or App Store error \(name)",
        hint: Spelling.closest(to: name, among: known).map { "did you mean \($0)?" }
          ?? "thumbturn-audit rules lists the rules")
    }
    let rules = RuleCatalog.all.map(\.about).filter { $0.appStoreErrors.contains(code) }
    return """
      \(error.code): \(error.name)

      \(error.cause)\(error.since.map { "\nSince \($0)." } ?? "")

      \(rules.isEmpty ? "No rule foresees it." : "Rules that foresee it: " + rules.map(\.id).joined(separator: ", "))

      """
  }

  private static func text(_ about: RuleDescription) -> String {
    let errors = about.appStoreErrors.isEmpty ? "" : "\nApp Store: \(about.appStoreErrors.joined(separator: ", "))\n"
    return """
      \(about.id) (\(about.kind.rawValue))
      \(about.title)

      \(about.why)

      To do: \(about.fix)
      \(errors)
      To leave it out at one place, write in a comment there: thumbturn:ignore \(about.id) REASON

      """
  }

  static func list() -> String {
    let rules = RuleCatalog.all.map(\.about)
    let width = rules.map(\.id.count).max() ?? 0
    return rules.map { $0.id + String(repeating: " ", count: width - $0.id.count + 2) + $0.title }.joined(
      separator: "\n") + "\n"
  }
}
