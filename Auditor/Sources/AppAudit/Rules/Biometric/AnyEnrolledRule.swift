import SwiftSyntax

/// A finger that is added later opens the secret as well.
struct AnyEnrolledRule: Rule {
  let about = RuleDescription(
    id: "biometric.any-enrolled",
    kind: .biometric,
    title: "Whoever adds a finger or face can open the secret",
    why: """
      With .biometryAny the item stays readable when biometrics are enrolled anew: the passcode is then enough. A note: for \
      what is not of high value this is a choice. Code that compares the domain state is silent.
      """,
    fix: "Use .biometryCurrentSet for secrets of high value.")

  private let facts = BiometricFacts.shared
  var words: Words { Words(exact: facts.anyEnrolled.union(facts.enrolment)) }
  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.memberAccessExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let member = node.as(MemberAccessExprSyntax.self) else { return }
    let name = member.declName.baseName.text
    if facts.anyEnrolled.contains(name), node.nearest(SwitchCaseLabelSyntax.self) == nil {
      notebook.note("any", line: source.line(of: member.declName))
    }
    if facts.enrolment.contains(name) { notebook.note("state", line: source.line(of: member.declName)) }
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for token in source.tokens where token.kind == .identifier {
      if facts.anyEnrolled.contains(token.text) { notebook.note("any", line: token.line) }
      if facts.enrolment.contains(token.text) { notebook.note("state", line: token.line) }
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    guard !target.linked(by: self).contains(where: { $0.name == "state" }) else { return [] }
    return target.seen(by: self).map {
      finding(.note, at: $0, in: target, "a finger or face that is enrolled later opens the secret as well")
    }
  }
}
