import SwiftSyntax

/// Nothing happens when the person says no.
struct DenialIgnoredRule: Rule {
  let about = RuleDescription(
    id: "permission.denial-ignored",
    kind: .permission,
    title: "A permission is asked for and a denial has no branch",
    why: """
      After a denial iOS never asks again: without a branch the button does nothing, and nobody learns why. An answer that \
      is handed on, stored or looked up elsewhere in the file is silent; for notifications it is a note.
      """,
    fix: "Say in the other branch what does not work now, with the way to Settings.")

  private let facts = PermissionFacts.shared
  var words: Words { Words(exact: Set(facts.asks.map(\.call))) }
  let nodeKinds: [SyntaxKind] = [.functionCallExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let call = node.as(FunctionCallExprSyntax.self), let ask = facts.ask(call, in: source),
      ask.hidesAnswer != true,
      ask.byDelegate != true, isIgnored(call, source), !looksUp(source)
    else { return }
    notebook.note(ask.name, line: source.line(of: call), ask.optional == true ? ["optional": "yes"] : [:])
  }

  private func looksUp(_ source: SwiftSource) -> Bool {
    source.active(DeclReferenceExprSyntax.self, in: source.tree).contains {
      facts.statusWords.contains($0.baseName.text)
    }
  }

  private func isIgnored(_ call: FunctionCallExprSyntax, _ source: SwiftSource) -> Bool {
    if let closure = call.closures.last {
      let answer = closure.parameterNames.first ?? "$0"
      return isUnbranched(answer, in: Syntax(closure), source)
    }
    // A function that is given as the handler.
    if call.arguments.contains(where: { ["completionHandler", "completion", "handler"].contains($0.label?.text) }) {
      return false
    }
    // The answer of the async form.
    var node = Syntax(call)
    while let parent = node.parent, parent.is(TryExprSyntax.self) || parent.is(AwaitExprSyntax.self) { node = parent }
    guard call.nearest(AwaitExprSyntax.self) != nil else { return false }
    if node.parent?.is(ConditionElementSyntax.self) == true, let branch = node.nearest(IfExprSyntax.self) {
      return branch.elseBody == nil && !leaves(branch.body) && isLast(branch)
    }
    if node.parent?.is(InitializerClauseSyntax.self) == true, let binding = node.nearest(PatternBindingSyntax.self),
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
    {
      return isUnbranched(name, in: node.scope, source)
    }
    return !Usage(source).isUsed(Syntax(call))
  }

  /// Whether every use of the answer is an `if` without `else`, or there is none.
  private func isUnbranched(_ name: String, in scope: Syntax, _ source: SwiftSource) -> Bool {
    if name == "_" { return true }
    let uses = source.active(DeclReferenceExprSyntax.self, in: scope).filter { $0.baseName.text == name }
    if uses.isEmpty { return scope.is(ClosureExprSyntax.self) }
    return uses.allSatisfy { use in
      if isLogged(use) { return true }
      guard let condition = use.nearest(ConditionElementSyntax.self), let branch = condition.nearest(IfExprSyntax.self),
        branch.conditions.contains(where: { $0.id == condition.id })
      else { return false }
      let text = condition.trimmedDescription.filter { !$0.isWhitespace }
      if text.hasPrefix("!") || text.contains("denied") || text.contains("!=") || text.contains("false") {
        return false
      }
      return branch.elseBody == nil && !leaves(branch.body) && isLast(branch)
    }
  }

  private func isLogged(_ use: DeclReferenceExprSyntax) -> Bool {
    guard let call = use.nearest(FunctionCallExprSyntax.self) else { return false }
    return ["print", "debugPrint", "NSLog", "log", "debug", "info"].contains(call.calledName)
      && use.nearest(ConditionElementSyntax.self) == nil
  }

  /// What stands after a branch that leaves is the other branch.
  private func leaves(_ block: CodeBlockSyntax) -> Bool {
    block.statements.last.map { $0.item.is(ReturnStmtSyntax.self) || $0.item.is(ThrowStmtSyntax.self) } ?? false
  }

  private func isLast(_ branch: IfExprSyntax) -> Bool { branch.parent?.is(IfExprSyntax.self) != true }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(
        $0.detail("optional") == nil ? .warning : .note, at: $0, in: target,
        "\($0.name): asked for, and nothing happens when the person refuses")
    }
  }
}
