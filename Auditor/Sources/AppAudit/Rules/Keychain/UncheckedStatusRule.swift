import SwiftSyntax

/// The status of a keychain function is thrown away.
struct UncheckedStatusRule: Rule {
  let about = RuleDescription(
    id: "keychain.status-unchecked",
    kind: .keychain,
    title: "The status of a keychain call is not looked at",
    why: """
      An item may be there already, the device locked, the group not allowed: without the status the app goes on as if \
      the secret had been stored. A SecItemDelete before a SecItemAdd may fail, and is not judged; alone it is a note.
      """,
    fix: "Compare the OSStatus with errSecSuccess, and act on errSecDuplicateItem, errSecItemNotFound and the rest.")

  let words = Words(exact: SecItem.functions)
  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.functionCallExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let call = node.as(FunctionCallExprSyntax.self), let name = SecItem.name(of: call, in: source),
      !Usage(source).isUsed(Syntax(call))
    else { return }
    if name == "SecItemDelete" {
      let adds = source.active(FunctionCallExprSyntax.self, in: call.scope).contains {
        $0.position > call.position
          && ($0.calledName == "SecItemAdd" || ($0.calledName ?? "").lowercased().contains("add"))
      }
      if adds { return }
    }
    notebook.note(name, line: source.line(of: call))
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for call in source.calls where SecItem.functions.contains(call.name) && call.index > 0 {
      let before = source.tokens[call.index - 1]
      let isStatement = before.kind == .punctuation && [";", "{", "}"].contains(before.text)
      let isDropped = call.index > 2 && before.isPunctuation(")") && source.tokens[call.index - 2].text == "void"
      guard isStatement || isDropped else { continue }
      if call.name == "SecItemDelete",
        source.calls.contains(where: {
          $0.name == "SecItemAdd" && $0.index > call.index && source.body(at: call.index)?.contains($0.index) == true
        })
      {
        continue
      }
      notebook.note(call.name, line: call.line)
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(
        $0.name == "SecItemDelete" ? .note : .warning, at: $0, in: target,
        "the status of \($0.name) is not looked at: a failure passes as success")
    }
  }
}

/// Whether the value of a call goes anywhere.
struct Usage {
  private let source: SwiftSource
  init(_ source: SwiftSource) { self.source = source }

  func isUsed(_ node: Syntax) -> Bool {
    guard let parent = node.parent else { return false }
    switch parent.as(SyntaxEnum.self) {
    case .tryExpr, .awaitExpr, .asExpr, .expressionStmt, .unsafeExpr: return isUsed(parent)
    case .infixOperatorExpr(let infix) where infix.operator.is(AssignmentExprSyntax.self):
      if infix.leftOperand.is(DiscardAssignmentExprSyntax.self) { return false }
      guard let name = infix.leftOperand.as(DeclReferenceExprSyntax.self)?.baseName.text, isLocal(name, infix) else {
        return true
      }
      return isRead(name, after: infix)
    case .initializerClause:
      guard let binding = parent.parent?.as(PatternBindingSyntax.self) else { return true }
      if binding.pattern.is(WildcardPatternSyntax.self) { return false }
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
        binding.nearest(CodeBlockItemSyntax.self) != nil
      else { return true }
      return isRead(name, after: binding)
    case .codeBlockItem: return isResult(parent)
    default: return true
    }
  }

  private func isLocal(_ name: String, _ node: some SyntaxProtocol) -> Bool {
    !node.scope.is(SourceFileSyntax.self)
      && source.active(PatternBindingSyntax.self, in: node.scope).contains {
        $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == name
      }
  }

  private func isRead(_ name: String, after node: some SyntaxProtocol) -> Bool {
    source.active(DeclReferenceExprSyntax.self, in: node.scope).contains { reference in
      guard reference.baseName.text == name, reference.position > node.position, !reference.isInside(node) else {
        return false
      }
      // Written again is not read.
      if let infix = reference.parent?.as(InfixOperatorExprSyntax.self), infix.operator.is(AssignmentExprSyntax.self) {
        return infix.leftOperand.id != ExprSyntax(reference).id
      }
      return true
    } || node.scope.is(SourceFileSyntax.self)
  }

  /// The only statement of a body hands its value on.
  private func isResult(_ item: Syntax) -> Bool {
    guard let list = item.parent?.as(CodeBlockItemListSyntax.self) else { return false }
    guard list.count == 1, let owner = list.parent else { return false }
    switch owner.as(SyntaxEnum.self) {
    case .accessorBlock: return true
    case .closureExpr(let closure):
      // A closure's value is used where the value of the call is that it is given to.
      var outer = Syntax(closure).parent
      while let node = outer, !node.is(FunctionCallExprSyntax.self), !node.is(CodeBlockItemSyntax.self) {
        outer = node.parent
      }
      return outer.map { $0.is(FunctionCallExprSyntax.self) ? isUsed($0) : true } ?? true
    case .codeBlock(let block):
      guard let parent = block.parent else { return false }
      switch parent.as(SyntaxEnum.self) {
      case .functionDecl(let function):
        let type = function.signature.returnClause?.type.trimmedDescription
        return type != nil && type != "Void" && type != "()"
      case .accessorDecl: return true
      case .ifExpr: return isUsed(parent)
      default: return false
      }
    case .switchCase: return owner.nearest(SwitchExprSyntax.self).map { isUsed(Syntax($0)) } ?? false
    default: return false
    }
  }
}
