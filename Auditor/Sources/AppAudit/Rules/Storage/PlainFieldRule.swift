import SwiftSyntax

/// A password is typed into a field that shows it.
struct PlainFieldRule: Rule {
  let about = RuleDescription(
    id: "storage.plain-password-field",
    kind: .storage,
    title: "A password is typed into a field that shows it and learns from it",
    why: """
      A plain text field shows the password to bystanders, in screenshots and recordings, and offers it to the keyboard's \
      predictions. A view that also has a SecureField, to switch between both, is silent.
      """,
    fix: "Use SecureField, or set isSecureTextEntry.")

  private let names = SecretNames.shared
  let words = Words(
    exact: ["TextField", "isSecureTextEntry", "secureTextEntry", "UITextField"], also: [SecretNames.naming])
  let nodeKinds: [SyntaxKind] = [.functionCallExpr, .infixOperatorExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    if let call = node.as(FunctionCallExprSyntax.self) {
      guard call.calledName == "TextField", call.calledBase == nil, !source.isOwnType("TextField", at: call),
        let binding = call.argument("text"), let name = bound(binding), names.meaning(of: name) == .password,
        !source.active(FunctionCallExprSyntax.self, in: source.tree).contains(where: { $0.calledName == "SecureField" })
      else { return }
      notebook.note(name, line: source.line(of: call))
    } else if let infix = node.as(InfixOperatorExprSyntax.self), infix.operator.is(AssignmentExprSyntax.self),
      let member = infix.leftOperand.as(MemberAccessExprSyntax.self),
      member.declName.baseName.text == "isSecureTextEntry",
      infix.rightOperand.as(BooleanLiteralExprSyntax.self)?.literal.text == "false",
      let name = member.base?.bare.trimmedDescription.split(separator: ".").last.map(String.init),
      isPasswordField(name),
      !isSetElsewhere(name, infix, source)
    {
      notebook.note(name, line: source.line(of: infix))
    }
  }

  /// `$password`, `$model.password`.
  private func bound(_ expression: ExprSyntax) -> String? {
    let text = expression.bare.trimmedDescription
    guard text.hasPrefix("$") || text.hasPrefix("self.$") else { return nil }
    return text.split(separator: ".").last.map { String($0.drop { $0 == "$" }) }
  }

  private func isPasswordField(_ name: String) -> Bool { names.meaning(of: name) == .password }

  /// A button that shows the password for a moment sets the other value as well.
  private func isSetElsewhere(_ name: String, _ infix: InfixOperatorExprSyntax, _ source: SwiftSource) -> Bool {
    source.active(InfixOperatorExprSyntax.self, in: source.tree).contains {
      $0.id != infix.id && $0.leftOperand.trimmedDescription.hasSuffix("isSecureTextEntry")
        && $0.leftOperand.trimmedDescription.contains(name)
    }
      || source.active(FunctionCallExprSyntax.self, in: source.tree).contains {
        $0.trimmedDescription.contains(name + ".isSecureTextEntry.toggle")
      }
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    let tokens = source.tokens
    for index in tokens.indices.dropLast(2) where tokens[index].text == "secureTextEntry" && index > 1 {
      guard tokens[index + 1].isPunctuation("="), ["NO", "false"].contains(tokens[index + 2].text) else { continue }
      let name = tokens[index - 2].text
      guard isPasswordField(name), tokens.count(where: { $0.text == "secureTextEntry" }) == 1 else { continue }
      notebook.note(name, line: tokens[index].line)
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(.warning, at: $0, in: target, "\($0.name) is typed into a field that shows it")
    }
  }
}
