import SwiftSyntax

/// A literal that is given to the name of a secret.
struct HardCodedSecretRule: Rule {
  let about = RuleDescription(
    id: "secret.hard-coded",
    kind: .secret,
    title: "A secret stands in the source",
    why: """
      Whoever downloads the app has it. A literal counts when it goes to what is named after a secret and looks like one: \
      long, irregular, no address, identifier, sentence, key of a dictionary, placeholder or known test value.
      """,
    fix: "Revoke it; let a server of yours hold it, or fetch it after sign-in and keep it in the keychain.")

  let words = Words(
    exact: SecretNames.naming.exact, parts: SecretNames.naming.parts + ["authorization", "bearer"])
  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.stringLiteralExpr]
  private let text = SecretText()
  private let names = SecretNames.shared

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let value = ExprSyntax(node)?.literal, value.utf8.count >= 8, text.provider(of: value) == nil else { return }
    if let bearer = authorization(node, value) {
      if text.isSecret(bearer) { notebook.note("Authorization", line: source.line(of: node)) }
      return
    }
    guard let name = name(for: node), let meaning = names.meaning(of: name) else { return }
    if SecretNames.words(name).last == "token", names.isAboutLanguages(source.declaredTypes) { return }
    guard text.isSecret(value) || meaning == .password && isPassword(value) else { return }
    notebook.note(name, line: source.line(of: node))
  }

  /// A password that a person chose: letters and digits or signs, no name and no sentence.
  private func isPassword(_ value: String) -> Bool {
    let small = value.lowercased()
    guard value.count >= 8, value.count <= 64, value.allSatisfy({ $0.isASCII && !$0.isWhitespace }),
      value.contains(where: \.isNumber), value.contains(where: \.isLetter),
      value.contains(where: { !$0.isLetter && !$0.isNumber && !"._-:/".contains($0) })
    else { return false }
    return !value.contains("://") && !value.contains("%@") && !value.contains("<") && !value.contains("{")
      && !value.contains("[") && !value.contains("\\") && !names.placeholders.contains(where: small.contains)
  }

  /// The name that the literal goes to: a constant, a parameter with a default, an argument, a dictionary's key.
  private func name(for node: Syntax) -> String? {
    guard let parent = node.parent else { return nil }
    switch parent.as(SyntaxEnum.self) {
    case .initializerClause:
      if let binding = parent.parent?.as(PatternBindingSyntax.self) {
        return binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
      }
      if let parameter = parent.parent?.as(FunctionParameterSyntax.self) {
        return (parameter.secondName ?? parameter.firstName).text
      }
      return parent.parent?.as(EnumCaseElementSyntax.self)?.name.text
    case .infixOperatorExpr(let infix):
      guard infix.rightOperand.id == node.id else { return nil }
      let sign = infix.operator.trimmedDescription
      if infix.operator.is(AssignmentExprSyntax.self) {
        if let access = infix.leftOperand.as(SubscriptCallExprSyntax.self) {
          return access.arguments.first?.expression.literal
        }
        return infix.leftOperand.as(MemberAccessExprSyntax.self)?.declName.baseName.text
          ?? infix.leftOperand.variableName
      }
      if sign == "??", let outer = infix.parent {
        return outer.is(InitializerClauseSyntax.self) ? self.name(for: Syntax(infix)) : nil
      }
      return nil
    case .labeledExpr(let argument):
      if let label = argument.label?.text { return label == "forKey" || label == "key" ? nil : label }
      return wrapper(argument)
    case .dictionaryElement(let element):
      guard element.value.id == node.id else { return nil }
      return element.key.literal
    case .returnStmt: return computed(node)
    case .codeBlockItem: return computed(node)
    default: return nil
    }
  }

  /// `let key = Data("…".utf8)`, `SecureValue("…")`: what the call is given to.
  private func wrapper(_ argument: LabeledExprSyntax) -> String? {
    guard let call = argument.nearest(FunctionCallExprSyntax.self), call.arguments.count == 1,
      ["String", "Data", "NSString", "Secret", "SecretString"].contains(call.calledName)
    else { return nil }
    return name(for: Syntax(call))
  }

  /// A property that answers with the literal.
  private func computed(_ node: Syntax) -> String? {
    guard let binding = node.nearest(PatternBindingSyntax.self),
      node.scope.parent?.id == binding.id || node.scope.nearest(PatternBindingSyntax.self)?.id == binding.id,
      node.nearest(FunctionDeclSyntax.self) == nil || binding.isInside(node.scope) == false
    else { return nil }
    return binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
  }

  /// The token in `setValue("Bearer …", forHTTPHeaderField: "Authorization")` or `["Authorization": "Bearer …"]`.
  private func authorization(_ node: Syntax, _ value: String) -> String? {
    for start in ["Bearer ", "Basic ", "Token "] where value.hasPrefix(start) {
      return String(value.dropFirst(start.count))
    }
    return nil
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    let tokens = source.tokens
    for index in tokens.indices where tokens[index].kind == .string && index > 0 {
      let value = tokens[index].text
      guard text.provider(of: value) == nil, let name = name(before: index, tokens), names.meaning(of: name) != nil,
        text.isSecret(value)
      else { continue }
      notebook.note(name, line: tokens[index].line)
    }
  }

  /// `name = @"…"`, `#define NAME @"…"` (whose body alone is seen, so not here) and `name:@"…"`.
  private func name(before index: Int, _ tokens: [CToken]) -> String? {
    var place = index - 1
    if tokens[place].isPunctuation("@") { place -= 1 }
    guard place > 0 else { return nil }
    if tokens[place].isPunctuation("=") {
      var name = place - 1
      // `char key[] = "…"`.
      while name > 0, tokens[name].isPunctuation("]") || tokens[name].isPunctuation("[") { name -= 1 }
      guard tokens[name].kind == .identifier else { return nil }
      let text = tokens[name].text
      return text.hasPrefix("k") && text.dropFirst().first?.isUppercase == true ? String(text.dropFirst()) : text
    }
    if tokens[place].isPunctuation(":"), tokens[place - 1].kind == .identifier {
      let label = tokens[place - 1].text
      return ["forKey", "key", "isEqualToString"].contains(label) ? nil : label
    }
    return nil
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(.error, at: $0, in: target, "\($0.name) is given a secret that stands in the source")
    }
  }
}
