import SwiftSyntax

/// Nobody looks whether biometrics are there before they are asked for.
struct NoEnrolmentCheckRule: Rule {
  let about = RuleDescription(
    id: "biometric.no-enrolment-check",
    kind: .biometric,
    title: "A policy is evaluated without asking whether it can be",
    why: """
      Without canEvaluatePolicy the app learns only by a failure that nothing is enrolled or no passcode is set, and shows \
      a button that cannot work. A note: the failure may be handled.
      """,
    fix: "Call canEvaluatePolicy first, and show what is possible.")

  let words = Words(exact: ["evaluatePolicy", "canEvaluatePolicy"])
  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.functionCallExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let call = node.as(FunctionCallExprSyntax.self) else { return }
    if BiometricUse.isEvaluation(call, in: source) { notebook.note("evaluate", line: source.line(of: call)) }
    if BiometricUse.isCheck(call) { notebook.note("check", line: source.line(of: call)) }
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for message in source.messages {
      if message.selector.hasPrefix("evaluatePolicy:") { notebook.note("evaluate", line: message.line) }
      if message.selector.hasPrefix("canEvaluatePolicy:") { notebook.note("check", line: message.line) }
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    let seen = target.linked(by: self)
    guard !seen.contains(where: { $0.name == "check" }),
      let first = target.seen(by: self).filter({ $0.name == "evaluate" }).min(by: {
        ($0.path, $0.line) < ($1.path, $1.line)
      })
    else { return [] }
    return [finding(.note, at: first, in: target, "the policy is evaluated, and no code asks whether it can be")]
  }
}
