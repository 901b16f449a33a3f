import SwiftSyntax

/// A server is believed without looking at its certificate.
struct TrustAllRule: Rule {
  let about = RuleDescription(
    id: "trust.not-evaluated",
    kind: .trust,
    title: "A server's certificate is accepted without being evaluated",
    why: """
      Whoever stands between the app and the server reads and changes everything. Judged are challenge handlers that make \
      a credential of the trust with no SecTrustEvaluate in the function or in functions of the file that it calls, and the \
      switches of Alamofire and AFNetworking. A server whose own certificate or key is compared with a known one is silent.
      """,
    fix: "Answer .performDefaultHandling, or evaluate the trust with SecTrustEvaluateWithError first.")

  let words = Words(exact: [
    "URLCredential", "NSURLCredential", "useCredential", "DisabledTrustEvaluator", "DisabledEvaluator",
    "allowInvalidCertificates",
    "credentialForTrust", "validatesDomainName", "allowsAnyHTTPSCertificateForHost", "setAllowsAnyHTTPSCertificate",
  ])
  let nodeKinds: [SyntaxKind] = [.functionCallExpr, .infixOperatorExpr, .memberAccessExpr]
  private static let evaluating = [
    "SecTrustEvaluate", "SecTrustEvaluateWithError", "SecTrustEvaluateAsync", "SecTrustEvaluateAsyncWithError",
    "SecTrustGetTrustResult",
  ]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    if let infix = node.as(InfixOperatorExprSyntax.self) {
      guard infix.operator.is(AssignmentExprSyntax.self),
        let name = infix.leftOperand.as(MemberAccessExprSyntax.self)?.declName.baseName.text,
        let value = infix.rightOperand.as(BooleanLiteralExprSyntax.self)?.literal.text,
        name == "allowInvalidCertificates" && value == "true" || name == "validatesDomainName" && value == "false"
      else { return }
      notebook.note("\(name) = \(value)", line: source.line(of: infix))
      return
    }
    // The initialiser handed on as a function.
    if let member = node.as(MemberAccessExprSyntax.self), member.trimmedDescription == "URLCredential.init(trust:)" {
      if !isEvaluated(member.scope, source, depth: 0) {
        notebook.note("URLCredential(trust:)", line: source.line(of: member))
      }
      return
    }
    guard let call = node.as(FunctionCallExprSyntax.self), let name = call.calledName else { return }
    if name == "DisabledTrustEvaluator" || name == "DisabledEvaluator" {
      notebook.note(name, line: source.line(of: call))
    } else if name == "URLCredential" || name == "init" && call.argument("trust") != nil, call.labels == ["trust"],
      !isEvaluated(call.scope, source, depth: 0)
    {
      notebook.note("URLCredential(trust:)", line: source.line(of: call))
    }
  }

  /// Whether a function of that name looks at a server's trust.
  private static func evaluates(_ name: String) -> Bool {
    let words = Set(SecretNames.words(name))
    return !words.isDisjoint(with: ["evaluate", "validate", "verify", "check", "pin", "pinned", "pinning", "is"])
      && !words.isDisjoint(with: [
        "trust", "trusted", "certificate", "challenge", "server", "pin", "pinned", "pinning", "evaluate", "validate",
        "verify",
      ])
  }

  /// Whether the server's certificate or key is compared with one that is known: the connection proves that the server
  /// has its key. A chain of which any part may match proves nothing.
  private func isPinned(_ called: [String], _ scope: Syntax, _ source: SwiftSource) -> Bool {
    guard !scope.is(SourceFileSyntax.self), called.contains(where: Self.reading.contains),
      source.active(ForStmtSyntax.self, in: scope).isEmpty,
      !called.contains(where: ["forEach", "map", "compactMap"].contains)
    else { return false }
    return called.contains("contains")
      || source.active(InfixOperatorExprSyntax.self, in: scope).contains { infix in
        infix.operator.trimmedDescription == "=="
          && !["method", "host"].contains(where: infix.trimmedDescription.lowercased().contains)
      }
  }
  private static let reading: Set<String> = [
    "SecCertificateCopyData", "SecCertificateCopyKey", "SecTrustCopyKey", "SecTrustCopyPublicKey",
    "SecCertificateCopyPublicKey",
  ]

  private func isEvaluated(_ scope: Syntax, _ source: SwiftSource, depth: Int) -> Bool {
    guard depth < 4 else { return false }
    let calls = source.active(FunctionCallExprSyntax.self, in: scope)
    let called = calls.compactMap(\.calledName)
    if called.contains(where: Self.evaluating.contains) || isPinned(called, scope, source) { return true }
    // What others evaluate: a method whose name says so, of another object.
    if calls.contains(where: { call in
      call.calledBase != nil && Self.evaluates(call.calledName ?? "")
    }) {
      return true
    }
    return source.active(FunctionDeclSyntax.self, in: source.tree).contains {
      called.contains($0.name.text) && !scope.isInside($0) && isEvaluated(Syntax($0), source, depth: depth + 1)
    }
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    let evaluators = Set(source.bodies.filter { body in Self.evaluating.contains(where: body.has) }.flatMap(\.head))
    for message in source.messages {
      let isCredential = ["credentialForTrust:", "initWithTrust:"].contains(message.selector)
      if isCredential, let body = source.body(at: message.index), !Self.evaluating.contains(where: body.has),
        !body.tokens.words.contains(where: {
          evaluators.contains($0) && !["void", "id", "NSURLSession"].contains($0) && $0.count > 6
            && !body.head.contains($0)
        }),
        !body.tokens.words.contains(where: Self.evaluates)
      {
        notebook.note(message.selector, line: message.line)
      }
      if message.selector == "setAllowInvalidCertificates:"
        || message.selector.hasPrefix("setAllowsAnyHTTPSCertificate:"),
        message.arguments.first?.has("YES") == true
      {
        notebook.note(message.selector, line: message.line)
      }
      if message.selector == "setValidatesDomainName:", message.arguments.first?.has("NO") == true {
        notebook.note(message.selector, line: message.line)
      }
    }
    let tokens = source.tokens
    for index in tokens.indices.dropLast(2) where tokens[index + 1].isPunctuation("=") {
      let value = tokens[index + 2].text
      if tokens[index].text == "allowInvalidCertificates" && value == "YES"
        || tokens[index].text == "validatesDomainName" && value == "NO"
      {
        notebook.note("\(tokens[index].text) = \(value)", line: tokens[index].line)
      }
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(.error, at: $0, in: target, "\($0.name): the server's certificate is accepted without being evaluated")
    }
  }
}
