/// A shell that completions are made for.
enum Shell: String, CaseIterable {
  case bash, zsh, fish

  /// Its completions, from the table of commands.
  var completions: String {
    switch self {
    case .bash: bashCompletions()
    case .zsh: zshCompletions()
    case .fish: fishCompletions()
    }
  }
}

extension Command {
  /// `completions`: a script for a shell.
  static func completions(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    guard let operand = invocation.operands.first, let name = String(validating: operand, as: UTF8.self),
      let shell = Shell(rawValue: name)
    else {
      let names = Shell.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure(.usage, "there are no completions for that shell", hint: "the shells are \(names)")
    }
    try context.print(shell.completions)
  }
}

/// A text in single quotes, for bash and zsh.
func quoted(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
