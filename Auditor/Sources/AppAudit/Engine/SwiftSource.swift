import SwiftIfConfig
import SwiftOperators
import SwiftParser
import SwiftSyntax

/// A parsed Swift file, as observers see it.
final class SwiftSource {
  let path: String
  let tree: SourceFileSyntax
  /// Modules that active code of the file imports.
  let imports: Set<String>
  /// Every type that the file declares: its dotted name, `Outer.Inner`.
  let declaredTypes: Set<String>
  /// Names of the functions that the file declares, wherever.
  let declaredFunctions: Set<String>
  /// Names of the properties that types of the file declare.
  let declaredMembers: Set<String>
  /// What is written or plain to see of the types of properties, variables and parameters, by name.
  let annotations: [String: Set<String>]
  private let lines: SourceLocationConverter
  private let configuration: DeviceConfiguration

  fileprivate init(path: String, tree: SourceFileSyntax, outline: Outline, configuration: DeviceConfiguration) {
    self.path = path
    self.tree = tree
    self.configuration = configuration
    annotations = outline.annotations
    imports = outline.imports
    declaredTypes = outline.types
    declaredFunctions = outline.functions
    declaredMembers = outline.members
    lines = SourceLocationConverter(fileName: path, tree: tree)
  }

  /// The active nodes of that type in `node`, itself included, in the order of the source.
  func active<Node: SyntaxProtocol>(_ type: Node.Type, in node: some SyntaxProtocol) -> [Node] {
    let collector = Collector(viewMode: .sourceAccurate, configuration: configuration)
    collector.walk(node)
    return collector.nodes.compactMap { $0.as(Node.self) }
  }

  /// The line, from 1, on which the node's first token stands.
  func line(of node: some SyntaxProtocol) -> Int {
    lines.location(for: node.positionAfterSkippingLeadingTrivia).line
  }

  /// Whether a bare `name` used at `node` means a type of the file itself: one at its top, or in a type around the use.
  func isOwnType(_ name: String, at node: some SyntaxProtocol) -> Bool {
    if declaredTypes.contains(name) { return true }
    guard declaredTypes.contains(where: { $0.hasSuffix("." + name) }) else { return false }
    var outer = node.enclosingTypes
    while !outer.isEmpty {
      if declaredTypes.contains(outer.joined(separator: ".") + "." + name) { return true }
      outer.removeLast()
    }
    return false
  }
}

/// Parses a file and shows its nodes to the observers, once for all rules.
enum SwiftInspector {
  /// - Parameter rules: Those that the words of the file concern.
  static func inspect(
    _ bytes: [UInt8], path: String, conditions: Set<String>, rules: [any Rule], into notebook: inout Notebook
  ) {
    let parsed = Parser.parse(source: String(decoding: bytes, as: UTF8.self))
    // Operators in a sequence become a tree, so that `a == b` is one node. Unknown ones stay as they are.
    let folded = OperatorTable.standardOperators.foldAll(parsed) { _ in }
    guard let tree = folded.as(SourceFileSyntax.self) else { return }
    let configuration = DeviceConfiguration(conditions: conditions)
    let outline = Outline(viewMode: .sourceAccurate, configuration: configuration)
    outline.walk(tree)
    let source = SwiftSource(path: path, tree: tree, outline: outline, configuration: configuration)
    let pass = Pass(configuration: configuration, source: source, rules: rules, notebook: notebook)
    pass.walk(tree)
    notebook = pass.notebook
  }

  private final class Pass: ActiveSyntaxAnyVisitor {
    let source: SwiftSource
    var notebook: Notebook
    private var observers: [SyntaxKind: [any Rule]] = [:]

    init(configuration: DeviceConfiguration, source: SwiftSource, rules: [any Rule], notebook: Notebook) {
      self.source = source
      self.notebook = notebook
      for rule in rules {
        for kind in rule.nodeKinds { observers[kind, default: []].append(rule) }
      }
      super.init(viewMode: .sourceAccurate, configuration: configuration)
    }

    override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
      // What Xcode shows while a view is written is not what the app does.
      if node.isPreview { return .skipChildren }
      guard let interested = observers[node.kind] else { return .visitChildren }
      for rule in interested {
        notebook.rule = rule.about.id
        rule.observe(node, in: source, into: &notebook)
      }
      return .visitChildren
    }
  }
}

private final class Collector: ActiveSyntaxAnyVisitor {
  var nodes: [Syntax] = []

  override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
    nodes.append(node)
    return .visitChildren
  }
}

/// What is imported and declared, wherever it stands.
private final class Outline: ActiveSyntaxAnyVisitor {
  var imports: Set<String> = []
  var types: Set<String> = []
  var functions: Set<String> = []
  var members: Set<String> = []
  var annotations: [String: Set<String>] = [:]

  override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
    switch node.as(SyntaxEnum.self) {
    case .importDecl(let node):
      if let first = node.path.first { imports.insert(first.name.text) }
      return .skipChildren
    case .structDecl(let node): note(node.name, node)
    case .classDecl(let node): note(node.name, node)
    case .enumDecl(let node): note(node.name, node)
    case .actorDecl(let node): note(node.name, node)
    case .protocolDecl(let node): note(node.name, node)
    case .typeAliasDecl(let node): note(node.name, node)
    case .functionDecl(let node): functions.insert(node.name.text)
    case .variableDecl(let node):
      for binding in node.bindings {
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { continue }
        if node.parent?.is(MemberBlockItemSyntax.self) == true { members.insert(name) }
        if let type = binding.knownType { annotations[name, default: []].insert(type) }
      }
    case .functionParameter(let node):
      annotations[(node.secondName ?? node.firstName).text, default: []].insert(node.type.trimmedDescription)
    default: break
    }
    return .visitChildren
  }

  private func note(_ name: TokenSyntax, _ node: some SyntaxProtocol) {
    types.insert((node.enclosingTypes + [name.text]).joined(separator: "."))
  }
}
