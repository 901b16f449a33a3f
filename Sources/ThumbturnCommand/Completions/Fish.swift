/// Completions for fish 3.
func fishCompletions() -> String {
  var text = """
    # Completions of thumbturn for fish, made by: thumbturn completions fish

    function __thumbturn_verb
      set -l words (commandline -opc)
      test (count $words) -gt 1; and test "$words[2]" = $argv[1]
    end

    function __thumbturn_action
      set -l words (commandline -opc)
      test (count $words) -eq 3; and test "$words[2]" = $argv[1]; and test "$words[3]" = $argv[2]
    end

    function __thumbturn_no_action
      set -l words (commandline -opc)
      test (count $words) -eq 2; and test "$words[2]" = $argv[1]
    end

    function __thumbturn_no_verb
      test (count (commandline -opc)) -eq 1
    end

    complete -c thumbturn -f
    complete -c thumbturn -n __thumbturn_no_verb -l help -d 'show the commands'
    complete -c thumbturn -n __thumbturn_no_verb -l version -d 'print the version'

    """
  for command in CommandName.allCases {
    text += "complete -c thumbturn -n __thumbturn_no_verb -a \(command.rawValue) -d \(fishQuoted(command.summary))\n"
  }
  for command in CommandName.allCases {
    let condition = "-n '__thumbturn_verb \(command.rawValue)'"
    text += "\n"
    if command == .audit {
      for name in AuditOptions.names { text += "complete -c thumbturn \(condition) -l \(name.dropFirst(2))\n" }
      text += "complete -c thumbturn \(condition) -a '(__fish_complete_directories)'\n"
      continue
    }
    for option in command.options {
      let line = "complete -c thumbturn \(condition) -l \(option.rawValue.dropFirst(2))"
      text += "\(line)\(fishOffer(option)) -d \(fishQuoted(option.summary))\n"
    }
    for (action, words) in command.following {
      text += "complete -c thumbturn -n '__thumbturn_action \(command.rawValue) \(action)' "
      text += "-a \(fishQuoted(words.joined(separator: " ")))\n"
    }
    if !command.operandChoices.isEmpty {
      let condition = command.following.isEmpty ? condition : "-n '__thumbturn_no_action \(command.rawValue)'"
      text += "complete -c thumbturn \(condition) -a \(fishQuoted(command.operandChoices.joined(separator: " ")))\n"
    }
  }
  return text
}

private func fishOffer(_ option: Option) -> String {
  guard option.value != nil else { return "" }
  return switch option.offer {
  case .nothing: " -x"
  case .files: " -r -F"
  case .choices(let words), .beginnings(let words): " -x -a \(fishQuoted(words.joined(separator: " ")))"
  }
}

private func fishQuoted(_ text: String) -> String {
  var out = ""
  for character in text {
    if "\\'".contains(character) { out.append("\\") }
    out.append(character)
  }
  return "'\(out)'"
}
