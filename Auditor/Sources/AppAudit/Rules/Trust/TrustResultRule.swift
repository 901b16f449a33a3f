import SwiftSyntax

/// The certificate is evaluated, and nobody looks at the answer.
struct TrustResultRule: Rule {
  let about = RuleDescription(
    id: "trust.result-ignored",
    kind: .trust,
    title: "The answer of a trust evaluation is not looked at",
    why: """
      SecTrustEvaluateWithError answers whether the chain is trusted. SecTrustEvaluate answers only that it could be \
      evaluated: the verdict is in the result that it fills in. Without them a wrong certificate passes.
      """,
    fix: "Go on only when SecTrustEvaluateWithError answers true; cancel the challenge otherwise.")

  private static let functions: Set<String> = ["SecTrustEvaluateWithError", "SecTrustEvaluate"]
  let words = Words(exact: functions)
  let nodeKinds: [SyntaxKind] = [.functionCallExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let call = node.as(FunctionCallExprSyntax.self), let name = call.calledName, Self.functions.contains(name),
      call.calledBase == nil, !source.declaredFunctions.contains(name)
    else { return }
    if name == "SecTrustEvaluateWithError" {
      if !Usage(source).isUsed(Syntax(call)), !isErrorRead(call, source) {
        notebook.note(name, line: source.line(of: call))
      }
      return
    }
    // The result is read as a value of the enumeration.
    guard let result = call.arguments.last?.expression.as(InOutExprSyntax.self)?.expression.variableName else { return }
    let reads = source.active(DeclReferenceExprSyntax.self, in: call.scope).contains {
      $0.baseName.text == result && $0.position > call.endPosition
    }
    if !reads { notebook.note(name, line: source.line(of: call)) }
  }

  /// The error that it fills in says the same.
  private func isErrorRead(_ call: FunctionCallExprSyntax, _ source: SwiftSource) -> Bool {
    guard let error = call.arguments.last?.expression.as(InOutExprSyntax.self)?.expression.variableName else {
      return false
    }
    return source.active(DeclReferenceExprSyntax.self, in: call.scope).contains {
      $0.baseName.text == error && $0.position > call.endPosition
    }
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for call in source.calls where Self.functions.contains(call.name) && call.index > 0 {
      let before = source.tokens[call.index - 1]
      let isStatement = before.kind == .punctuation && [";", "{", "}"].contains(before.text)
      if call.name == "SecTrustEvaluateWithError" {
        let error = call.arguments.last?.words.last
        let reads = source.body(at: call.index)?.tokens[(call.index + 1)...].count { $0.text == error } ?? 0
        if isStatement, reads < 2 || error == "NULL" { notebook.note(call.name, line: call.line) }
      } else if let body = source.body(at: call.index), let result = call.arguments.last?.words.last {
        let reads = body.tokens[(call.index + 1)...].filter { $0.text == result }.count
        if reads < 2 { notebook.note(call.name, line: call.line) }
      }
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map { finding(.error, at: $0, in: target, "the answer of \($0.name) is not looked at") }
  }
}
