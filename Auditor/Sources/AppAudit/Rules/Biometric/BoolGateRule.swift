import SwiftSyntax

/// Only a flag hangs on the biometric check.
struct BoolGateRule: Rule {
  let about = RuleDescription(
    id: "biometric.bool-gate",
    kind: .biometric,
    title: "The biometric check only sets a flag: no secret is bound to it",
    why: """
      The answer of evaluatePolicy is a boolean in the app's memory; a debugger or a patched app turns it round. A secret \
      behind an access control is released by the Secure Enclave alone. One finding for a target, and none where anything \
      of the target uses an access control or gives its context to the keychain.
      """,
    fix: """
      Keep the secret in the keychain with SecAccessControlCreateWithFlags(.biometryCurrentSet), and read it with \
      kSecUseAuthenticationContext.
      """)

  private let facts = BiometricFacts.shared
  var words: Words { Words(exact: facts.binding.union(BiometricUse.words)) }
  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.functionCallExpr, .declReferenceExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    if let call = node.as(FunctionCallExprSyntax.self) {
      if BiometricUse.isEvaluation(call, in: source) { notebook.note("evaluate", line: source.line(of: call)) }
    } else if let reference = node.as(DeclReferenceExprSyntax.self), facts.binding.contains(reference.baseName.text) {
      notebook.note("bound", line: source.line(of: node))
    }
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for message in source.messages where message.selector.hasPrefix("evaluatePolicy:") {
      notebook.note("evaluate", line: message.line)
    }
    for token in source.tokens where token.kind == .identifier && facts.binding.contains(token.text) {
      notebook.note("bound", line: token.line)
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    let seen = target.linked(by: self)
    guard !seen.contains(where: { $0.name == "bound" }),
      let first = target.seen(by: self).filter({ $0.name == "evaluate" }).min(by: {
        ($0.path, $0.line) < ($1.path, $1.line)
      })
    else { return [] }
    return [
      finding(.warning, at: first, in: target, "evaluatePolicy only answers yes or no here: no secret hangs on it")
    ]
  }
}
