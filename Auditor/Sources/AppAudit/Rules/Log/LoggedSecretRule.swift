import SwiftSyntax

/// A secret in the log.
struct LoggedSecretRule: Rule {
  let about = RuleDescription(
    id: "log.secret",
    kind: .log,
    title: "A secret is written to the log",
    why: """
      What print, NSLog and os_log write is read with a cable, and goes into the diagnostics that people send. Logger hides \
      dynamic text by default, but not when it is made public or a debugger or profile is there: say .private or \
      .sensitive. The word in the message alone is silent, and so are counts and comparisons.
      """,
    fix: "Do not log it; where the line must stay, write privacy: .private or .sensitive.")

  let words = Words(parts: ["log", "print", "dump"], also: [SecretNames.naming])
  let reach = Reach.function
  let nodeKinds: [SyntaxKind] = [.functionCallExpr]

  private static let functions: Set<String> = ["print", "debugPrint", "dump", "NSLog", "os_log", "NSLogv", "printf"]
  private static let levels: Set<String> = [
    "log", "debug", "info", "notice", "warning", "error", "fault", "critical", "trace", "verbose", "warn",
  ]
  private static let hidden: Set<String> = ["private", "sensitive"]

  func observe(_ node: Syntax, in source: SwiftSource, into notebook: inout Notebook) {
    guard let call = node.as(FunctionCallExprSyntax.self), let name = call.calledName, isLog(call, name, source) else {
      return
    }
    for argument in call.arguments {
      if name == "print" || name == "dump" || name == "debugPrint", argument.label != nil { continue }
      if let secret = secret(argument.expression, call, source) {
        notebook.note(secret, line: source.line(of: argument), ["log": name])
        return
      }
    }
  }

  private func isLog(_ call: FunctionCallExprSyntax, _ name: String, _ source: SwiftSource) -> Bool {
    guard let base = call.calledBase else {
      return Self.functions.contains(name) && !source.declaredFunctions.contains(name)
    }
    if base == "Swift" { return Self.functions.contains(name) }
    guard Self.levels.contains(name), let last = base.split(separator: ".").last else { return false }
    let word = last.prefix { $0 != "(" && $0 != "?" }.lowercased()
    return word == "log" || word == "logger" || word == "os_log" || word.hasSuffix("logger") || word.hasSuffix("log")
      || base.hasPrefix("Logger")
  }

  private func secret(_ expression: ExprSyntax, _ call: FunctionCallExprSyntax, _ source: SwiftSource) -> String? {
    let reading = SecretReading(source)
    guard let literal = expression.bare.as(StringLiteralExprSyntax.self) else {
      // `os_log("%{private}@", token)` hides its arguments.
      if call.arguments.contains(where: { Self.formatHides($0.expression) }) { return nil }
      // A value, or text put together with +.
      return reading.secret(in: expression)?.name
    }
    for segment in literal.segments {
      guard let part = segment.as(ExpressionSegmentSyntax.self), let first = part.expressions.first else { continue }
      let privacy = part.expressions.first { $0.label?.text == "privacy" }?.expression.trimmedDescription ?? ""
      if Self.hidden.contains(where: { privacy.contains("." + $0) }) { continue }
      if let found = reading.secret(in: first.expression) { return found.name }
    }
    return nil
  }

  private static func formatHides(_ expression: ExprSyntax) -> Bool {
    guard let text = expression.literal else { return false }
    return text.contains("%{private") || text.contains("%{sensitive")
  }

  func observe(_ source: CSource, into notebook: inout Notebook) {
    let functions: Set<String> = [
      "NSLog", "printf", "os_log", "os_log_info", "os_log_debug", "os_log_error", "DDLogInfo", "DDLogDebug",
      "DDLogVerbose", "DDLogError", "DDLogWarn", "fprintf",
    ]
    for call in source.calls where functions.contains(call.name) {
      if call.arguments.contains(where: {
        $0.contains { $0.kind == .string && ($0.text.contains("%{private") || $0.text.contains("%{sensitive")) }
      }) {
        continue
      }
      guard let secret = call.arguments.dropFirst().lazy.compactMap({ CSecretReading.secret(in: $0) }).first else {
        continue
      }
      notebook.note(secret, line: call.line, ["log": call.name])
    }
  }

  func findings(in target: AuditedTarget) -> [Finding] {
    target.seen(by: self).map {
      finding(
        .warning, at: $0, in: target, "\($0.name) is written to the log by \($0.detail("log") ?? "a log function")")
    }
  }
}
