import SwiftSyntax

/// What a rule says about itself; `explain` prints it.
struct RuleDescription: Sendable {
  /// As findings, suppressions and `explain` name it: small letters, digits, dots and hyphens.
  var id: String
  var kind: Kind
  /// One line: what is wrong when it finds something.
  var title: String
  /// Why it matters, and what is not judged.
  var why: String
  /// What to do.
  var fix: String
  /// The App Store errors that it foresees.
  var appStoreErrors: [String] = []
}

/// Which files a rule wants to see. A file without any of the words is not even parsed for it.
struct Words: Sendable {
  /// Identifiers, exactly as written. Comments and strings count as well: this only decides what is parsed.
  var exact: Set<String> = []
  /// Parts of identifiers, in small letters: "token" lets `accessToken` and `TOKEN` in.
  var parts: [String] = []
  /// Each of these must be met as well.
  var also: [Words] = []

  static let none = Self()
  var isEmpty: Bool { exact.isEmpty && parts.isEmpty }
}

/// What of a file may be emptied before a rule sees it (`Thinning`): the less it needs, the less there is to parse.
enum Reach: Comparable, Sendable {
  /// Bodies of functions, initialisers and computed properties in which none of the rule's words stands.
  case function
  /// The same, but for those that name a function whose body stays.
  case callers
  /// Nothing.
  case file
}

/// One rule. Without state: `observe` sees one file at a time, on any thread, and `findings` is a pure function of a
/// target, the project and what was observed in the target's files.
protocol Rule: Sendable {
  var about: RuleDescription { get }

  /// Raised whenever `observe` changes what it notes, so that a kept observation of before is not used.
  var version: Int { get }

  var words: Words { get }

  /// How much of a file `observe` must see to note what it notes.
  var reach: Reach { get }

  /// The kinds of Swift nodes that `observe` is called with, in active code of a device's Release build only.
  var nodeKinds: [SyntaxKind] { get }

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook)

  /// The same for a file of Objective-C, C or C++; called once for the file.
  func observe(_ source: CSource, into notebook: inout Notebook)

  func findings(in target: AuditedTarget) -> [Finding]
}

extension Rule {
  var version: Int { 1 }
  var words: Words { .none }
  var reach: Reach { .file }
  var nodeKinds: [SyntaxKind] { [] }
  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {}
  func observe(_ source: CSource, into notebook: inout Notebook) {}

  /// A finding of this rule.
  func finding(
    _ severity: Severity, at place: Place, in target: AuditedTarget, _ message: String, fix: String? = nil,
    error: String? = nil
  ) -> Finding {
    Finding(
      rule: about.id, kind: about.kind, severity: severity, path: place.path, line: place.line,
      target: target.target.name, message: message, fix: fix ?? about.fix, appStoreError: error)
  }

  func finding(
    _ severity: Severity, at seen: PlacedObservation, in target: AuditedTarget, _ message: String, fix: String? = nil,
    error: String? = nil
  ) -> Finding {
    finding(
      severity, at: Place(path: seen.path, line: seen.line), in: target, message, fix: fix, error: error)
  }
}

/// A target as rules see it.
struct AuditedTarget: Sendable {
  var target: Target
  var project: Project
  /// What each rule observed in the files of this target, by rule.
  var observations: [String: [PlacedObservation]]
  /// The same, with that of the packages and static libraries that are linked into this target: their code is its code.
  var linked: [String: [PlacedObservation]] = [:]

  /// The same, but without libraries that bring a privacy manifest of their own: what this target's manifest answers for.
  var carried: [String: [PlacedObservation]] = [:]

  /// What a rule observed in the code that this target's manifest answers for. Nothing for a library without a manifest
  /// that a bundle links: there it is judged.
  func carried(by rule: some Rule) -> [PlacedObservation] {
    if target.isLinkedStatically, target.manifests.isEmpty,
      project.targets.contains(where: { ($0.isBundle || $0.kind == .framework) && project.links($0, target.name) })
    {
      return []
    }
    return carried[rule.about.id] ?? observations[rule.about.id] ?? []
  }

  /// What a rule observed in the code that ends up in this target's program.
  func linked(by rule: some Rule) -> [PlacedObservation] { linked[rule.about.id] ?? observations[rule.about.id] ?? [] }

  /// What a rule observed in the files of this target.
  func seen(by rule: some Rule) -> [PlacedObservation] { observations[rule.about.id] ?? [] }
}
