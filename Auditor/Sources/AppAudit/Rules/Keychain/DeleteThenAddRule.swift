import SwiftSyntax

/// An item is replaced by deleting it and adding it again.
struct DeleteThenAddRule: Rule {
  let about = RuleDescription(
    id: "keychain.delete-then-add",
    kind: .keychain,
    title: "An item is deleted and added again instead of updated",
    why: """
      When the add fails, the old secret is gone and the new one is not there. A dictionary that is used for both holds \
      attributes such as kSecAttrAccessible, which narrow what is deleted: an item of another class stays, and the add \
      then fails with errSecDuplicateItem. A note.
      """,
    fix: "Call SecItemUpdate, and SecItemAdd when it answers errSecItemNotFound.")

  let words = Words(exact: ["SecItemDelete"])
  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.functionCallExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let call = node.as(FunctionCallExprSyntax.self), SecItem.name(of: call, in: source) == "SecItemDelete" else {
      return
    }
    let calls = source.active(FunctionCallExprSyntax.self, in: call.scope)
    guard !calls.contains(where: { $0.calledName == "SecItemUpdate" }),
      calls.contains(where: { $0.position > call.position && $0.calledName == "SecItemAdd" }),
      call.enclosingFunctionName.map({ !$0.lowercased().contains("migrat") }) ?? true
    else { return }
    notebook.note("SecItemDelete", line: source.line(of: call))
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for call in source.calls where call.name == "SecItemDelete" {
      guard let body = source.body(at: call.index), !body.has("SecItemUpdate"),
        source.calls.contains(where: { $0.name == "SecItemAdd" && $0.index > call.index && body.contains($0.index) })
      else { continue }
      notebook.note("SecItemDelete", line: call.line)
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(.note, at: $0, in: target, "the item is deleted before it is added: if the add fails, both are lost")
    }
  }
}
