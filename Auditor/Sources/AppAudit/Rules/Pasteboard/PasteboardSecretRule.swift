import SwiftSyntax

/// A secret on the general pasteboard.
struct PasteboardSecretRule: Rule {
  let about = RuleDescription(
    id: "pasteboard.secret",
    kind: .pasteboard,
    title: "A secret is put on the general pasteboard",
    why: """
      Every app that is used next can read it, and Universal Clipboard takes it to other devices. setItems with \
      .localOnly or .expirationDate is silent.
      """,
    fix: "Use setItems(_:options:) with .localOnly and .expirationDate, or do not copy it.")

  let words = Words(exact: ["UIPasteboard"], also: [SecretNames.naming])
  let nodeKinds: [SyntaxKind] = [.infixOperatorExpr, .functionCallExpr]
  private static let members: Set<String> = ["string", "strings", "items"]
  private static let setters: Set<String> = [
    "setValue", "setData", "setItems", "addItems", "setObjects", "setItemProviders",
  ]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    if let infix = node.as(InfixOperatorExprSyntax.self) {
      guard infix.operator.is(AssignmentExprSyntax.self),
        let member = infix.leftOperand.as(MemberAccessExprSyntax.self),
        Self.members.contains(member.declName.baseName.text), isGeneral(member.base, source),
        let found = SecretReading(source).secret(in: infix.rightOperand)
      else { return }
      notebook.note(found.name, line: source.line(of: infix))
    } else if let call = node.as(FunctionCallExprSyntax.self),
      let member = call.calledExpression.as(MemberAccessExprSyntax.self)
    {
      guard Self.setters.contains(member.declName.baseName.text), isGeneral(member.base, source),
        let value = call.arguments.first?.expression
      else { return }
      let options = call.argument("options")?.trimmedDescription ?? ""
      if options.contains("localOnly") || options.contains("expirationDate") { return }
      guard let found = secret(in: value, SecretReading(source), source) else { return }
      notebook.note(found, line: source.line(of: call))
    }
  }

  private func secret(in value: ExprSyntax, _ reading: SecretReading, _ source: SwiftSource) -> String? {
    if let found = reading.secret(in: value) { return found.name }
    return source.active(DictionaryElementSyntax.self, in: value).lazy.compactMap { reading.secret(in: $0.value)?.name }
      .first
  }

  /// The general pasteboard, or a variable that was made from it.
  private func isGeneral(_ base: ExprSyntax?, _ source: SwiftSource) -> Bool {
    guard let base else { return false }
    if base.trimmedDescription == "UIPasteboard.general" { return !source.isOwnType("UIPasteboard", at: base) }
    guard let name = base.bare.variableName else { return false }
    return source.active(PatternBindingSyntax.self, in: source.tree).contains {
      $0.pattern.trimmedDescription == name && $0.initializer?.value.trimmedDescription == "UIPasteboard.general"
    }
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    func isGeneral(_ tokens: ArraySlice<CToken>) -> Bool {
      tokens.has("UIPasteboard") || tokens.words.last == "pasteboard"
    }
    for message in source.messages
    where ["setString:", "setValue:forPasteboardType:", "setItems:"].contains(message.selector) {
      guard isGeneral(message.receiver), let secret = CSecretReading.secret(in: message.arguments[0]) else { continue }
      notebook.note(secret, line: message.line)
    }
    let tokens = source.tokens
    for index in tokens.indices.dropLast(2) where tokens[index].text == "string" && tokens[index + 1].isPunctuation("=")
    {
      guard index > 0, tokens[index - 1].isPunctuation("."), isGeneral(tokens[max(0, index - 7)..<index - 1]),
        let end = tokens[index...].firstIndex(where: { $0.isPunctuation(";") }),
        let secret = CSecretReading.secret(in: tokens[index + 2..<max(index + 2, end)])
      else { continue }
      notebook.note(secret, line: tokens[index].line)
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(.warning, at: $0, in: target, "\($0.name) is put on the general pasteboard, which every app reads")
    }
  }
}
