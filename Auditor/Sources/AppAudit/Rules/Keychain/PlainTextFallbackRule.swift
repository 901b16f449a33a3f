import SwiftSyntax

/// What the keychain refuses is kept without it.
struct PlainTextFallbackRule: Rule {
  let about = RuleDescription(
    id: "keychain.plain-text-fallback",
    kind: .keychain,
    title: "When the keychain fails, the secret goes to user defaults or a file",
    why: """
      The keychain fails while the device is locked or when an entitlement is missing: exactly then the secret lies in \
      plain text, in backups too. Judged is what a failed status or a catch around a keychain call leads to.
      """,
    fix: "Report the failure, and try again when the device is unlocked.")

  private let facts = KeychainFacts.shared
  var words: Words { Words(exact: SecItem.functions, parts: facts.wrapperWords.sorted()) }
  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.ifExpr, .guardStmt, .catchClause]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let block = failureBlock(node, source), let use = plainText(in: block, source) else { return }
    notebook.note("fallback", line: use)
  }

  /// What runs when the keychain has failed.
  private func failureBlock(_ node: Syntax, _ source: SwiftSource) -> Syntax? {
    switch node.as(SyntaxEnum.self) {
    case .ifExpr(let branch):
      guard let success = verdict(branch.conditions), usesKeychain(branch.scope, source) else { return nil }
      return success ? branch.otherwise : Syntax(branch.body)
    case .guardStmt(let branch):
      guard verdict(branch.conditions) == true, usesKeychain(branch.scope, source) else { return nil }
      return Syntax(branch.body)
    case .catchClause(let clause):
      guard let statement = clause.nearest(DoStmtSyntax.self),
        source.active(FunctionCallExprSyntax.self, in: statement.body).contains(where: isKeychain)
      else { return nil }
      return Syntax(clause.body)
    default: return nil
    }
  }

  private func usesKeychain(_ scope: Syntax, _ source: SwiftSource) -> Bool {
    !scope.is(SourceFileSyntax.self)
      && source.active(FunctionCallExprSyntax.self, in: scope).contains(where: isKeychain)
  }

  private func isKeychain(_ call: FunctionCallExprSyntax) -> Bool {
    if SecItem.functions.contains(call.calledName ?? "") { return true }
    let base = (call.calledBase ?? "").lowercased()
    return facts.wrapperWords.contains(where: base.contains)
  }

  /// Whether the condition means success (true) or failure (false); nil where it says neither.
  private func verdict(_ conditions: ConditionElementListSyntax) -> Bool? {
    for condition in conditions {
      let text = condition.trimmedDescription.filter { !$0.isWhitespace }
      for word in ["errSecSuccess", "noErr"] {
        if text.contains("==" + word) { return true }
        if text.contains("!=" + word) { return false }
      }
      if text.hasPrefix("!"), text.lowercased().contains("keychain") { return false }
      if text.lowercased().contains("keychain"), text.contains("("), !text.hasPrefix("let") { return true }
      if text.hasPrefix("status!=0") { return false }
      if text.hasPrefix("status==0") { return true }
    }
    return nil
  }

  /// The line of a write or read of plain storage; flags that say that the keychain failed are none.
  private func plainText(in block: Syntax, _ source: SwiftSource) -> Int? {
    let reading = SecretReading(source)
    for call in source.active(FunctionCallExprSyntax.self, in: block) {
      guard let name = call.calledName, let base = call.calledBase else { continue }
      let isDefaults = DefaultsUse.isDefaults(base, in: source, at: call)
      if isDefaults, ["set", "setValue"].contains(name), let value = call.arguments.first?.expression,
        !value.is(BooleanLiteralExprSyntax.self), !value.is(IntegerLiteralExprSyntax.self)
      {
        return source.line(of: call)
      }
      if isDefaults, ["string", "data", "object", "value"].contains(name),
        call.arguments.first?.expression.literal.flatMap(SecretNames.shared.meaning) != nil
      {
        return source.line(of: call)
      }
      if name == "write", call.labels.first == "to" || call.labels.first == "toFile",
        let written = call.calledExpression.as(MemberAccessExprSyntax.self)?.base,
        reading.secret(in: written) != nil || base == "data"
      {
        return source.line(of: call)
      }
    }
    return nil
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for body in source.bodies where body.has("SecItemAdd") || body.has("SecItemUpdate") {
      let tokens = body.tokens
      for index in tokens.indices where tokens[index].text == "if" {
        guard let open = tokens[index...].firstIndex(where: { $0.isPunctuation("{") }) else { continue }
        let condition = tokens[index..<open].map(\.text).joined()
        guard condition.contains("!=errSecSuccess") || condition.contains("!=noErr") else { continue }
        let end = CBraces.close(tokens, open)
        let found = source.messages.first {
          (open..<end).contains($0.index) && $0.selector == "setObject:forKey:"
            && $0.receiver.contains { $0.text == "NSUserDefaults" || $0.text == "standardUserDefaults" }
        }
        if let found { notebook.note("fallback", line: found.line) }
      }
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(.error, at: $0, in: target, "when the keychain fails, plain storage takes its place")
    }
  }
}
