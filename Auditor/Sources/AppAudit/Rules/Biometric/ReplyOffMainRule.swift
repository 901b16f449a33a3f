import SwiftSyntax

/// Views are changed in the reply of an evaluation.
struct ReplyOffMainRule: Rule {
  let about = RuleDescription(
    id: "biometric.reply-off-main",
    kind: .biometric,
    title: "Views are changed in the reply of evaluatePolicy, off the main actor",
    why: """
      The reply runs on a private queue. UIKit and SwiftUI state may only be changed on the main actor: the app crashes or \
      shows the change late. What stands in DispatchQueue.main, MainActor.run or a task of the main actor is silent.
      """,
    fix: "Use the async form of evaluatePolicy on the main actor, or go there in the reply.")

  private let facts = BiometricFacts.shared
  let words = Words(exact: BiometricUse.words)
  let nodeKinds: [SyntaxKind] = [.functionCallExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let call = node.as(FunctionCallExprSyntax.self), BiometricUse.isEvaluation(call, in: source),
      let closure = call.closures.last
    else { return }
    let state = stateNames(source)
    for infix in source.active(InfixOperatorExprSyntax.self, in: closure)
    where infix.operator.is(AssignmentExprSyntax.self) {
      guard let name = infix.leftOperand.lastName ?? infix.leftOperand.bare.lastName, !isOnMain(Syntax(infix), closure)
      else { continue }
      let isView =
        facts.viewMembers.contains(name) && source.imports.contains("UIKit")
        && infix.leftOperand.bare.is(MemberAccessExprSyntax.self)
      let isState = state.contains(name)
      if isView || isState {
        notebook.note(name, line: source.line(of: infix))
        return
      }
    }
    for inner in source.active(FunctionCallExprSyntax.self, in: closure) {
      guard let name = inner.calledName, facts.viewCalls.contains(name), source.imports.contains("UIKit"),
        !isOnMain(Syntax(inner), closure)
      else { continue }
      notebook.note(name, line: source.line(of: inner))
      return
    }
  }

  /// Properties that a view follows.
  private func stateNames(_ source: SwiftSource) -> Set<String> {
    var names: Set<String> = []
    for declaration in source.active(VariableDeclSyntax.self, in: source.tree) {
      guard declaration.parent?.is(MemberBlockItemSyntax.self) == true else { continue }
      let wrappers = declaration.attributes.compactMap { $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription }
      let owner = declaration.nearest(ClassDeclSyntax.self)?.attributes.trimmedDescription ?? ""
      guard
        wrappers.contains(where: facts.viewState.contains) || owner.contains("Observable")
          || owner.contains("MainActor")
      else { continue }
      names.formUnion(declaration.bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text })
    }
    return names
  }

  private func isOnMain(_ node: Syntax, _ closure: ClosureExprSyntax) -> Bool {
    var next = node.parent
    while let parent = next, parent.id != closure.id {
      if let inner = parent.as(ClosureExprSyntax.self) {
        if inner.signature?.trimmedDescription.contains("MainActor") == true { return true }
        if let call = inner.nearest(FunctionCallExprSyntax.self) {
          let called = call.calledExpression.trimmedDescription
          if called.contains(".main") || called.contains("MainActor") || called.lowercased().contains("main") {
            return true
          }
          // A task inherits no actor here, but what it awaits may be of the main one.
          if called == "Task" { return true }
        }
      }
      next = parent.parent
    }
    return false
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for message in source.messages where message.selector.hasPrefix("evaluatePolicy:") {
      guard let reply = message.arguments.last,
        !reply.contains(where: {
          ["dispatch_get_main_queue", "mainQueue", "performSelectorOnMainThread"].contains($0.text)
        })
      else { continue }
      for index in reply.indices.dropLast(2) where reply[index].kind == .identifier {
        if reply[index + 1].isPunctuation("="),
          facts.viewMembers.contains(reply[index].text) || reply[index].text == "hidden",
          index > reply.startIndex, reply[index - 1].isPunctuation(".")
        {
          notebook.note(reply[index].text, line: reply[index].line)
          break
        }
        if [
          "presentViewController", "dismissViewControllerAnimated", "performSegueWithIdentifier", "pushViewController",
        ].contains(reply[index].text) {
          notebook.note(reply[index].text, line: reply[index].line)
          break
        }
      }
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(.warning, at: $0, in: target, "\($0.name) is changed in the reply, which does not run on the main actor")
    }
  }
}
