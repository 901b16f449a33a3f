/// How a command is called: `thumbturn set [--fd N] [--file F] SERVICE ACCOUNT`.
func usageLine(_ command: CommandName) -> String {
  var words = ["thumbturn", command.rawValue]
  for option in command.options where option != .help { words.append("[\(signature(option))]") }
  words += command.operands
  if let operand = command.optionalOperand { words.append("[\(operand)]") }
  return words.joined(separator: " ")
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
  var text = "usage: \(usageLine(command))\n\n" + wrapped(sentence(command.summary), indent: 0)
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
  let columnMax = 80
  let margin = String(repeating: " ", count: indent)
  var lines: [String] = []
  var line = ""
  for word in paragraph.split(separator: " ") {
    if !line.isEmpty, indent + line.utf8.count + 1 + word.utf8.count > columnMax {
      lines.append(line)
      line = ""
    }
    line += (line.isEmpty ? "" : " ") + word
  }
  lines.append(line)
  return lines.map { margin + $0 + "\n" }.joined()
}
