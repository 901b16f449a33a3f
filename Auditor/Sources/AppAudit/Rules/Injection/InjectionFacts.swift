import Foundation
import SwiftSyntax

/// What is given to databases and scripts, and what is safe to put into their text.
struct InjectionFacts: Decodable, Sendable {
  var verbs: [String]
  var sqlShapes: [String]
  var sqlSinks: Set<String>
  var safeMakers: Set<String>
  var safeLabels: Set<String>
  /// Words of names that hold a part of the statement, not a value.
  var structureWords: Set<String>
  var scriptSinks: Set<String>
  var scriptMakers: Set<String>
  /// Words of names whose text was made for the script.
  var encodedWords: Set<String>
  var numberTypes: Set<String>
  var numberWords: Set<String>

  static let shared = Facts.load("injection", as: InjectionFacts.self)

  func isSQL(_ text: String) -> Bool {
    let upper = text.uppercased().split(whereSeparator: \.isWhitespace).joined(separator: " ") + " "
    // "Select a file from …" is a sentence.
    let verb = text.drop(while: \.isWhitespace).prefix { $0.isLetter }
    guard verbs.contains(where: upper.hasPrefix), verb == verb.uppercased() || verb == verb.lowercased() else {
      return false
    }
    return sqlShapes.contains { (" " + upper).contains($0) }
  }

  /// Whether a value stands behind that text, and not the name of a table or column, or a condition.
  func isValuePlace(after text: String) -> Bool {
    var text = Substring(text.uppercased())
    // The text is that of the source: a quote may be escaped.
    func trim() { while text.last?.isWhitespace == true || text.last == "\\" { text.removeLast() } }
    trim()
    if text.hasSuffix("'") || text.hasSuffix("%") { return true }
    if text.hasSuffix("\"") {
      // Also what is said in double quotes is a value behind a comparison; a name elsewhere.
      text.removeLast()
      trim()
    }
    if ["=", "<", ">", " LIKE", " MATCH", " IN ("].contains(where: text.hasSuffix) { return true }
    guard text.hasSuffix("(") || text.hasSuffix(","), let values = text.range(of: "VALUES") else { return false }
    return values.upperBound <= text.endIndex
  }
}

extension SwiftSource {
  /// Whether the text is numbers side by side, `ids.map { String($0) }.joined(separator: ",")`, or a local variable that
  /// holds such.
  func isJoinedNumbers(_ value: ExprSyntax, _ types: Set<String>, depth: Int = 0) -> Bool {
    let bare = value.bare
    if let call = bare.as(FunctionCallExprSyntax.self), call.calledName == "joined",
      let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base
    {
      return isListOfNumbers(base, types)
    }
    guard depth == 0, let value = onlyValue(of: bare) else { return false }
    return isJoinedNumbers(value, types, depth: 1)
  }

  private func isListOfNumbers(_ list: ExprSyntax, _ types: Set<String>) -> Bool {
    let bare = list.bare
    if let call = bare.as(FunctionCallExprSyntax.self) {
      if let array = call.calledExpression.as(ArrayExprSyntax.self) {
        return array.elements.count == 1
          && array.elements.allSatisfy { types.contains($0.expression.trimmedDescription) }
      }
      guard let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base else { return false }
      switch call.calledName {
      case "map":
        let shown = (call.arguments.first?.expression ?? call.trailingClosure.map { ExprSyntax($0) })?
          .trimmedDescription
        guard let text = shown?.filter({ !$0.isWhitespace }),
          ["String.init", "\\.description", "{String($0)}", "{\"\\($0)\"}", "{$0.description}"].contains(text)
        else { return false }
        return isListOfNumbers(base, types)
      case "sorted", "filter", "prefix", "suffix", "dropFirst", "dropLast", "reversed":
        return isListOfNumbers(base, types)
      default: return false
      }
    }
    guard let name = bare.variableName else { return false }
    if let known = annotations[name] {
      return known.allSatisfy { type in
        let plain = type.filter { $0 != "?" && !$0.isWhitespace }
        return types.contains { plain == "[\($0)]" || plain == "Set<\($0)>" || plain == "Array<\($0)>" }
      }
    }
    return onlyValue(of: bare).map { $0.bare.is(FunctionCallExprSyntax.self) && isListOfNumbers($0, types) } ?? false
  }

  /// What a local variable begins with, where there is one of that name in the function.
  private func onlyValue(of reference: ExprSyntax) -> ExprSyntax? {
    guard let name = reference.as(DeclReferenceExprSyntax.self)?.baseName.text else { return nil }
    let bindings = active(PatternBindingSyntax.self, in: reference.scope).filter {
      $0.pattern.trimmedDescription == name
    }
    return bindings.count == 1 ? bindings.first?.initializer?.value : nil
  }
}

/// Text that is put together: its fixed part, and the values in it.
struct BuiltText {
  var fixed = ""
  /// Each value, and the fixed text before it.
  var values: [(value: ExprSyntax, before: String)] = []
  /// The literal where the first part stands.
  var first: Syntax?

  /// Nil where the expression is no text that is put together here.
  init?(_ expression: ExprSyntax, in source: SwiftSource) {
    read(expression, source, depth: 0)
    guard !fixed.isEmpty, !values.isEmpty else { return nil }
  }

  private mutating func read(_ expression: ExprSyntax, _ source: SwiftSource, depth: Int) {
    guard depth < 50 else { return }
    let bare = expression.bare
    if let literal = bare.as(StringLiteralExprSyntax.self) {
      if first == nil { first = Syntax(literal) }
      for segment in literal.segments {
        if let text = segment.as(StringSegmentSyntax.self) { fixed += text.content.text }
        if let part = segment.as(ExpressionSegmentSyntax.self), let value = part.expressions.first {
          values.append((value.expression, fixed))
        }
      }
    } else if let infix = bare.as(InfixOperatorExprSyntax.self), infix.operator.trimmedDescription == "+" {
      read(infix.leftOperand, source, depth: depth + 1)
      read(infix.rightOperand, source, depth: depth + 1)
    } else if let call = bare.as(FunctionCallExprSyntax.self), call.calledName == "String",
      call.labels.first == "format",
      let format = call.arguments.first?.expression.literal
    {
      if first == nil { first = Syntax(call) }
      fixed += format
      // Only text: numbers have other formats.
      if format.contains("%@") { values += Self.formatted(format, call) }
    } else if !fixed.isEmpty {
      values.append((bare, fixed))
    }
  }

  /// The arguments of a format, with the text before the place of each.
  private static func formatted(_ format: String, _ call: FunctionCallExprSyntax) -> [(
    value: ExprSyntax, before: String
  )] {
    var before = ""
    let parts = format.components(separatedBy: "%@")
    return zip(call.arguments.dropFirst(), parts).map { argument, part in
      before += part
      return (argument.expression, before)
    }
  }

  /// What an argument holds: itself, or the local variable that it names.
  static func of(_ argument: ExprSyntax, in source: SwiftSource) -> BuiltText? {
    if let built = BuiltText(argument, in: source) { return built }
    guard let name = argument.bare.as(DeclReferenceExprSyntax.self)?.baseName.text else { return nil }
    let bindings = source.active(PatternBindingSyntax.self, in: argument.scope).filter {
      $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == name && $0.position < argument.position
    }
    return bindings.last?.initializer.flatMap { BuiltText($0.value, in: source) }
  }
}
