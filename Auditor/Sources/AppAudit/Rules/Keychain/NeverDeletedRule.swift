import SwiftSyntax

/// Items are stored, and nothing ever deletes one.
struct NeverDeletedRule: Rule {
  let about = RuleDescription(
    id: "keychain.never-deleted",
    kind: .keychain,
    title: "Items are added to the keychain and no code deletes one",
    why: """
      Keychain items outlive the app: after it is deleted and installed again they are there, for the next owner of a \
      phone that was not erased too, and signing out leaves them. A note: a linked library may delete them.
      """,
    fix: "Delete the item when its owner signs out, with the query that names it.")

  let words = Words(exact: ["SecItemAdd", "SecItemDelete"])
  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.functionCallExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let call = node.as(FunctionCallExprSyntax.self), let name = SecItem.name(of: call, in: source),
      words.exact.contains(name)
    else { return }
    notebook.note(name, line: source.line(of: call))
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for call in source.calls where words.exact.contains(call.name) { notebook.note(call.name, line: call.line) }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    guard target.target.isBundle || target.target.kind == .package else { return [] }
    let seen = target.linked(by: self)
    guard !seen.contains(where: { $0.name == "SecItemDelete" }),
      let first = target.seen(by: self).filter({ $0.name == "SecItemAdd" }).min(by: {
        ($0.path, $0.line) < ($1.path, $1.line)
      })
    else { return [] }
    return [finding(.note, at: first, in: target, "items are added, and no code of \(target.target.name) deletes one")]
  }
}
