import SwiftSyntax

/// A search key in a dictionary that does not search.
struct MatchKeyRule: Rule {
  let about = RuleDescription(
    id: "keychain.match-key",
    kind: .keychain,
    title: "A kSecMatch key is given to a call that adds, changes or deletes",
    why: """
      Match keys belong to SecItemCopyMatching. SecItemAdd with one stores nothing, and on some versions answers success \
      all the same; SecItemUpdate and SecItemDelete answer errSecParam (-50).
      """,
    fix: "Build the dictionary of the call without kSecMatch keys.")

  private let facts = KeychainFacts.shared
  var words: Words { Words(exact: facts.matchKeys) }
  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.functionCallExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let call = node.as(FunctionCallExprSyntax.self), let name = SecItem.name(of: call, in: source),
      name != "SecItemCopyMatching"
    else { return }
    for argument in call.arguments {
      let query = KeychainQuery(argument.expression, of: call, in: source)
      guard let entry = query.entries.first(where: { facts.matchKeys.contains($0.key) }) else { continue }
      // Set in a branch that may end before the call.
      if let block = entry.block, !call.isInside(block) { continue }
      notebook.note(name, line: source.line(of: entry.node), ["key": entry.key])
      return
    }
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for call in source.calls where SecItem.functions.contains(call.name) && call.name != "SecItemCopyMatching" {
      for argument in call.arguments {
        guard
          let key = CKeychainQuery.keys(in: argument, at: call.index, of: source)?.first(
            where: facts.matchKeys.contains)
        else { continue }
        notebook.note(call.name, line: call.line, ["key": key])
        break
      }
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(
        .error, at: $0, in: target,
        "\($0.detail("key") ?? "a match key") is given to \($0.name): "
          + ($0.name == "SecItemAdd" ? "nothing is stored" : "the call answers errSecParam"))
    }
  }
}
