public import ThumbturnAuthentication

/// Prompts by pinentry, or in lines on the client's terminal where pinentry cannot show one.
///
/// A pinentry is one of fixed paths below `/usr/bin` that only root can write; it gets an environment made here, and has
/// ended when a call returns, with its children. At most 1 s after the limit or the stop signal a call has returned. What is
/// typed goes from the kernel into secret memory.
public struct SystemPrompter: Prompter {
  /// What it finds outside; other than the default only in tests.
  struct Surroundings: Sendable {
    var programs = PinentryProgram.paths
    var programsMayBelongToAnyone = false
    /// A variable of this process.
    var variable: @Sendable (String) -> String? = { system_environment($0) }
    var isTerminalName: @Sendable (String) -> Bool = { PromptPlace.isTerminalName($0) }
    var limits = PinentryDialog.Limits()
  }

  private let surroundings: Surroundings

  /// One for this machine.
  public init() { self.init(Surroundings()) }

  init(_ surroundings: Surroundings) { self.surroundings = surroundings }

  /// Why no prompt could be shown there; nil when one could. Shows nothing and starts nothing.
  public func obstacle(at place: PromptPlace) -> AuthenticationFailure.Reason? {
    let place = Self.usable(place)
    let terminal = place.terminal.map { refusal($0) }
    if case .some(.none) = terminal { return nil }
    guard Self.hasDisplay(place) else { return terminal.flatMap { $0 } ?? .noPlace }
    return program(needsDisplay: true) == nil ? .noPrompter : nil
  }

  /// Shows a prompt until it is answered: one answer, at most 1 s after the limit or the stop signal.
  public func ask(
    _ prompt: Prompt, at place: PromptPlace, limit: Duration, stop: StopSignal
  ) -> PromptAnswer {
    let deadline = BusDeadline(after: limit)
    if stop.isSet { return .stopped }
    if deadline.hasPassed { return .timedOut }
    var place = Self.usable(place)
    guard let path = place.terminal else {
      return Self.hasDisplay(place)
        ? askOnDisplay(prompt, place, deadline, stop) : .failed(.noPlace)
    }
    do {
      let terminal = try ClientTerminal(path, isName: surroundings.isTerminalName)
      return system_withoutTerminalStops { ask(prompt, place, terminal, deadline, stop) }
    } catch {
      guard Self.hasDisplay(place) else { return .failed(error.reason) }
      place.terminal = nil
      return askOnDisplay(prompt, place, deadline, stop)
    }
  }

  /// Where there is no terminal.
  private func askOnDisplay(
    _ prompt: Prompt, _ place: PromptPlace, _ deadline: BusDeadline, _ stop: StopSignal
  ) -> PromptAnswer {
    guard let program = program(needsDisplay: true) else { return .failed(.noPrompter) }
    switch show(prompt, place, program, deadline, stop) {
    case .answered(let answer): return answer
    case .notShown(let reason): return .failed(reason)
    }
  }

  /// Where there is a terminal, and perhaps a display.
  private func ask(
    _ prompt: Prompt, _ place: PromptPlace, _ terminal: borrowing ClientTerminal, _ deadline: BusDeadline,
    _ stop: StopSignal
  ) -> PromptAnswer {
    if let program = program(needsDisplay: false) {
      let end = show(prompt, place, program, deadline, stop)
      // A program that was killed leaves the terminal as it was then. With a display another program may use it meanwhile.
      if !Self.hasDisplay(place) { terminal.restore() }
      if case .answered(let answer) = end { return answer }
    }
    var isForFinger = false
    if case .finger = prompt.kind { isForFinger = true }
    let words = PromptWords(prompt, isUnicode: Self.isUnicode(place))
    return TerminalPrompt(words: words, isForFinger: isForFinger, deadline: deadline, stop: stop).ask(at: terminal)
  }

  private func show(
    _ prompt: Prompt, _ place: PromptPlace, _ program: PinentryProgram, _ deadline: BusDeadline, _ stop: StopSignal
  ) -> PinentryDialog.End {
    var place = place
    // Texts and what is typed are UTF-8; without a locale a program would take them for ASCII.
    place.charactersLocale = place.charactersLocale ?? "C.UTF-8"
    let dialog = PinentryDialog(
      prompt: prompt, words: PromptWords(prompt, isUnicode: Self.isUnicode(place)), place: place, deadline: deadline,
      stop: stop, limits: surroundings.limits)
    return dialog.show(with: program, variables: pinentryVariables(at: place, own: surroundings.variable))
  }

  private func program(needsDisplay: Bool) -> PinentryProgram? {
    PinentryProgram.find(
      surroundings.programs, needsDisplay: needsDisplay,
      mayBelongToAnyone: surroundings.programsMayBelongToAnyone)
  }

  /// Why a terminal cannot be used; nil when it can.
  private func refusal(_ path: String) -> AuthenticationFailure.Reason? {
    do {
      _ = try ClientTerminal(path, isName: surroundings.isTerminalName)
      return nil
    } catch {
      return error.reason
    }
  }

  private static func hasDisplay(_ place: PromptPlace) -> Bool { place.display != nil || place.waylandDisplay != nil }

  private static func isUnicode(_ place: PromptPlace) -> Bool {
    guard let locale = place.charactersLocale?.lowercased() else { return true }
    return locale.contains("utf-8") || locale.contains("utf8")
  }

  /// The place without values that cannot be any. The path of a terminal is looked at where it is opened.
  static func usable(_ place: PromptPlace) -> PromptPlace {
    let valid = { (value: String?) in value.flatMap { PromptPlace.isValid($0) ? $0 : nil } }
    // Names, not paths: a library could take one with a slash for a file.
    let name = { (value: String?) in valid(value).flatMap { $0.contains("/") ? nil : $0 } }
    var usable = place
    usable.display = valid(place.display)
    usable.waylandDisplay = valid(place.waylandDisplay)
    usable.authority = valid(place.authority)
    usable.terminalType = name(place.terminalType)
    usable.messagesLocale = name(place.messagesLocale)
    usable.charactersLocale = name(place.charactersLocale)
    return usable
  }
}
