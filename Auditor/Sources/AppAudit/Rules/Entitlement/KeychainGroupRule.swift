/// Keychain groups without the prefix of the team.
struct KeychainGroupRule: Rule {
  let about = RuleDescription(
    id: "entitlement.keychain-group",
    kind: .entitlement,
    title: "A keychain access group has no team prefix, or is a wildcard",
    why: """
      A group begins with the team's identifier. Another one is not in the provisioning profile: signing fails, or every \
      call that names the group answers errSecMissingEntitlement (-34018). "*" is no group.
      """,
    fix: "Write $(AppIdentifierPrefix) before the group's name.")

  func findings(in target: AuditedTarget) -> [Finding] {
    target.entitlements("keychain-access-groups").flatMap { entry, place in
      entry.node.items.compactMap { item -> Finding? in
        guard let group = item.string, !Self.isValid(group) else { return nil }
        return finding(
          .error, at: Place(path: place.path, line: item.line), in: target, "\"\(group)\" is no keychain access group")
      }
    }
  }

  /// `$(AppIdentifierPrefix)…`, another variable, or ten capitals and digits with a dot behind them; tokens of Apple.
  static func isValid(_ group: String) -> Bool {
    if group.hasPrefix("$(") || group.hasPrefix("${") { return group.count > 3 && !group.hasSuffix(")*") }
    if group == "com.apple.token" { return true }
    let team = group.prefix { $0 != "." }
    return team.count == 10 && team.allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) } && group.count > 11
      && !group.hasSuffix("*")
  }
}
