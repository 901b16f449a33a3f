/// What the command line asked for.
struct Options: Sendable {
  enum Format: String, CaseIterable, Sendable { case terminal, json, sarif, junit, github }
  enum Colour: String, CaseIterable, Sendable { case auto, always, never }

  var paths: [String] = []
  var format = Format.terminal
  var colour = Colour.auto
  /// The least weight that makes the audit fail.
  var threshold: Severity?
  var configuration: String?
  var baseline: String?
  var writesBaseline = false
  var cache: String?
  var disabled: Set<String> = []
  var showsNotes = true
  var output: String?
  var help = false
  var version = false
  /// What `explain` shall tell of; nil where it was not called.
  var explain: String?
  var listsRules = false

  /// Every option with what it takes and a line about it; the help and the suggestions come from here.
  static let all: [(name: String, value: String?, about: String)] = [
    ("--format", "FORMAT", "terminal (the default), json, sarif, junit or github"),
    ("--output", "FILE", "write to FILE instead of standard output"),
    ("--threshold", "SEVERITY", "fail from note, warning (the default) or error on"),
    ("--config", "FILE", "read FILE instead of .thumbturn-audit.json in PATH"),
    ("--baseline", "FILE", "leave out the findings that FILE lists"),
    ("--write-baseline", nil, "write the findings of today to the file of --baseline"),
    ("--disable", "RULE", "leave a rule out; may be repeated"),
    ("--cache", "FOLDER", "keep what was seen in FOLDER, for the next run"),
    ("--no-notes", nil, "show errors and warnings alone"),
    ("--color", "WHEN", "auto (the default), always or never"),
    ("--help", nil, "show this text"),
    ("--version", nil, "show the version"),
  ]

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    var onlyPaths = false
    while let argument = rest.popFirst() {
      if onlyPaths || argument == "-" || !argument.hasPrefix("-") {
        paths.append(argument)
      } else if argument == "--" {
        onlyPaths = true
      } else {
        try set(argument, &rest)
      }
    }
    if paths.first == "explain" {
      guard paths.count == 2 else {
        throw UsageError("explain takes one rule or App Store error", hint: "thumbturn-audit rules lists the rules")
      }
      explain = paths[1]
    } else if paths == ["rules"] {
      listsRules = true
    }
  }

  private mutating func set(_ argument: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = parts[0] == "-h" ? "--help" : parts[0]
    guard let option = Self.all.first(where: { $0.name == name }) else {
      let near = Spelling.closest(to: name, among: Self.all.map(\.name))
      throw UsageError(
        "there is no option \(name)", hint: near.map { "did you mean \($0)?" } ?? "--help lists the options")
    }
    var value = ""
    if option.value != nil {
      guard let given = parts.count == 2 ? parts[1] : rest.popFirst() else {
        throw UsageError("\(name) takes a value", hint: option.about)
      }
      value = given
    } else if parts.count == 2 {
      throw UsageError("\(name) takes no value")
    }
    try set(name, to: value)
  }

  private mutating func set(_ name: String, to value: String) throws(UsageError) {
    switch name {
    case "--format": format = try Self.choice(name, value)
    case "--color": colour = try Self.choice(name, value)
    case "--threshold": threshold = try Self.choice(name, value)
    case "--output": output = value
    case "--config": configuration = value
    case "--baseline": baseline = value
    case "--write-baseline": writesBaseline = true
    case "--disable": disabled.insert(try Self.rule(value))
    case "--cache": cache = value
    case "--no-notes": showsNotes = false
    case "--help": help = true
    default: version = true
    }
  }

  private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ value: String
  ) throws(UsageError) -> Choice {
    if let choice = Choice(rawValue: value) { return choice }
    let known = Choice.allCases.map(\.rawValue)
    let near = Spelling.closest(to: value, among: known)
    throw UsageError(
      "\(name) cannot be \(value)",
      hint: near.map { "did you mean \($0)?" } ?? "one of \(known.joined(separator: ", "))")
  }

  /// The id of a rule; refused where there is none.
  static func rule(_ id: String) throws(UsageError) -> String {
    let known = RuleCatalog.all.map(\.about.id)
    if known.contains(id) { return id }
    let near = Spelling.closest(to: id, among: known)
    throw UsageError(
      "there is no rule \(id)", hint: near.map { "did you mean \($0)?" } ?? "thumbturn-audit rules lists the rules")
  }
}

/// The command line, a configuration or a baseline is wrong. Exit code 2.
struct UsageError: Error, Sendable {
  var message: String
  var hint: String?

  init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }
}
