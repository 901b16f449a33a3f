/// App groups that iOS does not know.
struct AppGroupRule: Rule {
  let about = RuleDescription(
    id: "entitlement.app-group",
    kind: .entitlement,
    title: "An app group does not begin with group.",
    why: "On iOS every app group does; another name is refused when the app is signed, and its container is nil.",
    fix: "Write group. before the name, as it stands in the developer account.")

  func findings(in target: AuditedTarget) -> [Finding] {
    target.entitlements("com.apple.security.application-groups").flatMap { entry, place in
      entry.node.items.compactMap { item -> Finding? in
        guard let group = item.string, !group.hasPrefix("group."), !group.hasPrefix("$") else { return nil }
        return finding(
          .warning, at: Place(path: place.path, line: item.line), in: target, "\"\(group)\" is no app group of iOS")
      }
    }
  }
}
