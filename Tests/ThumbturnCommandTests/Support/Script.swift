import Foundation

/// A text script: shell lines, and what each has to give.
///
///     # a comment
///     @unprivileged       the whole script runs as a user without rights
///     @agent              the agent is installed beside the program, in libexec; what still runs at the end is ended
///     @needs command      without success of this line of shell the machine cannot run the script
///     $ command           a line of shell; `thumbturn` is the program under test
///     < text              a line of its standard input
///     > text              a line of its standard output
///     >| text             the end of its standard output, without a newline
///     ! text              a line of its standard error
///     = 1                 its exit code, if it is not 0
///
/// In expected text `{home}` is THUMBTURN_HOME, `{date}` a date and `{any}` anything but a newline.
struct Script {
  struct Step {
    let line: Int
    let command: String
    var input = ""
    var output = ""
    var errors = ""
    var exitCode: Int32 = 0
  }

  var isUnprivileged = false
  var hasAgent = false
  /// Lines of shell that tell whether the machine can run it.
  var needs: [String] = []
  var steps: [Step] = []

  struct Malformed: Error {
    let line: Int
  }

  init(_ text: String) throws {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = String(line)
      if line == "@unprivileged" {
        isUnprivileged = true
      } else if line == "@agent" {
        hasAgent = true
      } else if let need = Self.rest(of: line, behind: "@needs") {
        needs.append(need)
      } else if line.isEmpty || line.hasPrefix("#") {
        continue
      } else if let command = Self.rest(of: line, behind: "$") {
        steps.append(Step(line: index + 1, command: command))
      } else {
        guard !steps.isEmpty else { throw Malformed(line: index + 1) }
        let last = steps.count - 1
        if let text = Self.rest(of: line, behind: "<") {
          steps[last].input += text + "\n"
        } else if let text = Self.rest(of: line, behind: ">|") {
          steps[last].output += text
        } else if let text = Self.rest(of: line, behind: ">") {
          steps[last].output += text + "\n"
        } else if let text = Self.rest(of: line, behind: "!") {
          steps[last].errors += text + "\n"
        } else if let text = Self.rest(of: line, behind: "="), let code = Int32(text) {
          steps[last].exitCode = code
        } else {
          throw Malformed(line: index + 1)
        }
      }
    }
  }

  private static func rest(of line: String, behind mark: String) -> String? {
    if line == mark { return "" }
    return line.hasPrefix(mark + " ") ? String(line.dropFirst(mark.count + 1)) : nil
  }

  /// Whether `text` is what `expected` describes.
  static func matches(_ text: String, _ expected: String, home: String) -> Bool {
    var pattern = NSRegularExpression.escapedPattern(for: expected)
    for (name, value) in [
      ("home", NSRegularExpression.escapedPattern(for: home)), ("any", "[^\\n]*"),
      ("date", "20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"),
    ] {
      pattern = pattern.replacing("\\{\(name)\\}", with: value)
    }
    return text.range(of: "\\A\(pattern)\\z", options: .regularExpression) != nil
  }
}
