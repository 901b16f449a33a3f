import SwiftSyntax

/// Biometrics are the only way in.
struct NoFallbackRule: Rule {
  let about = RuleDescription(
    id: "biometric.no-fallback",
    kind: .biometric,
    title: "There is no way in for people whom biometrics do not recognise",
    why: """
      After five failures biometrics are locked until the passcode is entered, and some people cannot use them. Nothing in \
      the target asks for the passcode, or handles the fallback button or the lock-out. A note: the app may have its own \
      password.
      """,
    fix: "Use .deviceOwnerAuthentication, or offer the app's own password for userFallback and biometryLockout.")

  private let facts = BiometricFacts.shared
  var words: Words { Words(exact: facts.fallback.union(BiometricUse.words)) }
  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.functionCallExpr, .memberAccessExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    if let call = node.as(FunctionCallExprSyntax.self) {
      guard BiometricUse.isEvaluation(call, in: source),
        call.arguments.first?.expression.lastName == "deviceOwnerAuthenticationWithBiometrics"
      else { return }
      notebook.note("biometrics", line: source.line(of: call))
    } else if let member = node.as(MemberAccessExprSyntax.self), facts.fallback.contains(member.declName.baseName.text)
    {
      notebook.note("fallback", line: source.line(of: member))
    }
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for message in source.messages where message.selector.hasPrefix("evaluatePolicy:") {
      if message.arguments.first?.has("LAPolicyDeviceOwnerAuthenticationWithBiometrics") == true {
        notebook.note("biometrics", line: message.line)
      }
    }
    for token in source.tokens where facts.fallback.contains(token.text) { notebook.note("fallback", line: token.line) }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    let seen = target.linked(by: self)
    guard !seen.contains(where: { $0.name == "fallback" }),
      let first = target.seen(by: self).filter({ $0.name == "biometrics" }).min(by: {
        ($0.path, $0.line) < ($1.path, $1.line)
      })
    else { return [] }
    return [
      finding(.note, at: first, in: target, "biometrics are asked for, and nothing takes their place when they fail")
    ]
  }
}
