/// Completions for bash 4.2 and newer; they need nothing of the package bash-completion.
func bashCompletions() -> String {
  let names = CommandName.allCases.map(\.rawValue).joined(separator: " ")
  let values = Option.allCases.filter { $0.value != nil }.map { "    \($0.rawValue)) \(bashOffer($0.offer)) ;;\n" }
  let verbs = CommandName.allCases.map { command in
    if command == .audit { return bashAudit() }
    let options = command.options.map(\.rawValue).joined(separator: " ")
    let choices = command.operandChoices.joined(separator: " ")
    return "    \(command.rawValue)) options='\(options)' arguments='\(choices)'\(bashFollowing(command)) ;;\n"
  }
  return """
    # Completions of thumbturn for bash, made by: thumbturn completions bash

    _thumbturn_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word"); }

    _thumbturn() {
      local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} options arguments index
      COMPREPLY=()
      if ((COMP_CWORD == 1)); then
        _thumbturn_words '\(names) --help --version'
        return
      fi
      # Behind -- there are only names, which the shell cannot know.
      for ((index = 2; index < COMP_CWORD; index++)); do
        [[ ${COMP_WORDS[index]} == -- ]] && return
      done
      # bash parts --option=value into three words, and a URL at its colons.
      if [[ $word == '=' ]]; then
        word=
      elif [[ $previous == '=' ]]; then
        previous=${COMP_WORDS[COMP_CWORD-2]}
      fi
      case $previous in
    \(values.joined().dropLast())
      esac
      case ${COMP_WORDS[1]} in
    \(verbs.joined().dropLast())
        *) return ;;
      esac
      if [[ $word == -* ]]; then
        _thumbturn_words "$options"
      else
        _thumbturn_words "$arguments"
      fi
    }

    complete -F _thumbturn thumbturn

    """
}

/// The auditor's options, or folders.
private func bashAudit() -> String {
  "    audit) options='\(AuditOptions.names.joined(separator: " "))' arguments=\n"
    + "      [[ $word == -* ]] || { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); return; } ;;\n"
}

/// What follows an action, which is the third word.
private func bashFollowing(_ command: CommandName) -> String {
  let following = command.following
  guard !following.isEmpty else { return "" }
  let cases = following.map { "\($0.action)) arguments='\($0.words.joined(separator: " "))' ;;" }
  return "; ((COMP_CWORD > 2)) && case ${COMP_WORDS[2]} in \(cases.joined(separator: " ")) *) arguments= ;; esac"
}

private func bashOffer(_ offer: Option.Offer) -> String {
  switch offer {
  case .nothing: "return"
  case .files: "compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); return"
  case .choices(let words): "_thumbturn_words '\(words.joined(separator: " "))'; return"
  case .beginnings(let words):
    // The part in front of the colon is what bash takes for the word.
    "compopt -o nospace 2>/dev/null; _thumbturn_words '\(words.joined(separator: " "))'; return"
  }
}
