import SwiftSyntax

/// An item that is to go to other devices and must not leave this one.
struct SynchronizableConflictRule: Rule {
  let about = RuleDescription(
    id: "keychain.synchronizable-conflict",
    kind: .keychain,
    title: "A synchronised item is bound to this device",
    why: """
      kSecAttrSynchronizable with a class that ends in ThisDeviceOnly, or with an access control, contradicts itself: \
      Apple's headers forbid it, and the call answers errSecParam (-50).
      """,
    fix: "Leave kSecAttrSynchronizable away, or use a class without ThisDeviceOnly and no access control.")

  private let facts = KeychainFacts.shared
  let words = Words(exact: ["kSecAttrSynchronizable"])
  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.dictionaryExpr]

  private func conflicts(_ key: String, _ value: some Sequence<String>) -> Bool {
    if key == "kSecAttrAccessControl" { return true }
    return key == "kSecAttrAccessible" && value.contains { $0.hasSuffix(facts.deviceOnlySuffix) }
  }

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let literal = node.as(DictionaryExprSyntax.self) else { return }
    let query = KeychainQuery(literal: literal, in: source)
    guard let flag = query["kSecAttrSynchronizable"], Self.isTrue(flag.value) else { return }
    let found = query.pair("kSecAttrSynchronizable") { entry in
      conflicts(entry.key, entry.node.tokens(viewMode: .sourceAccurate).map(\.text))
    }
    guard let (_, other) = found else { return }
    notebook.note(other.key, line: source.line(of: other.node))
  }

  private static func isTrue(_ value: String) -> Bool {
    value.hasPrefix("true") || value.hasPrefix("kCFBooleanTrue") || value.hasPrefix("NSNumber(value: true)")
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for dictionary in CKeychainDictionary.all(in: source) {
      guard let flag = dictionary["kSecAttrSynchronizable"],
        flag.value.contains(where: { ["YES", "kCFBooleanTrue", "true"].contains($0) }),
        let (_, other) = dictionary.pair("kSecAttrSynchronizable", { conflicts($0.key, $0.value) })
      else { continue }
      notebook.note(other.key, line: other.line)
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      let what = $0.name == "kSecAttrAccessControl" ? "guarded by an access control" : "bound to this device"
      return finding(
        .error, at: $0, in: target, "the item is synchronised and \(what): the call answers errSecParam")
    }
  }
}
