import SwiftSyntax

/// A password stands in a view as plain text.
struct ShownSecretRule: Rule {
  let about = RuleDescription(
    id: "storage.shown-secret",
    kind: .storage,
    title: "A password is shown as plain text",
    why: """
      It lies open for bystanders, screenshots, recordings and the picture that iOS keeps of the app in the switcher. \
      Text that a condition named show, reveal or the like guards, or that .privacySensitive() hides, is silent.
      """,
    fix: "Show it on request only, and mark the view .privacySensitive().")

  private static let revealing = [
    "show", "reveal", "visible", "hidden", "unmask", "secure", "mask", "conceal", "display", "peek", "plain",
  ]
  let words = Words(
    parts: [
      "password", "passwd", "passphrase", "passcode", "pincode", "cvv", "pwd", "mnemonic", "seedphrase",
      "recoveryphrase",
    ], also: [Words(exact: ["Text", "text"])])
  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.functionCallExpr, .infixOperatorExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    if let call = node.as(FunctionCallExprSyntax.self) {
      guard call.calledName == "Text", call.calledBase == nil, source.imports.contains("SwiftUI"),
        !source.isOwnType("Text", at: call), let value = call.arguments.first?.expression,
        let found = SecretReading(source).secret(in: value), found.meaning == .password, !isGuarded(Syntax(call)),
        !isChoice(value),
        !isModified(call)
      else { return }
      notebook.note(found.name, line: source.line(of: call))
    } else if let infix = node.as(InfixOperatorExprSyntax.self), infix.operator.is(AssignmentExprSyntax.self),
      let member = infix.leftOperand.as(MemberAccessExprSyntax.self), member.declName.baseName.text == "text",
      let owner = member.base?.bare.trimmedDescription.lowercased(), owner.hasSuffix("label"),
      let found = SecretReading(source).secret(in: infix.rightOperand), found.meaning == .password, !isGuarded(node),
      !isChoice(infix.rightOperand)
    {
      notebook.note(found.name, line: source.line(of: infix))
    }
  }

  private func reveals(_ text: String) -> Bool {
    let small = text.lowercased()
    return Self.revealing.contains(where: small.contains)
  }

  /// `isShown ? password : "****"`.
  private func isChoice(_ value: ExprSyntax) -> Bool {
    value.bare.as(TernaryExprSyntax.self).map { reveals($0.condition.trimmedDescription) } ?? false
  }

  private func isGuarded(_ node: Syntax) -> Bool {
    var next = node.parent
    while let parent = next {
      if let branch = parent.as(IfExprSyntax.self), reveals(branch.conditions.trimmedDescription) { return true }
      if let ternary = parent.as(TernaryExprSyntax.self), reveals(ternary.condition.trimmedDescription) { return true }
      if let function = parent.as(FunctionDeclSyntax.self) { return reveals(function.name.text) }
      next = parent.parent
    }
    return false
  }

  /// `.privacySensitive()` or `.redacted(…)` somewhere behind it.
  private func isModified(_ call: FunctionCallExprSyntax) -> Bool {
    var next = call.parent
    while let parent = next {
      if let member = parent.as(MemberAccessExprSyntax.self),
        ["privacySensitive", "redacted", "accessibilityHidden"].contains(member.declName.baseName.text)
      {
        return true
      }
      if parent.is(CodeBlockItemSyntax.self) { return false }
      next = parent.parent
    }
    return false
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map { finding(.warning, at: $0, in: target, "\($0.name) is shown as plain text") }
  }
}
