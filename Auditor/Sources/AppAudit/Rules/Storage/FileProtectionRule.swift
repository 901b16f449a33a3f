import SwiftSyntax

/// Files that are written without protection.
struct FileProtectionRule: Rule {
  let about = RuleDescription(
    id: "storage.no-file-protection",
    kind: .storage,
    title: "A file is written without data protection",
    why: """
      Without a protection class the file's key hangs on the device alone: it can be read before the first unlock. The \
      default of iOS, complete until first user authentication, is better than what is asked for here.
      """,
    fix: "Use .complete or .completeUntilFirstUserAuthentication (.completeFileProtection when writing Data).")

  let words = Words(exact: [
    "noFileProtection", "FileProtectionType", "NSFileProtectionNone", "NSDataWritingFileProtectionNone",
    "protectionKey",
    "NSURLFileProtectionNone",
  ])
  let nodeKinds: [SyntaxKind] = [.memberAccessExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let member = node.as(MemberAccessExprSyntax.self), !Self.isCompared(member) else { return }
    let name = member.declName.baseName.text
    let base = member.base?.trimmedDescription
    switch name {
    case "noFileProtection": break
    case "none" where base == "FileProtectionType" || base == "URLFileProtection": break
    case "none" where base == nil && isProtectionValue(member): break
    default: return
    }
    notebook.note(base == nil ? "." + name : (base ?? "") + "." + name, line: source.line(of: member.declName))
  }

  /// `[.protectionKey: .none]`, or `attributes[.protectionKey] = .none`.
  private func isProtectionValue(_ member: MemberAccessExprSyntax) -> Bool {
    if let element = member.parent?.as(DictionaryElementSyntax.self) {
      return element.value.id == member.id && element.key.trimmedDescription.hasSuffix(".protectionKey")
    }
    if let infix = member.parent?.as(InfixOperatorExprSyntax.self), infix.operator.is(AssignmentExprSyntax.self) {
      return infix.leftOperand.trimmedDescription.contains(".protectionKey]")
    }
    return false
  }

  private static func isCompared(_ node: some SyntaxProtocol) -> Bool {
    if node.nearest(SwitchCaseLabelSyntax.self) != nil { return true }
    guard let infix = node.parent?.as(InfixOperatorExprSyntax.self) else { return false }
    return ["==", "!="].contains(infix.operator.trimmedDescription)
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    let listed: Set<String> = ["NSFileProtectionNone", "NSDataWritingFileProtectionNone", "NSURLFileProtectionNone"]
    for (index, token) in source.tokens.enumerated() where token.kind == .identifier && listed.contains(token.text) {
      let before = source.tokens[max(0, index - 2)..<index].map(\.text).joined()
      if before.hasSuffix("==") || before.hasSuffix("!=") || before.contains("isEqualToString") { continue }
      notebook.note(token.text, line: token.line)
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map { finding(.error, at: $0, in: target, "\($0.name) writes the file without protection") }
  }
}
