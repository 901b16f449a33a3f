internal import ThumbturnKeychain
internal import ThumbturnVault

/// The command line `thumbturn`.
public enum Command {
  /// The version of the program.
  public static let version = "0.1.0"

  /// Runs one command.
  ///
  /// It opens no standard descriptor, changes no signal and ends no process: that is the main's work
  /// (``ProcessPreparation``).
  ///
  /// - Parameters:
  ///   - arguments: The command line without the program's name.
  ///   - context: Where input, output and vault are.
  /// - Returns: The exit code.
  public static func run(_ arguments: [[UInt8]], in context: CommandContext) -> Int32 {
    do {
      let invocation = try parseArguments(arguments)
      return try run(invocation, in: context)
    } catch {
      // Nowhere is left to tell it when this fails.
      _ = try? writeAll(Array(error.text.utf8).span, to: context.errors)
      return error.exitCode.rawValue
    }
  }

  private static func run(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) -> Int32 {
    if invocation.options.contains(.help) {
      try context.print(ThumbturnCommand.help(invocation.command))
      return ExitCode.done.rawValue
    }
    switch invocation.command {
    case .set: try set(invocation, in: context)
    case .get: try get(invocation, in: context)
    case .list: try list(invocation, in: context)
    case .remove: try remove(invocation, in: context)
    case .show: try show(invocation, in: context)
    case .status: try status(invocation, in: context)
    case .doctor: return try doctor(invocation, in: context).rawValue
    case .check: try check(invocation, in: context)
    case .passcode: try passcode(invocation, in: context)
    case .unlock: try unlock(invocation, in: context)
    case .lock: try lock(invocation, in: context)
    case .vault: try vault(invocation, in: context)
    case .finger: try finger(invocation, in: context)
    case .audit: return try audit(invocation, in: context)
    case .tour: return try tour(in: context)
    case .completions: try completions(invocation, in: context)
    case .version: try context.print("thumbturn \(version)\n")
    case .help: try help(invocation, in: context)
    }
    return ExitCode.done.rawValue
  }

  private static func help(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    guard let operand = invocation.operands.first else { return try context.print(generalHelp()) }
    guard let name = String(validating: operand, as: UTF8.self), let command = CommandName(rawValue: name) else {
      throw .unknownCommand()
    }
    try context.print(ThumbturnCommand.help(command))
  }
}
