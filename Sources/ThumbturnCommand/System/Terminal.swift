internal import Glibc
internal import ThumbturnCrypto

/// A terminal without echo, line editing and signal keys, for as long as `body` runs.
///
/// The way back is always taken: the signals that would end or stop this process wait until the terminal is as it was.
enum RawTerminal {
  /// Why the terminal could not be used.
  enum Failure: Error, Hashable {
    /// Another job has it.
    case inBackground
    /// The terminal refused.
    case system(SystemError)
  }

  private static let heldSignals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP]

  /// Runs `body` on the terminal `descriptor`.
  ///
  /// What was typed but not read is thrown away before and after: the rest of a pasted secret must not become a command
  /// of the shell.
  static func with<Value: ~Copyable>(
    _ descriptor: Int32, _ body: () throws(CommandFailure) -> Value
  ) throws(CommandFailure) -> Value {
    var saved = termios()
    do {
      saved = try attributes(of: descriptor)
    } catch {
      throw CommandFailure.noTerminal(error)
    }
    var held = sigset_t()
    unsafe sigemptyset(&held)
    for signal in heldSignals { unsafe sigaddset(&held, signal) }
    var before = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
    // Last: a signal that waits is delivered only when the terminal is whole again.
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    defer { _ = unsafe tcsetattr(descriptor, TCSAFLUSH, &saved) }

    var raw = saved
    raw.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON)
    guard unsafe tcsetattr(descriptor, TCSAFLUSH, &raw) == 0 else {
      throw CommandFailure.noTerminal(.system(SystemError(number: errno)))
    }
    return try body()
  }

  /// Whether a signal waits that would end or stop this process.
  static var isInterrupted: Bool {
    var pending = sigset_t()
    unsafe sigpending(&pending)
    return heldSignals.contains { unsafe sigismember(&pending, $0) == 1 }
  }

  private static func attributes(of descriptor: Int32) throws(Failure) -> termios {
    let foreground = tcgetpgrp(descriptor)
    // It fails for a terminal that does not control this process: such a one stops nobody.
    guard foreground < 0 || foreground == getpgrp() else { throw .inBackground }
    var found = termios()
    guard unsafe tcgetattr(descriptor, &found) == 0 else { throw .system(SystemError(number: errno)) }
    return found
  }
}
