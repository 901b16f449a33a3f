import SwiftSyntax

/// An access control that could not be made is used as if it had been.
struct AccessControlErrorRule: Rule {
  let about = RuleDescription(
    id: "keychain.access-control-error",
    kind: .keychain,
    title: "The failure of SecAccessControlCreateWithFlags is not handled",
    why: """
      It answers nil for flags that do not fit together. Unwrapped by force the app ends; put into the dictionary as Any \
      the item is stored without the control, or the call answers errSecParam.
      """,
    fix: "Pass an error, and leave the function with it when the answer is nil.")

  let words = Words(exact: ["SecAccessControlCreateWithFlags"])
  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.functionCallExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let call = node.as(FunctionCallExprSyntax.self), call.calledName == "SecAccessControlCreateWithFlags",
      call.arguments.last?.expression.is(NilLiteralExprSyntax.self) == true, isUnhandled(call, source)
    else { return }
    notebook.note("nil", line: source.line(of: call))
  }

  private func isUnhandled(_ call: FunctionCallExprSyntax, _ source: SwiftSource) -> Bool {
    guard let parent = call.parent else { return false }
    if parent.is(ForceUnwrapExprSyntax.self) { return true }
    if let cast = parent.as(AsExprSyntax.self) { return cast.type.trimmedDescription == "Any" }
    guard let binding = parent.parent?.as(PatternBindingSyntax.self),
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
      !binding.scope.is(SourceFileSyntax.self)
    else { return false }
    // A variable: unwrapped by force or cast to Any where it is used.
    return source.active(DeclReferenceExprSyntax.self, in: binding.scope).contains { reference in
      guard reference.baseName.text == name, reference.position > binding.position else { return false }
      if reference.parent?.is(ForceUnwrapExprSyntax.self) == true { return true }
      return reference.parent?.as(AsExprSyntax.self)?.type.trimmedDescription == "Any"
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(
        .warning, at: $0, in: target, "the error of SecAccessControlCreateWithFlags is dropped and its nil not handled")
    }
  }
}
