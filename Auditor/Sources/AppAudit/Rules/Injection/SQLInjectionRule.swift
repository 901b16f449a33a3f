import SwiftSyntax

/// A statement of SQL whose values are put into its text.
struct SQLInjectionRule: Rule {
  let about = RuleDescription(
    id: "injection.sql",
    kind: .injection,
    title: "Values are put into the text of an SQL statement",
    why: """
      A value with a quote in it changes the statement: rows are read or deleted that were not meant. Names of tables and \
      columns, numbers and lists of placeholders are silent, and so are libraries whose literals bind their values.
      """,
    fix: "Write ? in the statement, and bind the values (sqlite3_bind_text, arguments:).")

  private let facts = InjectionFacts.shared
  var words: Words {
    let verbs = ["SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"]
    return Words(
      exact: Set(verbs + verbs.map { $0.lowercased() }), also: [Words(exact: facts.sqlSinks)])
  }
  let nodeKinds: [SyntaxKind] = [.functionCallExpr]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let call = node.as(FunctionCallExprSyntax.self), let name = call.calledName, facts.sqlSinks.contains(name)
    else {
      return
    }
    for argument in call.arguments {
      if let label = argument.label?.text, facts.safeLabels.contains(label) { continue }
      if let maker = argument.expression.bare.as(FunctionCallExprSyntax.self)?.calledName,
        facts.safeMakers.contains(maker)
      {
        continue
      }
      guard let built = BuiltText.of(argument.expression, in: source), facts.isSQL(built.fixed),
        let value = built.values.first(where: { facts.isValuePlace(after: $0.before) && !isSafe($0.value, source) }),
        let place = built.first
      else { continue }
      notebook.note(value.value.trimmedDescription.prefix(40).description, line: source.line(of: place))
      return
    }
  }

  private func isSafe(_ value: ExprSyntax, _ source: SwiftSource) -> Bool {
    let bare = value.bare
    if bare.is(IntegerLiteralExprSyntax.self) || bare.literal != nil { return true }
    if source.isJoinedNumbers(bare, facts.numberTypes) { return true }
    if let call = bare.as(FunctionCallExprSyntax.self) {
      // A function of numbers alone makes no text of somebody else's.
      if call.calledBase == nil, !call.arguments.isEmpty, call.closures.isEmpty,
        call.arguments.allSatisfy({ $0.expression.variableName.map { source.isNumber($0, facts.numberTypes) } ?? false }
        )
      {
        return true
      }
      if facts.numberTypes.contains(call.calledName ?? "") { return true }
      // `keys.map { _ in "?" }.joined(…)`, `databaseQuestionMarks(count:)`.
      if call.trimmedDescription.contains("\"?\"") || call.trimmedDescription.lowercased().contains("questionmark") {
        return true
      }
      return bare.lastName.map(isStructure) ?? false
    }
    guard let name = bare.lastName else { return false }
    // The values of an enumeration are the app's own.
    if name == "rawValue" { return true }
    if isStructure(name) || name == name.uppercased() { return true }
    // Constants of a type: `Columns.name`, `Self.tableName`.
    if let base = bare.as(MemberAccessExprSyntax.self)?.base?.trimmedDescription, base.first?.isUppercase == true {
      return true
    }
    return source.isNumber(name, facts.numberTypes)
  }

  private func isStructure(_ name: String) -> Bool {
    SecretNames.words(name).contains(where: facts.structureWords.contains)
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    let functions: Set<String> = ["sqlite3_exec", "sqlite3_prepare_v2", "sqlite3_prepare"]
    guard
      source.calls.contains(where: { functions.contains($0.name) })
        || source.messages.contains(where: {
          $0.selector.hasPrefix("executeQuery:") || $0.selector.hasPrefix("executeUpdate:")
        })
    else { return }
    for message in source.messages
    where ["stringWithFormat:", "initWithFormat:", "stringByAppendingFormat:"].contains(message.selector) {
      guard let format = message.arguments.first?.first(where: { $0.kind == .string })?.text, facts.isSQL(format),
        ["'%@", "= %@", "=%@", "LIKE %@", "like %@"].contains(where: format.contains)
      else { continue }
      let words = message.arguments.first?.words ?? []
      if !words.isEmpty, words.allSatisfy({ isStructure($0) }) { continue }
      notebook.note(words.last ?? "a value", line: message.line)
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(.error, at: $0, in: target, "\($0.name) is put into the text of an SQL statement")
    }
  }
}

extension ExprSyntax {
  /// The last name in `a`, `a.b`, `a.b()`.
  var lastName: String? {
    if let reference = self.as(DeclReferenceExprSyntax.self) { return reference.baseName.text }
    if let member = self.as(MemberAccessExprSyntax.self) { return member.declName.baseName.text }
    if let call = self.as(FunctionCallExprSyntax.self) { return call.calledName }
    return nil
  }
}

extension SwiftSource {
  /// Whether everything of that name in the file is a number.
  func isNumber(_ name: String, _ types: Set<String>) -> Bool {
    guard let known = annotations[name] else { return false }
    return known.allSatisfy { types.contains($0.filter { $0 != "?" }) }
  }
}
