internal import ThumbturnAuthentication

/// The terminal of a client, checked and open. As long as it is open its name is no other terminal's.
struct ClientTerminal: ~Copyable {
  let path: String
  private let descriptor: OwnedDescriptor
  private let mode: TerminalMode

  /// Why a terminal is not used.
  struct Refusal: Error {
    let reason: AuthenticationFailure.Reason
  }

  /// Opens a terminal that belongs to the user of this process, who is the client's too.
  ///
  /// - Parameter isName: Whether a path names a terminal; tests have files of their own.
  init(_ path: String, isName: (String) -> Bool = PromptPlace.isTerminalName) throws(Refusal) {
    guard PromptPlace.isValid(path), isName(path) else { throw Refusal(reason: .foreignTerminal) }
    // Before it is opened, because opening alone can do something to some devices.
    guard let named = system_facts(path) else { throw Refusal(reason: .noPlace) }
    guard Self.isSafe(named) else { throw Refusal(reason: .foreignTerminal) }
    let number = system_openTerminal(path)
    guard number >= 0 else { throw Refusal(reason: .noPlace) }
    let descriptor = OwnedDescriptor(adopting: number)
    guard let facts = system_facts(number), Self.isSafe(facts), system_isTerminal(number),
      let mode = system_terminalMode(number)
    else { throw Refusal(reason: .foreignTerminal) }
    self.path = path
    self.mode = mode
    self.descriptor = descriptor
  }

  private static func isSafe(_ facts: FileFacts) -> Bool {
    // Whoever may read it could read what is typed.
    facts.isCharacterDevice && facts.owner == system_user() && !facts.isReadableByOthers
  }

  var number: Int32 { descriptor.number }

  /// No echo, no lines, no signals, until ``restore()``.
  func makeRaw() -> Bool { system_setTerminalMode(number, mode.raw) }

  /// As it was when it was opened; what was typed and not read is forgotten.
  func restore() { system_setTerminalMode(number, mode) }
}
