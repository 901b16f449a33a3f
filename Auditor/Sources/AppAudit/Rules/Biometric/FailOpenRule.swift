import SwiftSyntax

/// The gate opens when the person could not be asked, or was not recognised.
struct FailOpenRule: Rule {
  let about = RuleDescription(
    id: "biometric.fails-open",
    kind: .biometric,
    title: "The biometric gate opens when the check fails or cannot be made",
    why: """
      Whoever switches biometrics off, or fails often enough, is let in. Judged is what runs when canEvaluatePolicy answers \
      no, the evaluation fails or throws, and a flag that says "unlocked" from the start.
      """,
    fix:
      "Stay locked in every branch but that of success; offer .deviceOwnerAuthentication where biometrics are missing.")

  private let facts = BiometricFacts.shared
  let words = Words(exact: ["evaluatePolicy", "canEvaluatePolicy"])
  let nodeKinds: [SyntaxKind] = [.ifExpr, .guardStmt, .catchClause, .patternBinding]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    if let binding = node.as(PatternBindingSyntax.self) {
      observe(binding, source, &notebook)
    } else if let block = failure(node, source), let opened = opening(block, node, source) {
      notebook.note(opened.name, line: source.line(of: opened.node))
    }
  }

  /// What runs when the person is not known.
  private func failure(_ node: Syntax, _ source: SwiftSource) -> Syntax? {
    switch node.as(SyntaxEnum.self) {
    case .ifExpr(let branch):
      switch meaning(branch.conditions, Syntax(branch), source) {
      case true: return branch.elseBody.flatMap { if case .codeBlock(let block) = $0 { Syntax(block) } else { nil } }
      case false: return Syntax(branch.body)
      default: return nil
      }
    case .guardStmt(let branch):
      return meaning(branch.conditions, Syntax(branch), source) == true ? Syntax(branch.body) : nil
    case .catchClause(let clause):
      guard let statement = clause.nearest(DoStmtSyntax.self) else { return nil }
      let calls = source.active(FunctionCallExprSyntax.self, in: statement.body)
      return calls.contains { BiometricUse.isEvaluation($0, in: source) } ? Syntax(clause.body) : nil
    default: return nil
    }
  }

  /// Whether the condition says that the person is known or can be asked (true), or not (false).
  private func meaning(_ conditions: ConditionElementListSyntax, _ node: Syntax, _ source: SwiftSource) -> Bool? {
    for condition in conditions {
      let checks = source.active(FunctionCallExprSyntax.self, in: condition)
      if checks.contains(where: { BiometricUse.isCheck($0) || BiometricUse.isEvaluation($0, in: source) }) {
        return !condition.trimmedDescription.hasPrefix("!")
      }
      // Names of the check's answer in a variable, and of the reply's parameters.
      let text = condition.trimmedDescription.filter { !$0.isWhitespace }
      let names = answers(of: node, source)
      for name in names.success {
        if text == name || text == name + "==true" || text == "self." + name { return true }
        if text == "!" + name || text == name + "==false" { return false }
      }
      for name in names.error {
        if text == name + "!=nil" || text == "let" + name || text.hasSuffix("=" + name) && text.hasPrefix("let") {
          return false
        }
        if text == name + "==nil" { return true }
      }
    }
    return nil
  }

  private func answers(of node: Syntax, _ source: SwiftSource) -> (success: [String], error: [String]) {
    var success: [String] = []
    var error: [String] = []
    var next = node.parent
    while let parent = next {
      if let closure = parent.as(ClosureExprSyntax.self),
        let call = closure.nearest(FunctionCallExprSyntax.self), BiometricUse.isEvaluation(call, in: source),
        call.closures.contains(where: { $0.id == closure.id })
      {
        let names = closure.parameterNames
        success += names.prefix(1)
        error += names.dropFirst().prefix(1)
        break
      }
      next = parent.parent
    }
    for binding in source.active(PatternBindingSyntax.self, in: node.scope) {
      guard let value = binding.initializer?.value.bare.as(FunctionCallExprSyntax.self),
        BiometricUse.isCheck(value) || BiometricUse.isEvaluation(value, in: source)
      else { continue }
      success.append(binding.pattern.trimmedDescription)
    }
    return (success, error)
  }

  /// What lets the person in, in `block` but not in branches inside of it.
  private func opening(_ block: Syntax, _ branch: Syntax, _ source: SwiftSource) -> (name: String, node: Syntax)? {
    let isGate = source.active(FunctionCallExprSyntax.self, in: branch.scope).contains {
      BiometricUse.isEvaluation($0, in: source)
    }
    for infix in source.active(InfixOperatorExprSyntax.self, in: block)
    where infix.operator.is(AssignmentExprSyntax.self) && isDirect(Syntax(infix), block, source) {
      let name = infix.leftOperand.lastName ?? ""
      if let value = infix.rightOperand.as(BooleanLiteralExprSyntax.self),
        facts.letsIn(name, value.literal.text == "true")
      {
        return (name, Syntax(infix))
      }
      if let value = infix.rightOperand.as(MemberAccessExprSyntax.self)?.declName.baseName.text,
        facts.letsIn(value, true),
        value.lowercased() != "unauthenticated", value.lowercased() != "unauthorized"
      {
        return (value, Syntax(infix))
      }
    }
    guard isGate else { return nil }
    if let same = sameCall(in: block, of: branch.scope, source) { return same }
    for call in source.active(FunctionCallExprSyntax.self, in: block) where isDirect(Syntax(call), block, source) {
      guard let name = call.calledName, let first = call.arguments.first?.expression, Self.answers.contains(name)
      else { continue }
      if first.as(BooleanLiteralExprSyntax.self)?.literal.text == "true" { return (name, Syntax(call)) }
      if first.as(FunctionCallExprSyntax.self)?.calledName == "success",
        first.as(FunctionCallExprSyntax.self)?.arguments.first?.expression.trimmedDescription != "false"
      {
        return (name, Syntax(call))
      }
    }
    for statement in source.active(ReturnStmtSyntax.self, in: block) where isDirect(Syntax(statement), block, source) {
      if statement.expression?.as(BooleanLiteralExprSyntax.self)?.literal.text == "true" {
        return ("true", Syntax(statement))
      }
    }
    return nil
  }

  /// What hands on that there is an answer.
  private static let answers: Set<String> = [
    "completion", "completionHandler", "callback", "handler", "resume", "reply", "onCompletion", "result",
  ]

  /// What success calls is called here as well: `showNotes()` in both branches.
  private func sameCall(in block: Syntax, of scope: Syntax, _ source: SwiftSource) -> (name: String, node: Syntax)? {
    let outside = source.active(FunctionCallExprSyntax.self, in: scope).filter { !$0.isInside(block) }
    let replies = outside.filter { BiometricUse.isEvaluation($0, in: source) }.flatMap(\.closures)
    for call in source.active(FunctionCallExprSyntax.self, in: block) where isDirect(Syntax(call), block, source) {
      guard let name = call.calledName else { continue }
      if Self.answers.contains(name), call.arguments.isEmpty, call.closures.isEmpty {
        // An answer without a word means yes where only success gives it.
        let given = outside.filter { other in
          other.calledName == name && replies.contains { other.isInside($0) }
        }
        if !given.isEmpty, given.allSatisfy({ isInSuccess($0, source) }) { return (name, Syntax(call)) }
      }
      guard facts.opens(name) else { continue }
      let isInReply = outside.contains { other in
        other.calledName == name && replies.contains { other.isInside($0) }
          && other.arguments.trimmedDescription == call.arguments.trimmedDescription
      }
      if isInReply || isAfterSuccess(name, block, source) { return (name, Syntax(call)) }
    }
    return nil
  }

  /// In what runs when the reply says that the person is known.
  private func isInSuccess(_ call: FunctionCallExprSyntax, _ source: SwiftSource) -> Bool {
    guard let branch = call.nearest(IfExprSyntax.self) else { return false }
    return call.isInside(branch.body) && meaning(branch.conditions, Syntax(branch), source) == true
  }

  /// Beside it, in the branch of success.
  private func isAfterSuccess(_ name: String, _ block: Syntax, _ source: SwiftSource) -> Bool {
    guard let branch = block.nearest(IfExprSyntax.self), branch.elseBody?.id == block.id else { return false }
    return source.active(FunctionCallExprSyntax.self, in: branch.body).contains { $0.calledName == name }
  }

  /// Not in a branch of its own, and not in the reply of another question.
  private func isDirect(_ node: Syntax, _ block: Syntax, _ source: SwiftSource) -> Bool {
    var next = node.parent
    while let parent = next, parent.id != block.id {
      if parent.is(IfExprSyntax.self) || parent.is(SwitchExprSyntax.self) { return false }
      if let closure = parent.as(ClosureExprSyntax.self), let call = closure.nearest(FunctionCallExprSyntax.self) {
        let name = (call.calledName ?? "").lowercased()
        if name.contains("evaluate") || name.contains("auth") || name.contains("passcode") || name.contains("prompt") {
          return false
        }
      }
      next = parent.parent
    }
    return true
  }

  /// A flag that is true from the start, in a type that evaluates a policy and sets it.
  private func observe(_ binding: PatternBindingSyntax, _ source: SwiftSource, _ notebook: inout Notebook) {
    guard binding.nearest(VariableDeclSyntax.self)?.parent?.is(MemberBlockItemSyntax.self) == true,
      binding.nearest(VariableDeclSyntax.self)?.bindingSpecifier.text == "var",
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
      let value = binding.initializer?.value.as(BooleanLiteralExprSyntax.self),
      value.literal.text == "true", facts.letsIn(name, true),
      let type = binding.nearest(MemberBlockSyntax.self)
    else { return }
    let evaluates = source.active(FunctionCallExprSyntax.self, in: type).contains {
      BiometricUse.isEvaluation($0, in: source)
    }
    let isSet = source.active(InfixOperatorExprSyntax.self, in: type).contains {
      $0.operator.is(AssignmentExprSyntax.self) && $0.leftOperand.lastName == name
    }
    if evaluates, isSet, !isSetAtStart(name, type, source) { notebook.note(name, line: source.line(of: binding)) }
  }

  /// An initialiser, or a function that one calls, decides what the flag begins with.
  private func isSetAtStart(_ name: String, _ type: MemberBlockSyntax, _ source: SwiftSource) -> Bool {
    let starts = source.active(InitializerDeclSyntax.self, in: type).map { Syntax($0) }
    let called = Set(starts.flatMap { source.active(FunctionCallExprSyntax.self, in: $0) }.compactMap(\.calledName))
    let functions = source.active(FunctionDeclSyntax.self, in: type).filter { called.contains($0.name.text) }
    return (starts + functions.map { Syntax($0) }).contains { body in
      source.active(InfixOperatorExprSyntax.self, in: body).contains {
        $0.operator.is(AssignmentExprSyntax.self) && $0.leftOperand.lastName == name
      }
    }
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    for body in source.bodies where body.has("canEvaluatePolicy") || body.has("evaluatePolicy") {
      let tokens = body.tokens
      for index in tokens.indices where tokens[index].text == "if" && tokens[index].kind == .identifier {
        guard let open = tokens[index...].firstIndex(where: { $0.isPunctuation("{") }) else { continue }
        let condition = tokens[index..<open]
        let text = condition.map(\.text).joined()
        let isAsked = condition.has("canEvaluatePolicy") || text == "if(success)"
        guard isAsked || text == "if(error)" || text == "if(!success)" || text == "if(error!=nil)" else { continue }
        let end = CBraces.close(tokens, open)
        var block = open..<end
        if isAsked, !text.hasPrefix("if(!") {
          guard end + 2 < tokens.endIndex, tokens[end + 1].text == "else", tokens[end + 2].isPunctuation("{") else {
            continue
          }
          block = (end + 2)..<CBraces.close(tokens, end + 2)
        }
        for place in block.dropLast(2) where tokens[place].kind == .identifier && tokens[place + 1].isPunctuation("=") {
          let value = tokens[place + 2].text
          guard value == "YES" || value == "NO", facts.letsIn(tokens[place].text, value == "YES") else { continue }
          notebook.note(tokens[place].text, line: tokens[place].line)
          break
        }
      }
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(.error, at: $0, in: target, "the gate opens (\($0.name)) although the person is not known")
    }
  }
}

extension ClosureExprSyntax {
  /// The names of its parameters, in order.
  var parameterNames: [String] {
    switch signature?.parameterClause {
    case .simpleInput(let list): list.map(\.name.text)
    case .parameterClause(let clause): clause.parameters.map { ($0.secondName ?? $0.firstName).text }
    default: []
    }
  }
}
