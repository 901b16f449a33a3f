extension Command {
  /// `audit`: runs the auditor beside this program, never one that PATH finds, with the arguments as they are.
  ///
  /// - Returns: The audit's exit code.
  static func audit(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) -> Int32 {
    let name = "thumbturn-audit"
    guard let folder = context.findProgramFolder() else {
      throw CommandFailure(.failed, "the folder of this program cannot be found", hint: "mount /proc")
    }
    let places = ["\(folder)/\(name)", "\(folder)/../libexec/thumbturn/\(name)"]
    guard let path = places.first(where: System.isExecutable) else {
      throw CommandFailure(
        .failed, "\(name) is not installed: it lies neither beside this program nor in ../libexec/thumbturn",
        hint: "in a checkout: make auditor install")
    }
    let code: Int32?
    do {
      code = try System.runProgram(path, invocation.operands)
    } catch {
      throw CommandFailure(.failed, "\(name) cannot be started")
    }
    guard let code else { throw CommandFailure(.failed, "\(name) was ended by a signal") }
    return code
  }
}

/// What the auditor takes, for completions: it reads its arguments itself.
enum AuditOptions {
  static let names = [
    "--format", "--output", "--threshold", "--config", "--baseline", "--write-baseline", "--disable", "--cache",
    "--no-notes", "--color", "--help", "--version",
  ]
}
