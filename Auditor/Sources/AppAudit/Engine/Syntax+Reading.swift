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

extension FunctionCallExprSyntax {
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
}
