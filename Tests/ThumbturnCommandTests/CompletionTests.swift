import Foundation
import Testing

@testable import ThumbturnCommand

/// That the shells take them is what Scripts/completions.txt shows.
@Suite("Completions")
struct CompletionTests {
  /// The lines of a script that are about a command.
  private func part(_ shell: Shell, of command: CommandName) -> String {
    let lines = shell.completions.split(separator: "\n").map(String.init)
    switch shell {
    case .bash: return lines.filter { $0.hasPrefix("    \(command.rawValue)) ") }.joined(separator: "\n")
    case .zsh:
      let first = lines.firstIndex { $0 == "  \(command.rawValue))" } ?? lines.endIndex
      return lines[first...].prefix { $0 != "    ;;" }.joined(separator: "\n")
    case .fish:
      let conditions = ["verb", "no_action"].map { "'__thumbturn_\($0) \(command.rawValue)'" }
      return lines.filter { line in conditions.contains { line.contains($0) } }.joined(separator: "\n")
    }
  }

  @Test("name every command, and for each exactly its options and arguments", arguments: Shell.allCases)
  func complete(shell: Shell) {
    for command in CommandName.allCases {
      #expect(shell.completions.contains(command.rawValue))
      let part = part(shell, of: command)
      for option in Option.allCases {
        let word = shell == .fish ? "-l \(option.rawValue.dropFirst(2))" : option.rawValue
        let isThere = " \(part.split { " '=[\n".contains($0) }.joined(separator: " ")) ".contains(" \(word) ")
        #expect(
          isThere == command.options.contains(option), "\(shell) \(command) \(option.rawValue)")
      }
      for choice in command.operandChoices { #expect(part.contains(choice)) }
    }
  }

  @Test("offer the options of the auditor, as its own table has them", arguments: Shell.allCases)
  func auditor(shell: Shell) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let table = try String(
      contentsOf: root.appending(path: "Auditor/Sources/AppAudit/Command/Options.swift"), encoding: .utf8)
    let names = table.split(separator: "\n").compactMap { line -> String? in
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
      return parts.count > 2 && parts[0] == "    (" && parts[1].hasPrefix("--") ? String(parts[1]) : nil
    }
    #expect(!names.isEmpty)
    #expect(names == AuditOptions.names)
    let words = part(shell, of: .audit).split { " '=[\n".contains($0) }.map(String.init)
    for name in names { #expect(words.contains(shell == .fish ? String(name.dropFirst(2)) : name)) }
  }

  @Test("offer what an option takes", arguments: Shell.allCases)
  func values(shell: Shell) {
    for option in Option.allCases {
      guard case .choices(let words) = option.offer else { continue }
      #expect(shell.completions.contains(words.joined(separator: " ")))
    }
  }

  @Test("are printed for a shell that is known, and for no other")
  func printed() throws {
    for shell in Shell.allCases {
      let outcome = try runCommand(["completions", shell.rawValue])
      #expect(outcome == Outcome(exitCode: 0, output: Array(shell.completions.utf8), errors: ""))
    }
    let outcome = try runCommand(["completions", "hunter2"])
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors.hasSuffix("thumbturn: hint: the shells are bash, zsh, fish\n"))
    #expect(!outcome.errors.contains("hunter2"))
  }
}
