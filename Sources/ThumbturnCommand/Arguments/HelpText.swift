/// How a command is called: `thumbturn set [--fd N] [--file F] {SERVICE ACCOUNT | --url URL}`.
func usageLine(_ command: CommandName) -> String { usageParts(command).joined(separator: " ") }

/// The same in parts that stay on one line.
private func usageParts(_ command: CommandName) -> [String] {
  let takesURL = command.options.contains(.url)
  let other = takesURL ? " | \(signature(.url))" : ""
  var parts = ["thumbturn", command.rawValue]
  for option in command.options where option != .help && option != .url { parts.append("[\(signature(option))]") }
  if takesURL, !command.operands.isEmpty {
    parts.append("{\(command.operands.joined(separator: " "))\(other)}")
  } else {
    parts += command.operands
  }
  if let operand = command.optionalOperand { parts.append("[\(operand)\(other)]") }
  return parts
}

/// The text of `thumbturn help`.
func generalHelp() -> String {
  var text = "usage: thumbturn COMMAND [ARGUMENTS]\n\nKeeps this user's secrets in an encrypted vault.\n\n"
  let rows = CommandName.allCases.map { command in
    let operands = command.operands + (command.optionalOperand.map { ["[\($0)]"] } ?? [])
    return (([command.rawValue] + operands).joined(separator: " "), command.summary)
  }
  text += "commands:\n" + table(rows)
  text += "\nexit codes:\n" + table(ExitCode.allCases.map { (String($0.rawValue), $0.meaning) })
  text += "\nenvironment:\n"
  text += table([("THUMBTURN_HOME", "absolute path of a folder with vault and device key")])
  text += "\nthumbturn help COMMAND explains a command.\n"
  return text
}

/// The text of `thumbturn help COMMAND`.
func help(_ command: CommandName) -> String {
  var text = wrapped(["usage:"] + usageParts(command), indent: 0, next: 7)
  text += "\n" + wrapped(sentence(command.summary), indent: 0)
  for paragraph in command.details { text += "\n" + wrapped(paragraph, indent: 0) }
  text += "\noptions:\n" + table(command.options.map { (signature($0), $0.summary) })
  return text
}

private func signature(_ option: Option) -> String {
  option.value.map { "\(option.rawValue) \($0)" } ?? option.rawValue
}

private func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }

private func table(_ rows: [(String, String)]) -> String {
  let width = rows.map { $0.0.utf8.count }.max() ?? 0
  return rows.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.utf8.count))  \($0.1)\n" }.joined()
}

/// Breaks a paragraph at 80 columns.
func wrapped(_ paragraph: String, indent: Int) -> String {
  wrapped(paragraph.split(separator: " ").map(String.init), indent: indent, next: indent)
}

/// Breaks between words at 80 columns; the lines after the first begin at `next`.
private func wrapped(_ words: [String], indent: Int, next: Int) -> String {
  let columnMax = 80
  var lines: [String] = []
  var line = String(repeating: " ", count: indent)
  var isEmpty = true
  for word in words {
    if !isEmpty, line.utf8.count + 1 + word.utf8.count > columnMax {
      lines.append(line)
      line = String(repeating: " ", count: next)
      isEmpty = true
    }
    line += (isEmpty ? "" : " ") + word
    isEmpty = false
  }
  lines.append(line)
  return lines.map { $0 + "\n" }.joined()
}
