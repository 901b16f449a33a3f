import SwiftSyntax

/// A session that goes down to TLS 1.0 or 1.1.
struct OldTLSRule: Rule {
  let about = RuleDescription(
    id: "trust.old-tls",
    kind: .trust,
    title: "A connection may go down to TLS 1.0 or 1.1",
    why: "Both are withdrawn (RFC 8996) and have known weaknesses.",
    fix: "Write .TLSv12 or .TLSv13, or leave the property away.")

  private static let properties: Set<String> = [
    "tlsMinimumSupportedProtocolVersion", "tlsMinimumSupportedProtocol", "TLSMinimumSupportedProtocolVersion",
    "TLSMinimumSupportedProtocol",
  ]
  private static let old: Set<String> = [
    "TLSv10", "TLSv11", "tlsProtocol1", "tlsProtocol11", "sslProtocol3", "tls_protocol_version_TLSv10",
    "tls_protocol_version_TLSv11",
    "kTLSProtocol1", "kTLSProtocol11", "kSSLProtocol3",
  ]
  let words = Words(exact: old.union(["sec_protocol_options_set_min_tls_protocol_version"]))
  let nodeKinds: [SyntaxKind] = [.infixOperatorExpr, .functionCallExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    if let infix = node.as(InfixOperatorExprSyntax.self), infix.operator.is(AssignmentExprSyntax.self),
      let member = infix.leftOperand.as(MemberAccessExprSyntax.self),
      Self.properties.contains(member.declName.baseName.text),
      let value = infix.rightOperand.lastName, Self.old.contains(value)
    {
      notebook.note(value, line: source.line(of: infix))
    } else if let call = node.as(FunctionCallExprSyntax.self),
      call.calledName == "sec_protocol_options_set_min_tls_protocol_version",
      let value = call.arguments.last?.expression.lastName, Self.old.contains(value)
    {
      notebook.note(value, line: source.line(of: call))
    }
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for index in source.tokens.indices.dropLast(2) where Self.properties.contains(source.tokens[index].text) {
      guard source.tokens[index + 1].isPunctuation("="), Self.old.contains(source.tokens[index + 2].text) else {
        continue
      }
      notebook.note(source.tokens[index + 2].text, line: source.tokens[index].line)
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(.error, at: $0, in: target, "\($0.name) lets connections go down to a withdrawn TLS")
    }
  }
}
