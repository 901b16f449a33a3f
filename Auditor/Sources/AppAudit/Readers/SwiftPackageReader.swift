import SwiftParser
import SwiftSyntax

/// Reads `Package.swift` without running it: what is written out is seen, what the manifest computes is not.
struct SwiftPackageReader {
  let files: ProjectFiles
  /// The folder of the manifest.
  let folder: String
  private(set) var targets: [Target] = []
  /// Which targets each product is made of.
  private(set) var products: [String: [String]] = [:]
  private(set) var notes: [Note] = []
  /// False where the manifest cannot be read: then its folder is as one without.
  private(set) var isRead = false
  private let manifest: String

  init(files: ProjectFiles, manifest: String) {
    self.files = files
    folder = Path.folder(manifest)
    self.manifest = manifest
    switch files.read(manifest) {
    case .failure(let failure): notes.append(Note(path: manifest, message: failure.reason))
    case .success(let bytes):
      if let problem = ParserLimits.problem(of: bytes) {
        notes.append(Note(path: manifest, message: problem + ": left out"))
        return
      }
      isRead = true
      let calls = Calls(viewMode: .sourceAccurate)
      calls.walk(Parser.parse(source: String(decoding: bytes, as: UTF8.self)))
      for call in calls.found { read(call) }
    }
  }

  /// Calls that declare a target or product: `.target(name: …)`, `Target.target(name: …)`.
  private final class Calls: SyntaxVisitor {
    var found: [FunctionCallExprSyntax] = []

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      let isMember = node.calledExpression.is(MemberAccessExprSyntax.self)
      if isMember, node.argument("name")?.literal != nil { found.append(node) }
      // Dependencies are `.target(name:)` as well: they are read with the target that has them.
      return node.argument("dependencies") != nil && node.calledName != "Package" ? .skipChildren : .visitChildren
    }
  }

  private mutating func read(_ call: FunctionCallExprSyntax) {
    guard let name = call.argument("name")?.literal else { return }
    let isProductOrPackage = ["library", "executable", "iOSApplication", "package", "product", "byName"].contains(
      call.calledName)
    if isProductOrPackage {
      if let made = call.argument("targets") { products[name] = Self.literals(made) }
      return
    }
    let kind: Target.Kind
    switch call.calledName {
    case "target": kind = .package
    case "executableTarget": kind = .other
    case "testTarget", "macro", "plugin": kind = .test
    default: return
    }
    guard !targets.contains(where: { $0.name == name }) else { return }
    var target = Target(name: name, kind: kind)
    target.folder = sourceFolder(of: name, stated: call.argument("path")?.literal, isTest: kind == .test) ?? ""
    guard !target.folder.isEmpty || call.argument("path") != nil else {
      notes.append(
        Note(path: manifest, message: "the sources of the target \(name) are not in the folder"))
      return
    }
    target.dependencies = call.argument("dependencies").map(Self.literals) ?? []
    add(files: target.folder, excluding: call.argument("exclude").map(Self.literals) ?? [], to: &target)
    targets.append(target)
  }

  /// The first literal of each element: the name in `"A"`, `.target(name: "A")`, `.product(name: "A", package: "B")`.
  private static func literals(_ expression: ExprSyntax) -> [String] {
    guard let array = expression.as(ArrayExprSyntax.self) else { return [] }
    return array.elements.compactMap { element in
      element.expression.literal
        ?? element.expression.as(FunctionCallExprSyntax.self)?.arguments.first?.expression.literal
    }
  }

  private func sourceFolder(of name: String, stated: String?, isTest: Bool) -> String? {
    if let stated { return Path.join(folder, stated) }
    let parents = isTest ? ["Tests", "Sources"] : ["Sources", "Source", "src", "srcs"]
    return parents.compactMap { Path.join(folder, $0 + "/" + name) }.first { !files.below($0).isEmpty }
  }

  private func add(files folder: String, excluding: [String], to target: inout Target) {
    let excluded = excluding.compactMap { Path.join(folder, $0) }
    for path in files.below(folder) {
      if excluded.contains(where: { path == $0 || path.hasPrefix($0 + "/") }) { continue }
      if let language = SourceFile.Language(path: path) {
        target.sources.append(SourceFile(path: path, language: language))
      } else if Exclusion.isManifestLike(path) {
        target.manifests.append(PropertyListReading.manifest(path, in: files))
      } else {
        target.resources.append(path)
      }
    }
  }
}
