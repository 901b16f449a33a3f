import Foundation

/// What a podspec says in plain literals of the files of its pod.
struct Podspec {
  var name = ""
  /// Patterns, relative to the folder of the podspec.
  var sources: [String] = []
  var excluded: [String] = []
  /// Copied as they are: beside a static library that is into the app itself.
  var resources: [String] = []
  /// In bundles of their own.
  var bundled: [String] = []
  /// Pods, and subspecs of this one as `Pod/Subspec`.
  var dependencies: [String] = []
  /// `default_subspecs`; nil where it does not say.
  var defaults: [String]?
  var isStatic = false
  var subspecs: [Podspec] = []
  /// Attributes that Ruby computes. With one of them the files of the pod are not known.
  var computed: Set<String> = []

  /// Attributes that decide what the pod is made of.
  static let attributes: Set<String> = [
    "source_files", "exclude_files", "resource", "resources", "resource_bundle", "resource_bundles", "dependency",
    "default_subspec", "default_subspecs", "static_framework",
  ]
  /// Further platforms than iOS, whose attributes are skipped.
  static let otherPlatforms: Set<String> = ["osx", "macos", "tvos", "watchos", "visionos"]
  /// Subspecs in subspecs, and of one podspec.
  static let depthMax = 8
  static let countMax = 500

  /// - Parameter value: Nil where it is no literal.
  mutating func set(_ attribute: String, _ value: RubyValue?) {
    guard let value else {
      computed.insert(attribute)
      return
    }
    switch attribute {
    case "source_files": sources += value.strings
    case "exclude_files": excluded += value.strings
    case "resource", "resources": resources += value.strings
    case "resource_bundle", "resource_bundles": bundled += value.strings
    case "default_subspec", "default_subspecs": defaults = value.strings
    case "static_framework": isStatic = value == .symbol("true")
    case "dependency":
      // The name; what follows are versions.
      if let name = value.strings.first { dependencies.append(name) } else { computed.insert(attribute) }
    default: break
    }
  }

  /// All that Ruby computes in it and its subspecs.
  var allComputed: Set<String> { subspecs.reduce(computed) { $0.union($1.allComputed) } }

  /// The pod with the subspecs that are asked for, and those that they need.
  ///
  /// - Parameter wanted: `Core` or `Core/Sub`; empty for what the podspec takes by default.
  func selected(_ wanted: Set<String>) -> Podspec {
    let all = subspecs.map(\.name)
    var open = Array(wanted.isEmpty ? Set(defaults ?? all) : wanted)
    var merged = self
    merged.subspecs = []
    var known: Set<String> = []
    while let next = open.popLast(), known.count < Self.countMax {
      guard known.insert(next).inserted else { continue }
      for spec in chain(next) {
        merged.sources += spec.sources
        merged.excluded += spec.excluded
        merged.resources += spec.resources
        merged.bundled += spec.bundled
        merged.dependencies += spec.dependencies
      }
      open += merged.dependencies.filter { $0.hasPrefix(name + "/") }.map { String($0.dropFirst(name.count + 1)) }
    }
    merged.dependencies = Array(Set(merged.dependencies.filter { !$0.hasPrefix(name + "/") })).sorted()
    return merged
  }

  /// The subspecs on the way to `path`, and those below it that it takes by default.
  private func chain(_ path: String) -> [Podspec] {
    var chain: [Podspec] = []
    var here = self
    for part in path.split(separator: "/") {
      guard let next = here.subspecs.first(where: { $0.name == part }) else { return chain }
      chain.append(next)
      here = next
    }
    return chain + here.below
  }

  private var below: [Podspec] {
    subspecs.filter { defaults?.contains($0.name) ?? true }.flatMap { [$0] + $0.below }
  }

  // MARK: JSON

  /// A `.podspec.json`: CocoaPods writes them, so that nothing in it is computed. Nil for what is none.
  init?(json bytes: [UInt8]) {
    guard bytes.count <= RubyStatements.sizeBytesMax,
      let members = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any]
    else { return nil }
    self.init(members: members, depth: 0)
  }

  private init(members: [String: Any], depth: Int) {
    name = members["name"] as? String ?? ""
    func read(_ members: [String: Any], _ spec: inout Podspec) {
      for (key, value) in members.sorted(by: { $0.key < $1.key }) where Self.attributes.contains(key) {
        spec.set(key, RubyValue(json: value))
      }
      for name in (members["dependencies"] as? [String: Any] ?? [:]).keys.sorted() { spec.dependencies.append(name) }
    }
    read(members, &self)
    if let phone = members["ios"] as? [String: Any] { read(phone, &self) }
    guard depth < Self.depthMax else { return }
    subspecs = (members["subspecs"] as? [Any] ?? []).prefix(Self.countMax).compactMap { $0 as? [String: Any] }.map {
      Podspec(members: $0, depth: depth + 1)
    }
  }

  // MARK: Ruby

  /// A `.podspec`, read without running it. Nil where it is too large.
  init?(ruby bytes: [UInt8]) {
    guard let statements = RubyStatements.read(bytes) else { return nil }
    var blocks: [Block] = []
    var specs: [Podspec] = []
    for statement in statements {
      if statement == [.word("end")] {
        guard let block = blocks.popLast() else { continue }
        if case .spec = block, let done = specs.popLast() {
          if specs.isEmpty {
            self = done
            return
          }
          if specs[specs.count - 1].subspecs.count < Self.countMax { specs[specs.count - 1].subspecs.append(done) }
        }
        continue
      }
      let isSkipped = blocks.contains(.skipped)
      if let opened = Self.opened(by: statement, specs.isEmpty), specs.count < Self.depthMax {
        if case .spec(_, let name) = opened, !isSkipped {
          if name == nil, !specs.isEmpty { specs[0].computed.insert("subspec") }
          if blocks.contains(.other) { specs[0].computed.insert("subspec") }
          specs.append(Podspec(name: name ?? ""))
          blocks.append(opened)
        } else {
          blocks.append(opened == .other ? .other : .skipped)
        }
        continue
      }
      if !isSkipped { Self.read(statement, blocks, &specs) }
      if Self.opensOther(statement) { blocks.append(isSkipped ? .skipped : .other) }
    }
    // Without its end, or no podspec at all.
    guard let first = specs.first else { return nil }
    self = first
    computed.insert("the end of the file")
  }

  private init(name: String) { self.name = name }

  private enum Block: Hashable {
    /// A spec and the variable that it is called by.
    case spec(variable: String, name: String?)
    /// Specs of tests and apps: not shipped.
    case skipped
    /// A condition or loop: what stands in it is computed.
    case other
  }

  /// The block that the statement begins; nil for statements that are none of a spec.
  private static func opened(by statement: [RubyToken], _ isOutside: Bool) -> Block? {
    guard let place = statement.lastIndex(of: .word("do")) else { return nil }
    let variable: String
    if place + 1 < statement.count, case .symbol(let name) = statement[place + 1] {
      variable = name
    } else {
      variable = ""
    }
    if isOutside {
      let isSpec = statement.starts(with: [.word("Pod"), .punctuation("::"), .word("Spec")])
      return isSpec ? .spec(variable: variable, name: nil) : nil
    }
    guard statement.count > 2, statement[1].isPunctuation(".") else { return nil }
    switch statement[2].word {
    case "subspec":
      let name = statement.dropFirst(3).first { !$0.isPunctuation("(") }
      return .spec(variable: variable, name: name?.string)
    case "test_spec", "app_spec": return .skipped
    default: return nil
    }
  }

  private static func opensOther(_ statement: [RubyToken]) -> Bool {
    let openers = ["if", "unless", "case", "while", "until", "for", "begin", "def", "module", "class"]
    if let first = statement.first?.word, openers.contains(first) { return true }
    return statement.contains(.word("do"))
  }

  /// `s.attribute = value`, `s.ios.attribute = value`, `s.dependency 'Name'`.
  private static func read(_ statement: [RubyToken], _ blocks: [Block], _ specs: inout [Podspec]) {
    guard statement.count > 3, let variable = statement[0].word, statement[1].isPunctuation(".") else { return }
    let variables = blocks.compactMap { block -> String? in
      if case .spec(let variable, _) = block { return variable }
      return nil
    }
    guard let number = variables.lastIndex(of: variable), number < specs.count else { return }
    var rest = statement[2...]
    guard var attribute = rest.popFirst()?.word else { return }
    if otherPlatforms.contains(attribute) { return }
    if attribute == "ios", rest.popFirst() == .punctuation("."), let next = rest.popFirst()?.word { attribute = next }
    if attribute == "subspec" { specs[number].computed.insert(attribute) }
    guard attributes.contains(attribute) else { return }
    if rest.first == .punctuation("=") || rest.first == .punctuation("+=") { rest.removeFirst() }
    if rest.first == .punctuation("("), rest.last == .punctuation(")") { rest = rest.dropFirst().dropLast() }
    if attribute == "dependency" {
      // Versions may be computed, the name must not be.
      rest = rest.prefix(1)
    }
    specs[number].set(attribute, blocks.contains(.other) ? nil : RubyValue(rest))
  }
}
