import Glibc
import Testing

@testable import ThumbturnCommand

@Suite("A confirmation")
struct ConfirmationTests {
  @Test(
    "is yes or nothing, and leaves the terminal as it was",
    arguments: [
      ("yes\r", true), ("y\r", true), ("yep\u{7f}s\r", true), ("no\r", false), ("\r", false), ("yes\u{3}", false),
      ("yes yes\r", false),
    ])
  func answers(typed: String, isYes: Bool) throws {
    let terminal = try Pseudoterminal()
    var context = CommandContext()
    (context.input, context.terminalPath) = (terminal.program, terminal.path)
    let before = terminal.flags
    let asked = context
    let answer = Background { () -> ExitCode in
      do throws(CommandFailure) { try Confirmation.ask("move them?", hint: "--yes", in: asked) } catch {
        return error.exitCode
      }
      return .done
    }
    #expect(terminal.read(until: "] ") == "move them? [yes/no] ")
    terminal.type(typed)
    #expect(try answer.value() == (isYes ? .done : .personNeeded))
    #expect(terminal.flags == before)
  }

  @Test("is not waited for without a terminal")
  func nobody() throws {
    var context = CommandContext()
    context.input = -1
    #expect(throws: CommandFailure.self) { try Confirmation.ask("move them?", hint: "--yes", in: context) }
  }
}
