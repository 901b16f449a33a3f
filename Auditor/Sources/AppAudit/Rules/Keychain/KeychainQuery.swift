import SwiftSyntax

/// What is known of a keychain dictionary: the keys of its literal, and those that are set afterwards.
struct KeychainQuery {
  struct Entry {
    var key: String
    /// As written, without blanks around.
    var value: String
    var node: Syntax
    /// The braces that it stands in, when it is set afterwards: it may not always be.
    var block: Syntax?
  }

  var entries: [Entry] = []
  /// False where keys may be added by what is not seen: a parameter, a call, a merge.
  var isComplete = true

  private static let depthMax = 4

  /// The dictionary that `argument` of `call` holds.
  init(_ argument: ExprSyntax, of call: some SyntaxProtocol, in source: SwiftSource) {
    read(argument, before: call.position, scope: call.scope, source, depth: 0)
  }

  /// A literal, and what is set in the variable that it begins.
  init(literal: DictionaryExprSyntax, in source: SwiftSource) {
    add(literal)
    var outer = Syntax(literal)
    while let parent = outer.parent {
      switch parent.kind {
      case .asExpr, .functionCallExpr, .tupleExpr, .labeledExpr, .labeledExprList, .initializerClause: outer = parent
      default:
        guard let binding = parent.as(PatternBindingSyntax.self), outer.is(InitializerClauseSyntax.self),
          let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
        else { return }
        // A variable of a type is changed in its functions, one by one: not followed.
        if binding.nearest(MemberBlockItemSyntax.self)?.isInside(literal.scope) != false,
          literal.scope.is(SourceFileSyntax.self)
        {
          return
        }
        addAssignments(to: name, scope: literal.scope, before: nil, source)
        return
      }
    }
  }

  private mutating func add(_ literal: DictionaryExprSyntax) {
    guard let elements = literal.content.as(DictionaryElementListSyntax.self) else { return }
    for element in elements {
      guard let key = Self.constant(in: element.key) else {
        isComplete = false
        continue
      }
      entries.append(Entry(key: key, value: element.value.trimmedDescription, node: Syntax(element), block: nil))
    }
  }

  /// The first `kSec…` name in an expression.
  static func constant(in node: some SyntaxProtocol) -> String? {
    node.tokens(viewMode: .sourceAccurate).first { $0.text.hasPrefix("kSec") }?.text
  }

  private mutating func read(
    _ expression: ExprSyntax, before end: AbsolutePosition, scope: Syntax, _ source: SwiftSource, depth: Int
  ) {
    guard depth < Self.depthMax else {
      isComplete = false
      return
    }
    let expression = expression.bare
    if let literal = expression.as(DictionaryExprSyntax.self) {
      add(literal)
    } else if let call = expression.as(FunctionCallExprSyntax.self), call.calledName == "NSDictionary",
      let first = call.arguments.first
    {
      read(first.expression, before: end, scope: scope, source, depth: depth + 1)
    } else if let call = expression.as(FunctionCallExprSyntax.self), call.arguments.isEmpty,
      call.calledExpression.is(DictionaryExprSyntax.self) || call.calledName == "NSMutableDictionary"
    {
      return
    } else if let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text {
      variable(name, before: end, scope: scope, source, depth: depth)
    } else {
      isComplete = false
    }
  }

  private mutating func variable(
    _ name: String, before end: AbsolutePosition, scope: Syntax, _ source: SwiftSource, depth: Int
  ) {
    let bindings = source.active(PatternBindingSyntax.self, in: scope).filter {
      $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == name && $0.position < end
    }
    if let value = bindings.last?.initializer?.value {
      read(value, before: end, scope: scope, source, depth: depth + 1)
    } else {
      isComplete = false
    }
    addAssignments(to: name, scope: scope, before: end, source)
  }

  /// `name[key] = value`, and what may change it in ways that are not followed.
  private mutating func addAssignments(
    to name: String, scope: Syntax, before end: AbsolutePosition?, _ source: SwiftSource
  ) {
    for node in source.active(InfixOperatorExprSyntax.self, in: scope) where node.operator.is(AssignmentExprSyntax.self)
    {
      guard end.map({ node.position < $0 }) ?? true,
        let access = node.leftOperand.as(SubscriptCallExprSyntax.self),
        access.calledExpression.bare.variableName == name, let key = access.arguments.first?.expression
      else { continue }
      guard let constant = Self.constant(in: key) else {
        isComplete = false
        continue
      }
      set(constant, to: node.rightOperand, at: Syntax(node))
    }
    for call in source.active(FunctionCallExprSyntax.self, in: scope) where call.calledBase == name {
      guard end.map({ call.position < $0 }) ?? true else { continue }
      switch call.calledName {
      case "setValue", "setObject", "updateValue":
        if let value = call.arguments.first?.expression, let key = call.arguments.last?.expression,
          let constant = Self.constant(in: key)
        {
          set(constant, to: value, at: Syntax(call))
        }
      case "removeValue":
        if let key = call.arguments.first?.expression, let constant = Self.constant(in: key) {
          entries.removeAll { $0.key == constant }
        }
      default: isComplete = false
      }
    }
  }

  private mutating func set(_ key: String, to value: ExprSyntax, at node: Syntax) {
    if value.is(NilLiteralExprSyntax.self) {
      entries.removeAll { $0.key == key }
      return
    }
    entries.append(
      Entry(
        key: key, value: value.trimmedDescription, node: node,
        block: node.nearest(CodeBlockSyntax.self).map { Syntax($0) }))
  }

  subscript(key: String) -> Entry? { entries.last { $0.key == key } }

  /// Two entries that can be there at the same time: not in branches beside each other.
  func pair(_ first: String, _ second: (Entry) -> Bool) -> (Entry, Entry)? {
    for one in entries where one.key == first {
      for other in entries where second(other) {
        guard let a = one.block, let b = other.block else { return (one, other) }
        if a.isInside(b) || b.isInside(a) { return (one, other) }
      }
    }
    return nil
  }
}

/// The parts of a call of one of the four functions.
enum SecItem {
  static let functions: Set<String> = ["SecItemAdd", "SecItemUpdate", "SecItemCopyMatching", "SecItemDelete"]

  /// The function's name where the call is one of Apple's.
  static func name(of call: FunctionCallExprSyntax, in source: SwiftSource) -> String? {
    guard let name = call.calledName, functions.contains(name), !source.declaredFunctions.contains(name),
      call.calledBase == nil || call.calledBase == "Security"
    else { return nil }
    return name
  }
}
