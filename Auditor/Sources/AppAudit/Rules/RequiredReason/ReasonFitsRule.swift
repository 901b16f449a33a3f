/// User defaults of one kind are used and the reason is that of the other.
struct ReasonFitsRule: Rule {
  let about = RuleDescription(
    id: "required-reason.other-reason",
    kind: .requiredReason,
    title: "The declared reason does not cover the use",
    why: """
      CA92.1 is for defaults that only the app itself reads, 1C8F.1 for those shared in an app group. The code uses \
      `standard` and only the group's reason is declared, or the other way round.
      """,
    fix: "Add the other code.")

  func findings(in target: AuditedTarget) -> [Finding] {
    let category = "NSPrivacyAccessedAPICategoryUserDefaults"
    // The observations are those of the rule that looks for uses.
    let uses = target.carried(by: RequiredReasonRule()).filter { $0.name == category }
    guard let codes = target.covering[category], !codes.isEmpty, codes.isSubset(of: ["CA92.1", "1C8F.1"]) else {
      return []
    }
    func missing(_ use: String, _ code: String, _ message: String) -> Finding? {
      guard !codes.contains(code),
        let first = uses.filter({ $0.detail("use") == use }).min(by: { ($0.path, $0.line) < ($1.path, $1.line) })
      else { return nil }
      return finding(
        .warning, at: first, in: target, message, fix: "Add \(code) to the manifest's reasons for user defaults.")
    }
    return [
      missing(
        "standard", "CA92.1", "UserDefaults.standard is used, but only 1C8F.1 (defaults of an app group) is declared"),
      missing(
        "suite", "1C8F.1", "a suite of defaults is used, but only CA92.1 (defaults of the app itself) is declared"),
    ].compactMap { $0 }
  }
}
