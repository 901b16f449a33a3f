internal import ThumbturnAuthentication
internal import ThumbturnCrypto

/// One conversation with a pinentry: it shows one prompt, and gives one answer.
struct PinentryDialog: ~Copyable {
  /// How long each part may take that no person takes part in.
  struct Limits {
    /// From its start to its greeting: one for GNOME asks the session bus first.
    var greeting = Duration.seconds(10)
    var command = Duration.seconds(3)
  }

  /// How it ended.
  enum End {
    case answered(PromptAnswer)
    /// It could not be shown, or the program failed: it may be shown in another way.
    case notShown(AuthenticationFailure.Reason)
  }

  /// Numbers of libgpg-error, without what names their source.
  private enum ErrorCode {
    static let timeout: UInt32 = 62
    static let cancelled: UInt32 = 99
    static let notConfirmed: UInt32 = 114
    static let fullyCancelled: UInt32 = 198
    /// It wanted a terminal and has none: no display that it could use.
    static let noTerminal: UInt32 = 0x8066
  }

  /// What came of one command.
  private enum Outcome {
    case ok
    case error(UInt32)
    case end(End)
  }

  let prompt: Prompt
  let words: PromptWords
  let place: PromptPlace
  let deadline: BusDeadline
  let stop: StopSignal
  let limits: Limits

  /// Shows the prompt. The program has ended when this returns.
  consuming func show(with program: PinentryProgram, variables: [String]) -> End {
    do {
      guard var process = PinentryProcess(program.path, variables: variables) else { return .notShown(.prompterFailed) }
      var lines = try AssuanLines()
      var typed = try TypedSecret()
      if let end = prepare(process, &lines, &typed) { return end }
      let answer = run(question, process, &lines, &typed, limit: nil)
      if case .end(.answered(.stopped)) = answer { return .answered(.stopped) }
      process.dismiss()
      switch answer {
      case .end(let end): return end
      case .error(let code): return Self.end(code: code)
      case .ok:
        switch prompt.kind {
        case .finger: return .answered(words.fallbackTitle == nil ? .cancelled : .fallback)
        case .passcode, .applicationPassword:
          return .answered(typed.finished().map { .secret($0) } ?? .failed(.prompterFailed))
        }
      }
    } catch {
      return .answered(.failed(.prompterFailed))
    }
  }

  private static func end(code: UInt32) -> End {
    switch code {
    case ErrorCode.cancelled, ErrorCode.notConfirmed, ErrorCode.fullyCancelled: .answered(.cancelled)
    case ErrorCode.timeout: .answered(.timedOut)
    case ErrorCode.noTerminal: .notShown(.noPrompter)
    default: .notShown(.prompterFailed)
    }
  }

  /// The command that shows the prompt.
  private var question: [UInt8] {
    guard case .finger = prompt.kind else { return assuanLine("GETPIN") }
    return assuanLine(words.fallbackTitle == nil ? "CONFIRM --one-button" : "CONFIRM")
  }

  /// Everything before that; nil when the program has taken it.
  private func prepare(
    _ process: borrowing PinentryProcess, _ lines: inout AssuanLines, _ typed: inout TypedSecret
  ) -> End? {
    // The greeting is an answer to nothing.
    switch run([], process, &lines, &typed, limit: limits.greeting) {
    case .ok: break
    case .error: return .notShown(.prompterFailed)
    case .end(let end): return end
    }
    for command in commands {
      switch run(command.line, process, &lines, &typed, limit: limits.command) {
      case .ok: continue
      case .error where !command.mustSucceed: continue
      case .error: return .notShown(.prompterFailed)
      case .end(let end): return end
      }
    }
    return nil
  }

  private var commands: [(line: [UInt8], mustSucceed: Bool)] {
    var commands: [(line: [UInt8], mustSucceed: Bool)] = []
    // Options, and what older programs do not know.
    let may = { (command: String, text: String) in commands.append((assuanLine(command, text), false)) }
    let must = { (command: String, text: String) in commands.append((assuanLine(command, text), true)) }
    may("OPTION", "no-grab")
    if let terminal = place.terminal { may("OPTION", "ttyname=\(terminal)") }
    if let kind = place.terminalType { may("OPTION", "ttytype=\(kind)") }
    if let locale = place.charactersLocale { may("OPTION", "lc-ctype=\(locale)") }
    if let locale = place.messagesLocale { may("OPTION", "lc-messages=\(locale)") }
    may("OPTION", "default-ok=OK")
    may("OPTION", "default-cancel=Cancel")
    // So that it does not stay on the screen when this process dies. Ours ends first.
    may("SETTIMEOUT", "\(deadline.milliseconds / 1_000 + 2)")
    may("SETTITLE", "Thumbturn")
    must("SETPROMPT", words.label)
    if case .finger = prompt.kind {
      must("SETDESC", words.description(withProblem: true))
      if let title = words.fallbackTitle {
        must("SETOK", Self.button(title))
        if let cancel = words.cancelTitle { may("SETCANCEL", Self.button(cancel)) }
      } else {
        must("SETOK", Self.button(words.cancelTitle ?? "Cancel"))
      }
    } else {
      must("SETDESC", words.description(withProblem: false))
      if !words.problem.isEmpty { must("SETERROR", words.problem) }
      if let cancel = words.cancelTitle { may("SETCANCEL", Self.button(cancel)) }
    }
    return commands
  }

  /// A button's text: one underscore would mark a key.
  private static func button(_ title: String) -> String { title.replacing("_", with: "__") }

  /// Sends a command and waits for its end.
  ///
  /// - Parameter limit: The longest wait; nil is until the end of the prompt.
  private func run(
    _ command: [UInt8], _ process: borrowing PinentryProcess, _ lines: inout AssuanLines, _ typed: inout TypedSecret,
    limit: Duration?
  ) -> Outcome {
    if !command.isEmpty && !process.send(command) { return .end(.notShown(.prompterFailed)) }
    let isQuestion = limit == nil
    let until = limit.map { min(BusDeadline(after: $0), deadline) } ?? deadline
    while true {
      switch lines.next(from: process.output, until: until, stop: stop) {
      case .stopped: return .end(.answered(.stopped))
      case .timedOut: return .end(deadline.hasPassed ? .answered(.timedOut) : .notShown(.prompterFailed))
      case .ended, .tooMuch: return .end(.notShown(.prompterFailed))
      case .line: break
      }
      switch AssuanReply(lines.line) {
      case .ok: return .ok
      case .error(let code): return .error(code)
      case .remark: continue
      // Only what follows the question is what was typed.
      case .data where isQuestion && isForSecret && typed.append(data: lines.line): continue
      case .data, .nonsense: return .end(.notShown(.prompterFailed))
      }
    }
  }

  private var isForSecret: Bool {
    if case .finger = prompt.kind { return false }
    return true
  }
}
