internal import ThumbturnAuthentication

/// The texts of a prompt, as they are safe to show anywhere.
///
/// What a program says of itself stands in one line, in quotes that it cannot close, after the line that says who it is.
struct PromptWords {
  /// The longest button, the longest path of a program and the longest problem, in characters.
  static let titleCountMax = 40
  static let programCountMax = 120
  static let problemCountMax = 200
  /// The most that a part other than the program's words has, in bytes with its escapes: a character can have many.
  static let partCountMax = 300
  /// The most that one line of Assuan takes of a text, in bytes with its escapes.
  static let lineCountMax = AssuanLines.lineCountMax - "SETDESC ".utf8.count

  /// What is wanted, and by whom.
  let request: String
  /// What the program says it is for.
  let reason: String
  /// What the person is to do, and with what.
  let instructions: [String]
  let problem: String
  /// Stands before what is typed.
  let label: String
  /// The button for another way; nil where there is none, or where it would be empty.
  let fallbackTitle: String?
  let cancelTitle: String?

  /// - Parameter isUnicode: False where only ASCII can be shown: anything else becomes a question mark.
  init(_ prompt: Prompt, isUnicode: Bool) {
    let clean = { (text: String, countMax: Int) in Self.cleaned(text, countMax: countMax, isUnicode: isUnicode) }
    let path = Self.fitting(Self.shortened(clean(prompt.program, .max)), Self.partCountMax)
    let program = "\"\(path)\" (process \(prompt.process))"
    reason = clean(prompt.reason, Prompt.textCountMax)
    problem = Self.fitting(clean(prompt.problem ?? "", Self.problemCountMax), Self.partCountMax)
    cancelTitle = prompt.cancelTitle.flatMap { Self.title($0, clean) }
    let simulated = prompt.isSimulated ? ["Simulated fingerprint reader"] : []
    switch prompt.kind {
    case .finger(let fallback):
      request = "\(program) wants to know that it is you."
      instructions = simulated + ["Touch the fingerprint reader."]
      label = "Fingerprint:"
      fallbackTitle = fallback.flatMap { Self.title($0, clean) }
    case .passcode:
      request = "\(program) asks for the passcode of your vault."
      instructions = simulated
      label = "Passcode:"
      fallbackTitle = nil
    case .applicationPassword:
      request = "\(program) asks for the password of one of its items."
      instructions = simulated
      label = "Password:"
      fallbackTitle = nil
    }
  }

  /// The whole text, cut so that it is one line of Assuan: the program's words lose their end first.
  ///
  /// - Parameter withProblem: Whether the problem is in it; pinentry shows it elsewhere when something is typed.
  func description(withProblem: Bool) -> String {
    let around = Self.joined(lines(reason: "", withProblem: withProblem))
    // The line of the program's words, without them, and the end of it.
    let room = Self.lineCountMax - assuanEscaped(around).count - assuanEscaped("\nIt says: \"\"").count
    return Self.joined(lines(reason: Self.fitting(reason, room), withProblem: withProblem))
  }

  /// The lines of the text.
  func lines(withProblem: Bool) -> [String] { lines(reason: reason, withProblem: withProblem) }

  private func lines(reason: String, withProblem: Bool) -> [String] {
    [request] + (reason.isEmpty ? [] : ["It says: \"\(reason)\""]) + instructions
      + (withProblem && !problem.isEmpty ? [problem] : [])
  }

  private static func joined(_ lines: [String]) -> String { lines.joined(separator: "\n") }

  /// A text that can be shown: no control, direction or format characters, one space for each white space, no quotes, no
  /// angle brackets, because some programs read them as markup.
  static func cleaned(_ text: String, countMax: Int, isUnicode: Bool) -> String {
    // A character can have any number of marks.
    let scalarsMax = 4 * Prompt.textCountMax
    var clean = String.UnicodeScalarView()
    var isSpacePending = false
    for scalar in text.unicodeScalars {
      if clean.count >= scalarsMax { break }
      if scalar.properties.isWhitespace {
        isSpacePending = !clean.isEmpty
        continue
      }
      guard let shown = shown(scalar, isUnicode: isUnicode) else { continue }
      if isSpacePending { clean.append(" ") }
      isSpacePending = false
      clean.append(shown)
    }
    let all = String(clean)
    return all.count > countMax ? all.prefix(countMax) + "..." : all
  }

  private static func shown(_ scalar: Unicode.Scalar, isUnicode: Bool) -> Unicode.Scalar? {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return nil
    default: break
    }
    let shown: Unicode.Scalar =
      switch scalar {
      case "\"", "\u{201C}", "\u{201D}", "\u{201E}", "\u{201F}", "\u{FF02}", "\u{2033}", "\u{AB}", "\u{BB}": "'"
      case "<": isUnicode ? "\u{2039}" : "("
      case ">": isUnicode ? "\u{203A}" : ")"
      default: scalar
      }
    return isUnicode || shown.isASCII ? shown : "?"
  }

  /// The beginning and the end of a long path.
  private static func shortened(_ path: String) -> String {
    guard path.count > programCountMax else { return path }
    return path.prefix(programCountMax / 2) + "..." + path.suffix(programCountMax / 2 - 3)
  }

  private static func title(_ text: String, _ clean: (String, Int) -> String) -> String? {
    let title = fitting(clean(text, titleCountMax), partCountMax)
    return title.isEmpty ? nil : title
  }

  /// As much of a text as has `room` bytes when it is escaped.
  private static func fitting(_ text: String, _ room: Int) -> String {
    guard assuanEscaped(text).count > room else { return text }
    var count = 3
    var end = text.startIndex
    while end < text.endIndex {
      count += assuanEscaped(String(text[end])).count
      if count > room { break }
      end = text.index(after: end)
    }
    return text[..<end] + "..."
  }
}
