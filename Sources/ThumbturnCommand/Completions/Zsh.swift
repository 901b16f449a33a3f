/// Completions for zsh, for its folder of functions or to be sourced.
func zshCompletions() -> String {
  let commands = CommandName.allCases.map { "    \(quoted("\($0.rawValue):\($0.summary)"))\n" }
  let verbs = CommandName.allCases.map { command in
    let specifications =
      command == .audit
      ? AuditOptions.names + ["*:PATH:_files -/"] : command.options.map(zshSpecification) + zshArguments(command)
    return "  \(command.rawValue))\n    _arguments -S : \\\n"
      + specifications.map { "      \(quoted($0))" }.joined(separator: " \\\n") + "\n    ;;\n"
  }
  return """
    #compdef thumbturn
    # Completions of thumbturn for zsh, made by: thumbturn completions zsh

    _thumbturn() {
      local -a commands
      commands=(
    \(commands.joined().dropLast())
      )
      if ((CURRENT == 2)); then
        _describe -t commands 'command of thumbturn' commands
        return
      fi
      local verb=$words[2]
      shift words
      ((CURRENT--))
      case $verb in
    \(verbs.joined().dropLast())
      esac
    }

    if [[ $funcstack[1] == _thumbturn ]]; then
      _thumbturn "$@"
    else
      compdef _thumbturn thumbturn
    fi

    """
}

private func zshSpecification(_ option: Option) -> String {
  let summary = zshEscaped(option.summary)
  guard let value = option.value else { return "\(option.rawValue)[\(summary)]" }
  let action =
    switch option.offer {
    case .nothing: " "
    case .files: "_files"
    case .choices(let words): "(\(words.joined(separator: " ")))"
    case .beginnings(let words): "compadd -S \"\" -- \(words.joined(separator: " ").replacingColons)"
    }
  return "\(option.rawValue)=[\(summary)]:\(value):\(action)"
}

private func zshArguments(_ command: CommandName) -> [String] {
  let choices = command.operandChoices
  let action = choices.isEmpty ? " " : "(\(choices.joined(separator: " ")))"
  let names = command.operands + (command.optionalOperand.map { [$0] } ?? [])
  return names.enumerated().map { index, name in
    let isOptional = index >= command.operands.count
    let isFollowing = isOptional && !command.following.isEmpty
    return "\(index + 1)\(isOptional ? "::" : ":")\(name):\(isFollowing ? zshFollowing(command) : action)"
  }
}

/// What follows an action, which is the second word behind the program.
private func zshFollowing(_ command: CommandName) -> String {
  let cases = command.following.map { "(\($0.action)) compadd -- \($0.words.joined(separator: " ")) ;;" }
  return "{ case $words[2] in \(cases.joined(separator: " ")) esac }"
}

/// A summary without what ends it in a specification.
private func zshEscaped(_ text: String) -> String {
  var out = ""
  for character in text {
    if "[]:\\".contains(character) { out.append("\\") }
    out.append(character)
  }
  return out
}

extension String {
  /// Colons that `_arguments` takes as they are.
  fileprivate var replacingColons: String { split(separator: ":").joined(separator: "\\:") }
}
