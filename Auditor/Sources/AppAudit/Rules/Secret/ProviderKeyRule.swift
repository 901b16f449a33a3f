import Foundation
import SwiftSyntax

/// A literal in the format of a provider's key, or a private key.
struct ProviderKeyRule: Rule {
  let about = RuleDescription(
    id: "secret.provider-key",
    kind: .secret,
    title: "A key of a provider, or a private key, stands in the source",
    why: """
      Whoever downloads the app has it: strings are read out of a program in seconds. Formats of known providers and \
      private keys in PEM are judged; the values that providers print in their own documentation are silent.
      """,
    fix: "Revoke it, and let a server of yours make the calls that need it.")

  // Cut from the facts: the identifiers that such literals are made of.
  let words = Words(
    exact: ["PRIVATE"],
    parts: [
      "akia", "asia", "aiza", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat", "sk_live_", "rk_live_",
      "xoxb", "xoxa", "xoxp", "xoxr", "xoxs", "npm_", "hf_", "sq0atp", "sq0csp", "eaaa", "shpat_", "shpss_", "shpca_",
      "eyj",
    ])
  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.stringLiteralExpr]
  private let text = SecretText()

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let value = ExprSyntax(node)?.literal, let what = what(value) else { return }
    notebook.note(what, line: source.line(of: node))
  }

  private func what(_ value: String) -> String? {
    SecretText.isPrivateKey(value) ? "a private key" : text.provider(of: value)
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    var index = 0
    let tokens = source.tokens
    while index < tokens.count {
      guard tokens[index].kind == .string else {
        index += 1
        continue
      }
      // Literals beside each other are one.
      let line = tokens[index].line
      var value = ""
      while index < tokens.count, tokens[index].kind == .string {
        value += tokens[index].text.replacingOccurrences(of: "\\n", with: "\n")
        index += 1
      }
      if let what = what(value) { notebook.note(what, line: line) }
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(.error, at: $0, in: target, "\($0.name) stands in the source, and so in the app")
    }
  }
}
