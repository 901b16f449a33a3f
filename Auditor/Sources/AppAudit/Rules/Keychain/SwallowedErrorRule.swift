import SwiftSyntax

/// A failed read of the keychain looks like a value.
struct SwallowedErrorRule: Rule {
  let about = RuleDescription(
    id: "keychain.error-swallowed",
    kind: .keychain,
    title: "A keychain error is swallowed by try? and a default takes its place",
    why: """
      A locked device (errSecInteractionNotAllowed) and a missing item become the same empty value: people are signed out, \
      or the default is written over the secret. Judged are calls on what is named after the keychain, and functions of \
      the same file that call SecItemCopyMatching and throw.
      """,
    fix: "Catch the error: take the default for errSecItemNotFound alone, and hand on the rest.")

  private let facts = KeychainFacts.shared
  var words: Words { Words(exact: ["SecItemCopyMatching"], parts: facts.wrapperWords.sorted()) }
  let reach = Reach.callers
  let nodeKinds: [SyntaxKind] = [.tryExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let attempt = node.as(TryExprSyntax.self), attempt.questionOrExclamationMark?.text == "?",
      let name = keychainCall(in: attempt, source), hasDefault(attempt)
    else { return }
    notebook.note(name, line: source.line(of: attempt))
  }

  /// `(try? …) ?? default`, or `try? … ?? default` where the operator was taken in by `try`.
  private func hasDefault(_ attempt: TryExprSyntax) -> Bool {
    func isDefault(_ infix: InfixOperatorExprSyntax) -> Bool {
      infix.operator.trimmedDescription == "??" && !infix.rightOperand.is(NilLiteralExprSyntax.self)
        && !infix.rightOperand.trimmedDescription.hasPrefix("try")
    }
    if let inner = attempt.expression.as(InfixOperatorExprSyntax.self), isDefault(inner) { return true }
    var node = Syntax(attempt)
    while let parent = node.parent {
      if let infix = parent.as(InfixOperatorExprSyntax.self) {
        return isDefault(infix) && node.isInside(infix.leftOperand)
      }
      guard
        parent.is(TupleExprSyntax.self) || parent.is(LabeledExprSyntax.self) || parent.is(LabeledExprListSyntax.self)
          || parent.is(OptionalChainingExprSyntax.self)
      else { return false }
      node = parent
    }
    return false
  }

  private func keychainCall(in attempt: TryExprSyntax, _ source: SwiftSource) -> String? {
    for call in source.active(FunctionCallExprSyntax.self, in: attempt.expression) {
      guard let name = call.calledName, !["decode", "encode"].contains(name) else { continue }
      let words = ((call.calledBase ?? "") + " " + name).lowercased()
      if facts.wrapperWords.contains(where: words.contains) { return name }
      if readers(source).contains(name) { return name }
    }
    return nil
  }

  /// Functions of the file that read the keychain and throw.
  private func readers(_ source: SwiftSource) -> Set<String> {
    var names: Set<String> = []
    for function in source.active(FunctionDeclSyntax.self, in: source.tree)
    where function.signature.effectSpecifiers?.throwsClause != nil && function.body != nil {
      let calls = source.active(FunctionCallExprSyntax.self, in: function)
      if calls.contains(where: { $0.calledName == "SecItemCopyMatching" }) { names.insert(function.name.text) }
    }
    return names
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(
        .warning, at: $0, in: target, "an error of \($0.name) becomes a default: locked and missing look the same")
    }
  }
}
