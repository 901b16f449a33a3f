import Foundation
import Testing
import ThumbturnCrypto

@testable import ThumbturnCommand

@Suite("The prompt")
struct PromptTests {
  /// Asks on a pseudoterminal while `person` answers.
  private static func ask(
    _ terminal: Pseudoterminal, waitMilliseconds: Int64 = 60_000, person: () throws -> Void
  ) throws -> Result<[UInt8], CommandFailure>? {
    let answer = Background { () -> Result<[UInt8], CommandFailure> in
      do throws(CommandFailure) {
        return .success(content(try SecretPrompt.ask(on: terminal.program, waitMilliseconds: waitMilliseconds)))
      } catch {
        return .failure(error)
      }
    }
    try person()
    return try answer.value()
  }

  @Test("shows nothing of what is typed, drops the newline and restores the terminal")
  func noEcho() throws {
    let terminal = try Pseudoterminal()
    let before = terminal.flags
    #expect(terminal.echoes)
    let answer = try Self.ask(terminal) {
      #expect(terminal.read(until: ": ") == "secret (not shown): ")
      #expect(!terminal.echoes)
      terminal.type("hunter2\u{7f}3\r")
    }
    #expect(answer == .success(Array("hunter3".utf8)))
    #expect(terminal.readWhatIsThere() == "\r\n")
    #expect(terminal.flags == before)
  }

  @Test(
    "restores the terminal however it ends",
    arguments: [
      ("abc\u{3}", .cancelled), ("\r", .emptyPrompt), ("\u{4}", .emptyPrompt), ("a\u{1b}[A\r", .controlCharacter),
    ] as [(String, CommandFailure)])
  func restores(typed: String, expected: CommandFailure) throws {
    let terminal = try Pseudoterminal()
    let before = terminal.flags
    let answer = try Self.ask(terminal) {
      _ = terminal.read(until: ": ")
      terminal.type(typed)
    }
    #expect(answer == .failure(expected))
    #expect(terminal.flags == before)
    #expect(!terminal.readWhatIsThere().contains("abc"))
  }

  @Test("ends when nobody answers, and throws away what was typed")
  func timeOver() throws {
    let terminal = try Pseudoterminal()
    let before = terminal.flags
    let answer = try Self.ask(terminal, waitMilliseconds: 400) {
      _ = terminal.read(until: ": ")
      terminal.type("half")
    }
    #expect(answer == .failure(.promptTimeOver))
    #expect(terminal.flags == before)
  }

  @Test("needs a terminal")
  func noTerminal() throws {
    let terminal = try Pseudoterminal()
    let outcome = try runCommand(["set", "a", "b"]) {
      $0.input = terminal.program
      $0.terminalPath = "/nonexistent"
    }
    #expect(outcome.exitCode == 3)
    #expect(outcome.errors.hasPrefix("thumbturn: error: there is no terminal to ask on"))
    let file = try ScratchFile()
    #expect(throws: CommandFailure.self) { _ = try SecretPrompt.ask(on: file.descriptor, waitMilliseconds: 100) }
  }

  @Test("stands between a terminal and the vault")
  func wholeCommand() throws {
    let terminal = try Pseudoterminal()
    let vault = FakeBackend()
    let outcome = Background {
      try runCommand(["set", "a", "b"], on: vault) {
        $0.input = terminal.program
        $0.terminalPath = terminal.path
      }
    }
    _ = terminal.read(until: ": ")
    terminal.type("hunter2\r")
    #expect(try outcome.value() == Outcome(exitCode: 0, output: [], errors: ""))
    #expect(try runCommand(["get", "a", "b"], on: vault).text == "hunter2")
    let shown = try runCommand(["get", "a", "b"], on: vault) { $0.output = terminal.program }
    #expect(shown.exitCode == 0)
    #expect(terminal.read(until: "hunter2\r\n").hasSuffix("hunter2\r\n"))
  }

  @Test("of the program is cancelled by ^C, and by signals, with the terminal restored", arguments: [0, 2, 15, 1])
  func program(signal: Int32) throws {
    let terminal = try Pseudoterminal()
    let before = terminal.flags
    let program = try Program()
    let process = try terminal.start(
      program.path, ["set", "a", "b"], environment: program.environment.map { "\($0.key)=\($0.value)" })
    #expect(terminal.read(until: ": ") == "secret (not shown): ")
    #expect(!terminal.echoes)
    // While it holds a secret, nothing may make a core file of it.
    let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
    #expect(limits.contains(#/Max core file size +0 /#))
    terminal.type("hunter2")
    if signal == 0 { terminal.type("\u{3}") } else { send(signal, to: process) }
    // Its own word for a key that was pressed; a signal ends it as signals do.
    #expect(wait(for: process) == (signal == 0 ? 3 : -signal))
    #expect(terminal.flags == before)
    #expect(!terminal.readWhatIsThere().contains("hunter2"))
  }
}
