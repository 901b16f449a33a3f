import SwiftSyntax

/// An access control and a protection class of its own in one dictionary.
struct AccessControlConflictRule: Rule {
  let about = RuleDescription(
    id: "keychain.access-control-with-accessible",
    kind: .keychain,
    title: "kSecAttrAccessControl and kSecAttrAccessible stand in one dictionary",
    why: """
      The access control holds the protection class already. With both, SecItemAdd answers errSecParam (-50), and nothing \
      is stored. Keys that are set in branches beside each other are not judged.
      """,
    fix: "Remove kSecAttrAccessible, and name the class in SecAccessControlCreateWithFlags.")

  let words = Words(exact: ["kSecAttrAccessControl"])
  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.dictionaryExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let literal = node.as(DictionaryExprSyntax.self) else { return }
    let query = KeychainQuery(literal: literal, in: source)
    guard let (_, other) = query.pair("kSecAttrAccessControl", { $0.key == "kSecAttrAccessible" }) else { return }
    notebook.note("both", line: source.line(of: other.node))
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for dictionary in CKeychainDictionary.all(in: source) {
      guard let (_, other) = dictionary.pair("kSecAttrAccessControl", { $0.key == "kSecAttrAccessible" }) else {
        continue
      }
      notebook.note("both", line: other.line)
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(
        .error, at: $0, in: target,
        "kSecAttrAccessible stands beside kSecAttrAccessControl: the call answers errSecParam and nothing is stored")
    }
  }
}
