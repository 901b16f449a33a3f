import SwiftSyntax

/// The question has no text that says why it is asked.
struct BiometricReasonRule: Rule {
  let about = RuleDescription(
    id: "biometric.reason",
    kind: .biometric,
    title: "The reason that is shown with the biometric question is empty or a placeholder",
    why: "An empty reason raises an exception; a placeholder tells people nothing about what they unlock.",
    fix: "Say what is unlocked: \"Open your notes\".")

  private let facts = BiometricFacts.shared
  let words = Words(exact: ["evaluatePolicy", "evaluateAccessControl"])
  let nodeKinds: [SyntaxKind] = [.functionCallExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let call = node.as(FunctionCallExprSyntax.self),
      ["evaluatePolicy", "evaluateAccessControl"].contains(call.calledName),
      let reason = call.argument("localizedReason"),
      let text = text(reason, source)
    else { return }
    judge(text, source.line(of: reason), &notebook)
  }

  /// A literal, or the constant of the file that holds one.
  private func text(_ expression: ExprSyntax, _ source: SwiftSource) -> String? {
    if let text = expression.bare.literal { return text }
    guard let name = expression.bare.variableName else { return nil }
    let bindings = source.active(PatternBindingSyntax.self, in: source.tree).filter {
      $0.pattern.trimmedDescription == name
    }
    return bindings.count == 1 ? bindings.first?.initializer?.value.literal : nil
  }

  private func judge(_ text: String, _ line: Int, _ notebook: inout Notebook) {
    let plain = text.trimmed.lowercased()
    if plain.isEmpty {
      notebook.note("empty", line: line)
    } else if facts.placeholders.contains(plain) || plain.hasPrefix("todo") || plain.hasPrefix("lorem ipsum")
      || plain.count == 1
    {
      notebook.note("placeholder", line: line)
    }
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for message in source.messages
    where message.selector.hasPrefix("evaluatePolicy:localizedReason:") && message.arguments.count > 1 {
      let reason = message.arguments[1]
      guard reason.count == 1, let token = reason.first, token.kind == .string else { continue }
      judge(token.text, token.line, &notebook)
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      $0.name == "empty"
        ? finding(.error, at: $0, in: target, "the reason is empty: the call raises an exception")
        : finding(.warning, at: $0, in: target, "the reason is a placeholder")
    }
  }
}
