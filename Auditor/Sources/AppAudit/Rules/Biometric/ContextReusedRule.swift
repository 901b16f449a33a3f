import SwiftSyntax

/// One LAContext for many questions.
struct ContextReusedRule: Rule {
  let about = RuleDescription(
    id: "biometric.context-reused",
    kind: .biometric,
    title: "An LAContext is kept across evaluations",
    why: """
      A context that has succeeded once answers the same policy again without asking, until it is invalidated: the second \
      lock opens by itself. Silent where the file makes a new context for the same property, or invalidates it.
      """,
    fix: "Make a new LAContext for each evaluation.")

  let words = Words(exact: BiometricUse.words)
  let nodeKinds: [SyntaxKind] = [.functionCallExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let call = node.as(FunctionCallExprSyntax.self), BiometricUse.isEvaluation(call, in: source),
      let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base?.bare,
      let name = base.variableName ?? base.as(MemberAccessExprSyntax.self)?.declName.baseName.text,
      isKept(name, source), !isRenewed(name, source), !isLocal(name, call, source)
    else { return }
    notebook.note(name, line: source.line(of: call))
  }

  /// A stored property or global that begins with one context.
  private func isKept(_ name: String, _ source: SwiftSource) -> Bool {
    source.active(PatternBindingSyntax.self, in: source.tree).contains { binding in
      guard binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == name, binding.accessorBlock == nil,
        let value = binding.initializer?.value, value.trimmedDescription.hasPrefix("LAContext(")
      else { return false }
      return binding.nearest(CodeBlockItemSyntax.self)?.parent?.parent?.is(SourceFileSyntax.self) == true
        || binding.nearest(VariableDeclSyntax.self)?.parent?.is(MemberBlockItemSyntax.self) == true
    }
  }

  private func isRenewed(_ name: String, _ source: SwiftSource) -> Bool {
    source.active(InfixOperatorExprSyntax.self, in: source.tree).contains {
      $0.operator.is(AssignmentExprSyntax.self) && $0.leftOperand.variableName == name
    }
      || source.active(FunctionCallExprSyntax.self, in: source.tree).contains {
        $0.calledName == "invalidate" && ($0.calledBase == name || $0.calledBase == "self." + name)
      }
  }

  private func isLocal(_ name: String, _ call: FunctionCallExprSyntax, _ source: SwiftSource) -> Bool {
    source.active(PatternBindingSyntax.self, in: call.scope).contains {
      $0.pattern.trimmedDescription == name && $0.nearest(CodeBlockItemSyntax.self) != nil
        && !call.scope.is(SourceFileSyntax.self)
    }
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for message in source.messages where message.selector.hasPrefix("evaluatePolicy:") {
      let name = message.receiver.words.last ?? ""
      guard message.receiver.has("self") || name.hasPrefix("_"), let body = source.body(at: message.index),
        !body.has("LAContext")
      else { continue }
      let plain = name.hasPrefix("_") ? String(name.dropFirst()) : name
      let makes = source.messages.filter {
        $0.receiverName == "LAContext" && ["alloc", "new"].contains($0.selector)
      }
      let renewed = source.messages.contains {
        $0.selector == "invalidate" && $0.receiver.words.last.map { $0.hasSuffix(plain) } == true
      }
      if makes.count == 1, !renewed { notebook.note(plain, line: message.line) }
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(.warning, at: $0, in: target, "\($0.name) is kept: once it has succeeded it answers again without asking")
    }
  }
}
