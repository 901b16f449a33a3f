import SwiftParser
import SwiftSyntax

extension SyntaxProtocol {
  /// The names of the types around the node, the outermost first. An extension counts with the name that it extends.
  var enclosingTypes: [String] {
    var names: [String] = []
    var next = parent
    while let node = next {
      switch node.as(SyntaxEnum.self) {
      case .structDecl(let node): names.append(node.name.text)
      case .classDecl(let node): names.append(node.name.text)
      case .enumDecl(let node): names.append(node.name.text)
      case .actorDecl(let node): names.append(node.name.text)
      case .protocolDecl(let node): names.append(node.name.text)
      case .extensionDecl(let node): names.append(node.extendedType.trimmedDescription)
      default: break
      }
      next = node.parent
    }
    return names.reversed()
  }

  /// The function, initialiser, accessor or closure-free declaration that the node stands in.
  var enclosingFunction: Syntax? {
    var next = parent
    while let node = next {
      switch node.kind {
      case .functionDecl, .initializerDecl, .deinitializerDecl, .accessorDecl, .subscriptDecl: return node
      case .structDecl, .classDecl, .enumDecl, .actorDecl, .extensionDecl: return nil
      default: next = node.parent
      }
    }
    return nil
  }

  /// The name of the function around the node; nil outside of a function with a name.
  var enclosingFunctionName: String? { enclosingFunction?.as(FunctionDeclSyntax.self)?.name.text }
}

extension SyntaxProtocol {
  /// Whether it is a preview: `#Preview { … }`, or a type that conforms to `PreviewProvider`.
  var isPreview: Bool {
    switch Syntax(self).as(SyntaxEnum.self) {
    case .macroExpansionExpr(let node): node.macroName.text == "Preview"
    case .macroExpansionDecl(let node): node.macroName.text == "Preview"
    case .structDecl(let node): node.inheritanceClause?.trimmedDescription.contains("PreviewProvider") == true
    default: false
    }
  }

  /// The declaration with a body around the node: a function, initialiser, accessor or computed property; without one
  /// the whole file. Closures belong to what is around them.
  var scope: Syntax {
    var node = Syntax(self)
    while let parent = node.parent {
      switch parent.kind {
      case .functionDecl, .initializerDecl, .deinitializerDecl, .accessorDecl, .subscriptDecl: return parent
      case .accessorBlock where parent.as(AccessorBlockSyntax.self)?.accessors.is(CodeBlockItemListSyntax.self) == true:
        return parent
      default: node = parent
      }
    }
    return node
  }

  /// Whether `other` is the node itself or stands around it.
  func isInside(_ other: some SyntaxProtocol) -> Bool {
    var next: Syntax? = Syntax(self)
    while let node = next {
      if node.id == other.id { return true }
      next = node.parent
    }
    return false
  }

  /// The nearest node of that type around this one.
  func nearest<Node: SyntaxProtocol>(_ type: Node.Type) -> Node? {
    var next = parent
    while let node = next {
      if let found = node.as(Node.self) { return found }
      next = node.parent
    }
    return nil
  }
}

extension PatternBindingSyntax {
  /// The type as written, or that of a literal.
  var knownType: String? {
    if let type = typeAnnotation?.type.trimmedDescription { return type }
    guard let value = initializer?.value else { return nil }
    if value.is(BooleanLiteralExprSyntax.self) { return "Bool" }
    if value.is(IntegerLiteralExprSyntax.self) { return "Int" }
    if value.is(StringLiteralExprSyntax.self) { return "String" }
    return nil
  }
}

extension FunctionCallExprSyntax {
  /// The closures that it is given, in order: those in the brackets, then those behind them.
  var closures: [ClosureExprSyntax] {
    arguments.compactMap { $0.expression.as(ClosureExprSyntax.self) } + [trailingClosure].compactMap { $0 }
      + additionalTrailingClosures.map(\.closure)
  }

  /// The last part of what is called: `c` of `a.b.c(…)`, `f` of `f(…)`.
  var calledName: String? {
    if let member = calledExpression.as(MemberAccessExprSyntax.self) { return member.declName.baseName.text }
    return calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
  }

  /// What stands before the last dot, without blanks: `a.b` of `a.b.c(…)`; nil where there is no dot.
  var calledBase: String? {
    calledExpression.as(MemberAccessExprSyntax.self)?.base?.trimmedDescription
  }

  /// The argument of that label.
  func argument(_ label: String?) -> ExprSyntax? { arguments.first { $0.label?.text == label }?.expression }

  /// The labels in order, empty where there is none.
  var labels: [String] { arguments.map { $0.label?.text ?? "" } }
}

extension ExprSyntax {
  /// The text of a literal without interpolation.
  var literal: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }

  /// Without brackets, `try`, `await`, `!`, `?` and casts around it.
  var bare: ExprSyntax {
    var expression = self
    while true {
      switch expression.as(ExprSyntaxEnum.self) {
      case .tryExpr(let node): expression = node.expression
      case .awaitExpr(let node): expression = node.expression
      case .forceUnwrapExpr(let node): expression = node.expression
      case .optionalChainingExpr(let node): expression = node.expression
      case .asExpr(let node): expression = node.expression
      case .unresolvedAsExpr: return expression
      case .tupleExpr(let node):
        guard let only = node.elements.first, node.elements.count == 1, only.label == nil else { return expression }
        expression = only.expression
      default: return expression
      }
    }
  }

  /// The name of a variable, `x` of `self.x` included.
  var variableName: String? {
    if let reference = self.as(DeclReferenceExprSyntax.self) { return reference.baseName.text }
    if let member = self.as(MemberAccessExprSyntax.self), member.base?.trimmedDescription == "self" {
      return member.declName.baseName.text
    }
    return nil
  }
}

extension IfExprSyntax {
  /// What runs when the condition does not hold.
  var otherwise: Syntax? {
    elseBody.map { Syntax($0) }
  }
}
