import Foundation
import Testing

@testable import ThumbturnCommand

@Suite("The manual page")
struct ManualTests {
  private static func page() throws -> String {
    // Beside Tests, in data/man.
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: "data/man/thumbturn.1"), encoding: .utf8)
  }

  @Test("has every command with its options and arguments", arguments: CommandName.allCases)
  func command(command: CommandName) throws {
    let page = try Self.page()
    let takesURL = command.options.contains(.url)
    var synopsis = ".Nm\n.Cm \(command.rawValue)\n"
    for option in command.options where option != .help && option != .url {
      synopsis += ".Op Fl Fl \(option.rawValue.dropFirst(2))\(option.value.map { " Ar \($0)" } ?? "")\n"
    }
    if !command.operands.isEmpty {
      let names = command.operands.joined(separator: " ")
      synopsis += takesURL ? ".Brq Ar \(names) | Fl Fl url Ar URL\n" : ".Ar \(names)\n"
    }
    if let operand = command.optionalOperand {
      synopsis += ".Op Ar \(operand)\(takesURL ? " | Fl Fl url Ar URL" : "")\n"
    }
    #expect(page.contains(synopsis))
    #expect(page.contains("\n.It Cm \(command.rawValue)"))
    for option in command.options where option != .help {
      #expect(page.contains("\n.It Fl Fl \(option.rawValue.dropFirst(2))"))
    }
  }

  @Test("has every exit code", arguments: ExitCode.allCases)
  func exitCode(code: ExitCode) throws {
    #expect(try Self.page().contains("\n.It \(code.rawValue)\n\(code.meaning)\n"))
  }
}
