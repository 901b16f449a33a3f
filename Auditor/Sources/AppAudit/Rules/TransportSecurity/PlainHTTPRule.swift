import SwiftSyntax

/// A literal address without TLS.
struct PlainHTTPRule: Rule {
  let about = RuleDescription(
    id: "ats.http-literal",
    kind: .ats,
    title: "An address in the source begins with http://",
    why: """
      iOS refuses it unless an exception is made. A note: what stands in the source may be no request. Local addresses and \
      names of XML and licences are not judged.
      """,
    fix: "Write https://.")

  let words = Words(exact: ["http"])
  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.stringLiteralExpr]

  private static let names = [
    "www.w3.org", "www.apple.com/DTDs", "schemas.", "ns.adobe.com", "purl.org", "xmlns", "example.com",
  ]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    // Only what is made into an address: a text that shows one is none.
    guard let text = ExprSyntax(node)?.literal, Self.isJudged(text),
      let call = node.parent?.parent?.parent?.as(FunctionCallExprSyntax.self),
      ["URL", "URLRequest", "NSURL", "URLComponents"].contains(call.calledName)
    else { return }
    notebook.note(String(text.prefix(80)), line: source.line(of: node))
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for message in source.messages
    where message.selector.hasPrefix("URLWithString:") || message.selector.hasPrefix("initWithString:") {
      guard message.receiver.contains(where: { $0.text == "NSURL" }),
        let text = message.arguments.first?.last(where: { $0.kind == .string })?.text,
        Self.isJudged(text)
      else { continue }
      notebook.note(String(text.prefix(80)), line: message.line)
    }
  }

  private static func isJudged(_ text: String) -> Bool {
    guard text.hasPrefix("http://") else { return false }
    let rest = text.dropFirst(7)
    let host = rest.prefix { $0 != "/" && $0 != ":" }
    if host.isEmpty || !host.contains(".") || host.hasSuffix(".local") || host.hasSuffix(".test") { return false }
    if ["127.", "10.", "192.168.", "0.0.0.0", "169.254."].contains(where: host.hasPrefix) { return false }
    return !names.contains(where: rest.contains)
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map { finding(.note, at: $0, in: target, "\($0.name) is reached without TLS") }
  }
}
