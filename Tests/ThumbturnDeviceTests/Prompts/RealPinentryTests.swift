import Foundation
import Glibc
import Testing
import ThumbturnAuthentication

@testable import ThumbturnDevice

/// The real programs on a terminal of the test's own. The one for GNOME has no session bus here, so it shows its prompt on
/// the terminal.
@Suite("A real pinentry")
struct RealPinentryTests {
  private static let programs = ["/usr/bin/pinentry-curses", "/usr/bin/pinentry-gnome3"]

  private static func prompter(_ program: String) throws -> SystemPrompter {
    if PinentryProgram(program) == nil { try leaveOut("this machine has no \(program) that root alone can write") }
    var surroundings = SystemPrompter.Surroundings()
    surroundings.programs = [program]
    return SystemPrompter(surroundings)
  }

  /// What tells its prompt from that in lines.
  private static func isShown(_ pty: Pty, _ text: String) -> Bool {
    pty.shows(text) && pty.shown.contains("\u{1B}[") && !pty.shown.contains("Thumbturn: ")
  }

  /// Each row is what the person types, and the answer.
  @Test(
    "takes what is typed",
    arguments: programs,
    [
      ("correct horse 100%\r", Outcome.secret("correct horse 100%")), ("\r", .secret("")), ("né\r", .secret("né")),
      // To the button, past the other one.
      ("abc\t\t\r", .cancelled),
    ])
  func typed(program: String, row: (String, Outcome)) throws {
    let pty = try Pty()
    var prompt = Prompt.sample(.passcode, reason: "50% off")
    prompt.problem = "That was not the passcode."
    let asked = try Asked(try Self.prompter(program), prompt, at: .terminal(pty.path))
    #expect(Self.isShown(pty, "Passcode:"))
    #expect(pty.shown.contains("50% off"))
    #expect(pty.shown.contains("That was not the passcode."))
    #expect(pty.becomesRaw())
    usleep(200_000)
    pty.type(row.0)
    #expect(asked.outcome() == row.1)
    #expect(pty.isAsBefore)
  }

  /// Each row is the fallback's title, what is typed, and the answer.
  @Test(
    "shows a finger prompt with its buttons",
    arguments: programs,
    [
      ("Use_Password" as String?, "\r", Outcome.fallback), ("Use_Password", "\t\r", .cancelled),
      (nil, "\r", .cancelled),
    ])
  func finger(program: String, row: (String?, String, Outcome)) throws {
    let pty = try Pty()
    var prompt = Prompt.sample(.finger(fallbackTitle: row.0))
    prompt.problem = "Try again."
    prompt.isSimulated = true
    prompt.cancelTitle = "Leave"
    let asked = try Asked(try Self.prompter(program), prompt, at: .terminal(pty.path))
    #expect(Self.isShown(pty, "Touch the fingerprint reader."))
    #expect(pty.shows("<Leave>"))
    #expect(row.0 == nil || pty.shown.contains("<Use_Password>"))
    #expect(pty.shown.contains("Simulated fingerprint reader"))
    #expect(pty.shown.contains("Try again."))
    usleep(200_000)
    pty.type(row.1)
    #expect(asked.outcome() == row.2)
    #expect(pty.isAsBefore)
  }

  @Test("is taken away within 1 s, and the terminal is as before", arguments: programs)
  func stopped(program: String) throws {
    let pty = try Pty()
    let asked = try Asked(
      try Self.prompter(program), .sample(.finger(fallbackTitle: "Other")), at: .terminal(pty.path))
    #expect(Self.isShown(pty, "Touch the fingerprint reader."))
    usleep(200_000)
    let clock = ContinuousClock()
    let start = clock.now
    asked.stop.set()
    #expect(asked.outcome() == .stopped)
    #expect(clock.now - start < .seconds(1))
    #expect(pty.isAsBefore)
  }

  @Test("ends at its limit, and the terminal is as before", arguments: programs)
  func timedOut(program: String) throws {
    let pty = try Pty()
    let asked = try Asked(
      try Self.prompter(program), .sample(.passcode), at: .terminal(pty.path), limit: .milliseconds(1_500))
    #expect(Self.isShown(pty, "Passcode:"))
    let (outcome, duration) = try #require(asked.wait())
    #expect(outcome == .timedOut)
    #expect(duration < .milliseconds(2_500))
    #expect(pty.isAsBefore)
  }

  @Test("gives way to lines where the window is too small for it", arguments: programs)
  func small(program: String) throws {
    let pty = try Pty(rows: 4, columns: 30)
    let asked = try Asked(try Self.prompter(program), .sample(.passcode), at: .terminal(pty.path))
    #expect(pty.shows("Thumbturn: "))
    #expect(pty.shows("Passcode: "))
    pty.type("typed\r")
    #expect(asked.outcome() == .secret("typed"))
  }

  @Test("for GNOME without a session bus is no prompt on a display")
  func noBus() throws {
    let program = "/usr/bin/pinentry-gnome3"
    if PinentryProgram(program) == nil { try leaveOut("this machine has no \(program)") }
    var surroundings = SystemPrompter.Surroundings()
    surroundings.programs = [program]
    surroundings.variable = { _ in nil }
    let outcome = try ask(SystemPrompter(surroundings), .sample(.passcode))
    #expect(outcome == .failed(.noPrompter))
  }
}
