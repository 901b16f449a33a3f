/// The pods of a Podfile that lie in a folder of the project (`:path =>`), read without running it.
struct Podfile {
  struct Pod {
    var name: String
    /// As written, relative to the folder of the Podfile.
    var path: String
    /// Nil for those of the podspec's default.
    var subspecs: Set<String>
    /// The targets that it is linked into; nil where the Podfile computes them.
    var targets: Set<String>?
  }

  private(set) var pods: [Pod] = []
  /// Whether a pod with a path could not be read.
  private(set) var isComputed = false
  /// Pods of one file.
  static let countMax = 1_000

  /// - Returns: Nil where the file is too large.
  init?(_ bytes: [UInt8]) {
    guard let statements = RubyStatements.read(bytes) else { return nil }
    // Names of the blocks around, "" for an abstract target and nil for what is no target.
    var blocks: [Int?] = []
    var names: [String] = []
    var places: [(name: String, blocks: [Int?])] = []
    var found: [(pod: Pod, blocks: [Int?])] = []
    for statement in statements {
      guard let first = statement.first?.word else { continue }
      if first == "end" {
        _ = blocks.popLast()
      } else if ["target", "abstract_target"].contains(first), statement.contains(.word("do")),
        !statement[1].isPunctuation(".")
      {
        let name = statement.dropFirst().first { !$0.isPunctuation("(") }?.string
        if name == nil { isComputed = true }
        blocks.append(name == nil ? nil : names.count)
        names.append(name ?? "")
        if first == "target", let name { places.append((name, blocks)) }
      } else if first == "pod" {
        if let pod = Self.pod(statement, &isComputed), found.count < Self.countMax { found.append((pod, blocks)) }
      } else if ["if", "unless", "case", "def", "begin", "while", "until", "for", "class", "module"].contains(first)
        || statement.contains(.word("do"))
      {
        blocks.append(nil)
      }
    }
    for (pod, around) in found {
      var pod = pod
      // A target takes over the pods of those that it stands in.
      if around.allSatisfy({ $0 != nil }), blocks.isEmpty {
        pod.targets = Set(places.filter { $0.blocks.starts(with: around) }.map(\.name))
      }
      pods.append(pod)
    }
  }

  private static func pod(_ statement: [RubyToken], _ isComputed: inout Bool) -> Pod? {
    guard statement.contains(.symbol("path")) else { return nil }
    var rest = statement.dropFirst()
    if rest.first == .punctuation("("), rest.last == .punctuation(")") { rest = rest.dropFirst().dropLast() }
    guard let name = rest.popFirst()?.string else {
      isComputed = true
      return nil
    }
    var path: String?
    var subspecs: Set<String> = []
    let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
    if parts.count > 1 { subspecs.insert(parts[1]) }
    while let token = rest.popFirst() {
      guard case .symbol(let key) = token else { continue }
      if rest.first == .punctuation("=>") { rest.removeFirst() }
      guard let value = RubyValue.next(&rest, depth: 0) else {
        if ["path", "subspecs"].contains(key) { isComputed = true }
        continue
      }
      if key == "path", case .string(let text) = value { path = text }
      if key == "subspecs" { subspecs.formUnion(value.strings) }
      // What is put together behind a literal is no literal.
      if let next = rest.first, !next.isPunctuation(",") {
        isComputed = true
        return nil
      }
    }
    guard let path, let first = parts.first else { return nil }
    return Pod(name: first, path: path, subspecs: subspecs, targets: nil)
  }
}
