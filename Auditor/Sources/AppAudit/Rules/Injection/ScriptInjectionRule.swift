import SwiftSyntax

/// A script whose values are put into its text.
struct ScriptInjectionRule: Rule {
  let about = RuleDescription(
    id: "injection.javascript",
    kind: .injection,
    title: "Values are put into the text of a script",
    why: """
      A value with a quote or a line break in it runs as code in the page, with what the page may do. Numbers and text \
      that was encoded as JSON are silent.
      """,
    fix: "Use callAsyncJavaScript(_:arguments:…), or encode the value as JSON before it is put in.")

  private let facts = InjectionFacts.shared
  var words: Words {
    Words(exact: facts.scriptSinks.union(facts.scriptMakers).union(["stringByEvaluatingJavaScriptFromString"]))
  }
  let nodeKinds: [SyntaxKind] = [.functionCallExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let call = node.as(FunctionCallExprSyntax.self), let name = call.calledName,
      facts.scriptSinks.contains(name) && call.calledBase != nil || facts.scriptMakers.contains(name),
      let script = facts.scriptMakers.contains(name) ? call.argument("source") : call.arguments.first?.expression,
      let built = BuiltText.of(script, in: source),
      let value = built.values.first(where: { !isSafe($0.value, source) && !isQuotedAddress($0, source) }),
      let place = built.first
    else { return }
    notebook.note(value.value.trimmedDescription.prefix(40).description, line: source.line(of: place))
  }

  private func isSafe(_ value: ExprSyntax, _ source: SwiftSource) -> Bool {
    let bare = value.bare
    if source.isJoinedNumbers(bare, facts.numberTypes) { return true }
    if bare.is(IntegerLiteralExprSyntax.self) || bare.is(BooleanLiteralExprSyntax.self) || bare.literal != nil {
      return true
    }
    if let ternary = bare.as(TernaryExprSyntax.self) {
      return isSafe(ternary.thenExpression, source) && isSafe(ternary.elseExpression, source)
    }
    if let infix = bare.as(InfixOperatorExprSyntax.self), infix.operator.trimmedDescription == "??" {
      return isSafe(infix.leftOperand, source) && isSafe(infix.rightOperand, source)
    }
    if let call = bare.as(FunctionCallExprSyntax.self), call.calledName == "String", let first = call.arguments.first {
      return isSafe(first.expression, source)
    }
    guard let name = bare.lastName else { return false }
    if facts.numberTypes.contains(name) { return true }
    let words = SecretNames.words(name)
    if words.contains(where: facts.encodedWords.contains) || name.contains("64") { return true }
    if let last = words.last, facts.numberWords.contains(last) { return true }
    if source.isNumber(name, facts.numberTypes) || name == name.uppercased() { return true }
    if let base = bare.as(MemberAccessExprSyntax.self)?.base?.trimmedDescription, base.first?.isUppercase == true {
      return true
    }
    return isEncodedHere(name, bare, source) || isConstant(name, source)
  }

  /// A local variable that was made by an encoder, or of what is safe itself.
  private func isEncodedHere(_ name: String, _ node: ExprSyntax, _ source: SwiftSource) -> Bool {
    let marks = [
      "JSONEncoder", "JSONSerialization", "encode", "addingPercentEncoding", "json", "base64", "Int(", "escape",
    ]
    return source.active(PatternBindingSyntax.self, in: node.scope).contains { binding in
      guard binding.pattern.trimmedDescription == name, let value = binding.initializer?.value, !node.isInside(binding)
      else { return false }
      if let ternary = value.bare.as(TernaryExprSyntax.self) {
        return ternary.thenExpression.literal != nil && ternary.elseExpression.literal != nil
      }
      return marks.contains(where: value.trimmedDescription.contains)
    }
  }

  /// An address in double quotes: it has none itself, they are written in it as %22.
  private func isQuotedAddress(_ value: (value: ExprSyntax, before: String), _ source: SwiftSource) -> Bool {
    guard value.before.hasSuffix("\"") else { return false }
    let bare = value.value.bare
    if Self.isAddress(bare) { return true }
    guard let name = bare.as(DeclReferenceExprSyntax.self)?.baseName.text else { return false }
    let bindings =
      source.active(PatternBindingSyntax.self, in: bare.scope).map { ($0.pattern, $0.initializer?.value) }
      + source.active(OptionalBindingConditionSyntax.self, in: bare.scope).map { ($0.pattern, $0.initializer?.value) }
    let values = bindings.filter { $0.0.trimmedDescription == name }.map(\.1)
    return !values.isEmpty && values.allSatisfy { $0.map { Self.isAddress($0.bare) } ?? false }
  }

  /// `url.absoluteString` and `components.string`.
  private static func isAddress(_ value: ExprSyntax) -> Bool {
    guard let member = value.as(MemberAccessExprSyntax.self) else { return false }
    let name = member.declName.baseName.text
    let base = member.base?.bare.trimmedDescription.lowercased() ?? ""
    return name == "absoluteString" || name == "string" && base.hasSuffix("components")
  }

  private func isConstant(_ name: String, _ source: SwiftSource) -> Bool {
    source.active(VariableDeclSyntax.self, in: source.tree).contains { declaration in
      declaration.bindingSpecifier.text == "let"
        && declaration.bindings.contains {
          $0.pattern.trimmedDescription == name && $0.initializer?.value.literal != nil
        }
    }
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    let sinks = ["evaluateJavaScript:", "stringByEvaluatingJavaScriptFromString:", "evaluateScript:"]
    for message in source.messages where sinks.contains(where: message.selector.hasPrefix) {
      guard let argument = message.arguments.first, argument.has("stringWithFormat"),
        let format = argument.first(where: { $0.kind == .string })?.text, format.contains("%@")
      else { continue }
      let values = argument.words.filter { !["NSString", "stringWithFormat"].contains($0) }
      if values.contains(where: { SecretNames.words($0).contains(where: facts.encodedWords.contains) }) { continue }
      notebook.note(values.last ?? "a value", line: message.line)
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map { finding(.warning, at: $0, in: target, "\($0.name) is put into the text of a script") }
  }
}
