import SwiftSyntax

/// The two protection classes that a locked device reads.
struct AlwaysAccessibleRule: Rule {
  let about = RuleDescription(
    id: "keychain.always-accessible",
    kind: .keychain,
    title: "An item is readable while the device is locked",
    why: """
      kSecAttrAccessibleAlways and kSecAttrAccessibleAlwaysThisDeviceOnly are deprecated since iOS 12: the item is not \
      protected by the passcode, and whoever holds the locked device can reach it.
      """,
    fix: """
      Use kSecAttrAccessibleWhenUnlockedThisDeviceOnly, or kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly for what runs \
      in the background; change items that exist with SecItemUpdate.
      """)

  private let facts = KeychainFacts.shared
  var words: Words { Words(exact: facts.alwaysAccessible.union(["alwaysThisDeviceOnly"])) }
  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.declReferenceExpr, .memberAccessExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    if let member = node.as(MemberAccessExprSyntax.self) {
      // The name that wrappers of the keychain give it.
      guard member.declName.baseName.text == "alwaysThisDeviceOnly",
        member.base == nil || member.base?.trimmedDescription.contains("ccessib") == true, !isPattern(node)
      else { return }
      notebook.note("alwaysThisDeviceOnly", line: source.line(of: member.declName))
      return
    }
    guard let reference = node.as(DeclReferenceExprSyntax.self),
      facts.alwaysAccessible.contains(reference.baseName.text),
      !isCompared(node), !isPattern(node)
    else { return }
    notebook.note(reference.baseName.text, line: source.line(of: node))
  }

  /// `==` asks for what an item has, as migrations do.
  private func isCompared(_ node: Syntax) -> Bool {
    guard let infix = node.nearest(InfixOperatorExprSyntax.self) else { return false }
    return ["==", "!=", "~="].contains(infix.operator.trimmedDescription)
  }

  /// A case of a switch, and the value of a case that wraps all classes.
  private func isPattern(_ node: Syntax) -> Bool {
    if node.nearest(SwitchCaseLabelSyntax.self) != nil { return true }
    guard let item = node.nearest(SwitchCaseSyntax.self), let label = item.label.as(SwitchCaseLabelSyntax.self) else {
      return false
    }
    return label.trimmedDescription.lowercased().contains("always")
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for (index, token) in source.tokens.enumerated() where token.kind == .identifier {
      guard facts.alwaysAccessible.contains(token.text) else { continue }
      let before = source.tokens[max(0, index - 3)..<index]
      if before.contains(where: { $0.text == "case" || $0.text == "isEqual" }) { continue }
      if index > 1, source.tokens[index - 1].isPunctuation("="), source.tokens[index - 2].isPunctuation("=") {
        continue
      }
      notebook.note(token.text, line: token.line)
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(.error, at: $0, in: target, "\($0.name) keeps the item readable while the device is locked")
    }
  }
}
