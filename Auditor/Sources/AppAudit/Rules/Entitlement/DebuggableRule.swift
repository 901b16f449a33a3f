/// A release that a debugger may attach to.
struct DebuggableRule: Rule {
  let about = RuleDescription(
    id: "entitlement.debuggable",
    kind: .entitlement,
    title: "get-task-allow is true in the Release configuration",
    why: """
      A debugger may attach to the app and read its memory. Xcode adds the entitlement to debug builds by itself; written \
      into the file of the Release configuration it is either refused at upload or, in other distribution, a hole.
      """,
    fix: "Remove get-task-allow from the file.")

  func findings(in target: AuditedTarget) -> [Finding] {
    target.entitlements("get-task-allow").compactMap { entry, place in
      // A file for debug builds that no project assigns to a configuration.
      guard entry.node.boolean == true, !Path.name(place.path).lowercased().contains("debug") else { return nil }
      return finding(.error, at: place, in: target, "get-task-allow lets a debugger attach to the released app")
    }
  }
}
