internal import ThumbturnCrypto

/// One thing that `doctor` looks at.
struct DoctorCheck: Hashable {
  enum Verdict: String {
    case ok
    case notOK = "not ok"
    case unknown
  }

  let name: String
  let verdict: Verdict
  /// What was found.
  let text: String
  /// What to do about it; nil when there is nothing to do.
  var remedy: String?

  init(_ name: String, _ verdict: Verdict, _ text: String, remedy: String? = nil) {
    self.name = name
    self.verdict = verdict
    self.text = text
    self.remedy = remedy
  }
}

extension Command {
  /// `doctor`: what a prompt for a finger needs, and whether it is there. Changes nothing and asks nobody.
  ///
  /// - Returns: ``ExitCode/done`` when a prompt would come, else ``ExitCode/notFound``.
  static func doctor(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) -> ExitCode {
    let examination = Examination(in: context)
    if invocation.options.contains(.json) {
      try printJSON(examination, in: context)
    } else {
      try context.print(text(examination))
    }
    return examination.obstacle == nil ? .done : .notFound
  }

  private static func text(_ examination: Examination) -> String {
    let width = examination.checks.map { $0.name.utf8.count }.max() ?? 0
    var text = ""
    for check in examination.checks {
      let name = check.name + String(repeating: " ", count: width - check.name.utf8.count)
      let verdict = check.verdict.rawValue + String(repeating: " ", count: 7 - check.verdict.rawValue.utf8.count)
      text += "\(verdict)  \(name)  \(escaped(check.text))\n"
      if let remedy = check.remedy {
        text += String(repeating: " ", count: width + 11) + escaped(remedy) + "\n"
      }
    }
    guard let obstacle = examination.obstacle else { return text + "\na prompt for a finger would come\n" }
    return text + "\nno prompt for a finger would come: \(escaped(obstacle))\n"
  }

  private static func printJSON(
    _ examination: Examination, in context: CommandContext
  ) throws(CommandFailure) {
    var out = try SecretOutput(context.output)
    try out.put("{\n  \"fingerPrompt\":\(examination.obstacle == nil)")
    if let obstacle = examination.obstacle { try out.putText("obstacle", obstacle, separator: ",\n  ") }
    try out.put(",\n  \"checks\":[")
    for (index, check) in examination.checks.enumerated() {
      try out.put(index == 0 ? "\n    {" : ",\n    {")
      try out.putText("name", check.name, separator: "")
      let verdict = check.verdict == .notOK ? "notOK" : check.verdict.rawValue
      try out.putText("verdict", verdict, separator: ",")
      try out.putText("text", check.text, separator: ",")
      if let remedy = check.remedy { try out.putText("remedy", remedy, separator: ",") }
      try out.put("}")
    }
    try out.put("\n  ]\n}\n")
    try out.flush()
  }
}

extension SecretOutput {
  fileprivate mutating func putText(_ name: String, _ text: String, separator: String) throws(CommandFailure) {
    try put(separator)
    try putMember(name, Array(text.utf8).span)
  }
}
