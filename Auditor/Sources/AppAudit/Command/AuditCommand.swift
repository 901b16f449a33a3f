import Foundation
import Synchronization

/// The command line of `thumbturn-audit`.
public enum AuditCommand {
  static let version = "0.1.0"

  private enum Exit {
    static let nothing: Int32 = 0
    static let findings: Int32 = 1
    static let usage: Int32 = 2
    static let inside: Int32 = 3
  }

  /// Runs with the arguments after the program's name, and returns the exit code: 0 nothing found, 1 findings, 2 usage,
  /// 3 internal.
  public static func run(_ arguments: [String]) -> Int32 {
    if let problem = Facts.problem() {
      complain("error: \(problem)")
      complain("hint: install it again")
      return Exit.inside
    }
    do throws(UsageError) {
      let options = try Options(arguments)
      if options.help {
        write(help)
        return Exit.nothing
      }
      if options.version {
        write("thumbturn-audit \(version)\n")
        return Exit.nothing
      }
      if options.listsRules {
        write(Explain.list())
        return Exit.nothing
      }
      if let name = options.explain {
        write(try Explain.text(name))
        return Exit.nothing
      }
      return try audit(options)
    } catch {
      complain("error: \(error.message)")
      if let hint = error.hint { complain("hint: \(hint)") }
      return Exit.usage
    }
  }

  static var help: String {
    let width = 26
    let options = Options.all.map { option in
      let name = option.name + (option.value.map { " " + $0 } ?? "")
      return "  " + name + String(repeating: " ", count: max(2, width - name.count)) + option.about
    }
    return """
      Usage: thumbturn-audit [OPTION...] PATH
             thumbturn-audit explain RULE|ITMS-NUMBER
             thumbturn-audit rules

      Looks at the iOS project in PATH and says what the App Store or a reviewer would object to.

      \(options.joined(separator: "\n"))

      Exit codes: 0 nothing found, 1 findings, 2 wrong usage, 3 a fault of the program.

      """
  }

  private static func audit(_ options: Options) throws(UsageError) -> Int32 {
    guard options.paths.count == 1, let path = options.paths.first else {
      throw UsageError(
        options.paths.isEmpty ? "which folder shall be audited?" : "one folder at a time",
        hint: "thumbturn-audit --help")
    }
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard let type = (try? FileManager.default.attributesOfItem(atPath: resolved))?[.type] as? FileAttributeType,
      type == .typeDirectory
    else {
      throw UsageError("\(path) is no folder")
    }
    if options.writesBaseline, options.baseline == nil { throw UsageError("--write-baseline needs --baseline FILE") }
    let configuration = try configuration(options, path)
    let disabled = options.disabled.union((configuration.disabledRules ?? []).map(\.rule))
    let cache = options.cache.flatMap { ObservationCache(folder: $0, rules: RuleCatalog.all) }
    if options.cache != nil, cache == nil { complain("warning: the cache cannot be used") }
    let progress = ProgressLine()
    // All look, those too that are left out: some judge by what others saw, and what is kept hangs on who looked.
    var audit = Audit(rules: RuleCatalog.all, cache: cache)
    audit.progress = { progress.show($0, $1) }
    let project = ProjectReader.read(path)
    var result = audit.run(project)
    progress.clear()
    result.findings.removeAll { finding in
      disabled.contains(finding.rule) || (configuration.excluded ?? []).contains { finding.path.hasPrefix($0) }
        || (!options.showsNotes && finding.severity == .note)
    }
    for index in result.findings.indices {
      if let severity = configuration.severities?[result.findings[index].rule] {
        result.findings[index].severity = severity
      }
    }
    let outcome = Suppression.apply(to: result.findings, root: project.root)
    result.findings = outcome.findings
    result.notes += outcome.notes
    return try finish(result, outcome.suppressedCount, options, configuration, root: project.root)
  }

  private static func configuration(_ options: Options, _ path: String) throws(UsageError) -> Configuration {
    if let file = options.configuration { return try Configuration.read(file) }
    let file = path + "/" + Configuration.fileName
    return FileManager.default.fileExists(atPath: file) ? try Configuration.read(file) : Configuration()
  }

  private static func finish(
    _ audited: AuditResult, _ suppressedCount: Int, _ options: Options, _ configuration: Configuration, root: String
  ) throws(UsageError) -> Int32 {
    var result = audited
    if let file = options.baseline {
      if options.writesBaseline {
        try Baseline(result.findings).write(to: file)
        complain("\(result.findings.count) findings are written to \(file)")
        return Exit.nothing
      }
      result.findings = try Baseline.read(file).new(among: result.findings)
    }
    let report = Report(result: result, root: root, suppressedCount: suppressedCount)
    let text =
      switch options.format {
      case .terminal: report.terminal(isColoured: isColoured(options))
      case .json: report.json
      case .sarif: report.sarif
      case .junit: report.junit
      case .github: report.github
      }
    if let file = options.output {
      do {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
      } catch { throw UsageError("\(file) cannot be written") }
    } else {
      write(text)
    }
    let threshold = options.threshold ?? configuration.threshold ?? .warning
    return result.findings.contains { $0.severity >= threshold } ? Exit.findings : Exit.nothing
  }

  private static func isColoured(_ options: Options) -> Bool {
    switch options.colour {
    case .always: true
    case .never: false
    case .auto:
      isatty(1) == 1 && options.output == nil && ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty != false
    }
  }

  private static func write(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }

  private static func complain(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("thumbturn-audit: \(text)\n".utf8))
  }
}

/// How far a long run is, on standard error when that is a terminal.
final class ProgressLine: Sendable {
  private let shown = Mutex(false)
  private let began = ContinuousClock.now
  private let isTerminal: Bool
  private let silence: Duration
  private let write: @Sendable (String) -> Void

  /// - Parameter silence: Runs that are shorter show nothing.
  init(
    isTerminal: Bool = isatty(2) == 1, after silence: Duration = .seconds(1),
    write: @escaping @Sendable (String) -> Void = {
      try? FileHandle.standardError.write(contentsOf: Data($0.utf8))
    }
  ) {
    self.isTerminal = isTerminal
    self.silence = silence
    self.write = write
  }

  func show(_ done: Int, _ count: Int) {
    guard isTerminal, done.isMultiple(of: 32), ContinuousClock.now - began > silence else { return }
    shown.withLock { $0 = true }
    write("\r\(done) of \(count) files")
  }

  func clear() {
    if shown.withLock({ $0 }) { write("\r\u{1B}[K") }
  }
}
