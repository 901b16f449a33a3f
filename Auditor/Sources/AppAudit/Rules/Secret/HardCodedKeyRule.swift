import SwiftSyntax

/// An encryption key made of a literal.
struct HardCodedKeyRule: Rule {
  let about = RuleDescription(
    id: "secret.encryption-key",
    kind: .secret,
    title: "An encryption key is made of a literal",
    why: "What is encrypted with it can be read by whoever downloads the app: the key is in it.",
    fix: "Make a random key with SymmetricKey(size:), and keep it in the keychain.")

  let words = Words(exact: ["SymmetricKey", "CCCrypt", "CCCryptorCreate"])
  let nodeKinds: [SyntaxKind] = [.functionCallExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let call = node.as(FunctionCallExprSyntax.self), let name = call.calledName else { return }
    if name == "SymmetricKey", let data = call.argument("data"), !source.isOwnType("SymmetricKey", at: call) {
      if isLiteral(data, source, depth: 0) { notebook.note(name, line: source.line(of: call)) }
    } else if name == "CCCrypt" || name == "CCCryptorCreate", call.arguments.count > 3 {
      let key = call.arguments[call.arguments.index(call.arguments.startIndex, offsetBy: 3)].expression
      if isLiteral(key, source, depth: 0) { notebook.note(name, line: source.line(of: call)) }
    }
  }

  private func isLiteral(_ expression: ExprSyntax, _ source: SwiftSource, depth: Int) -> Bool {
    guard depth < 4 else { return false }
    let bare = expression.bare
    if let text = bare.literal { return !text.isEmpty }
    if let array = bare.as(ArrayExprSyntax.self) {
      return array.elements.count >= 8 && array.elements.allSatisfy { $0.expression.is(IntegerLiteralExprSyntax.self) }
    }
    if let member = bare.as(MemberAccessExprSyntax.self), member.declName.baseName.text == "utf8",
      let base = member.base
    {
      return isLiteral(base, source, depth: depth + 1)
    }
    if let call = bare.as(FunctionCallExprSyntax.self) {
      if ["Data", "Array", "String", "NSData"].contains(call.calledName), call.calledBase == nil,
        let first = call.arguments.first
      {
        guard ["", "base64Encoded", "hex", "hexString", "bytes"].contains(first.label?.text ?? "") else { return false }
        return isLiteral(first.expression, source, depth: depth + 1)
      }
      if call.calledName == "data", let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base {
        return isLiteral(base, source, depth: depth + 1)
      }
      return false
    }
    guard let name = bare.variableName else { return false }
    let bindings = source.active(PatternBindingSyntax.self, in: source.tree).filter {
      $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == name
    }
    guard bindings.count == 1, let value = bindings.first?.initializer?.value,
      bindings.first?.nearest(VariableDeclSyntax.self)?.bindingSpecifier.text == "let"
    else { return false }
    return isLiteral(value, source, depth: depth + 1)
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for call in source.calls where ["CCCrypt", "CCCryptorCreate"].contains(call.name) && call.arguments.count > 3 {
      if call.arguments[3].contains(where: { $0.kind == .string }) { notebook.note(call.name, line: call.line) }
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map { finding(.error, at: $0, in: target, "the key of \($0.name) stands in the source") }
  }
}
