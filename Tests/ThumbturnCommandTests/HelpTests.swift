import Testing

@testable import ThumbturnCommand

@Suite("Help")
struct HelpTests {
  @Test("names every command, exit code and variable")
  func general() throws {
    let outcome = try runCommand(["help"])
    #expect(outcome.exitCode == 0)
    #expect(outcome.errors.isEmpty)
    for command in CommandName.allCases { #expect(outcome.text.contains("\n  \(command.rawValue) ")) }
    for code in ExitCode.allCases { #expect(outcome.text.contains("\n  \(code.rawValue)  \(code.meaning)\n")) }
    #expect(outcome.text.contains("THUMBTURN_HOME"))
    for other in ["--help", "-h"] { #expect(try runCommand([other]).output == outcome.output) }
  }

  @Test("of a command has its usage and options, by help and by --help", arguments: CommandName.allCases)
  func each(command: CommandName) throws {
    let outcome = try runCommand(["help", command.rawValue])
    #expect(outcome.exitCode == 0)
    let usage = outcome.text.prefix { $0 != "." }.split(separator: "\n\n").first.map { $0.split { " \n".contains($0) } }
    #expect(usage?.joined(separator: " ") == "usage: \(usageLine(command))")
    for option in command.options { #expect(outcome.text.contains("\n  \(option.rawValue)")) }
    // The auditor has its own.
    if command != .audit { #expect(try runCommand([command.rawValue, "--help"]) == outcome) }
  }

  @Test("fits 80 columns", arguments: CommandName.allCases)
  func columns(command: CommandName) {
    for line in help(command).split(separator: "\n") { #expect(line.utf8.count <= 80) }
  }

  @Test("of everything fits 80 columns")
  func generalColumns() {
    for line in generalHelp().split(separator: "\n") { #expect(line.utf8.count <= 80) }
  }

  @Test("of an unknown command is an error")
  func unknown() throws {
    let outcome = try runCommand(["help", "hunter2"])
    #expect(outcome.exitCode == 2)
    #expect(outcome.output.isEmpty)
    #expect(!outcome.errors.contains("hunter2"))
  }

  @Test(
    "has a usage line for each command",
    arguments: [
      (
        .set,
        "thumbturn set [--accessible WHEN] [--require WHAT] [--group GROUP] [--label TEXT] [--comment TEXT] [--fd N] [--file F] {SERVICE ACCOUNT | --url URL}"
      ),
      (
        .get,
        "thumbturn get [--class CLASS] [--group GROUP] [--label TEXT] [--comment TEXT] [--json] {SERVICE ACCOUNT | --url URL}"
      ),
      (
        .list,
        "thumbturn list [--class CLASS] [--accessible WHEN] [--group GROUP] [--all-groups] [--label TEXT] [--comment TEXT] [--json] [SERVICE | --url URL]"
      ),
      (
        .remove,
        "thumbturn rm [--class CLASS] [--group GROUP] [--label TEXT] [--comment TEXT] [--if-present] {SERVICE ACCOUNT | --url URL}"
      ),
      (
        .show,
        "thumbturn show [--class CLASS] [--group GROUP] [--label TEXT] [--comment TEXT] [--json] {SERVICE ACCOUNT | --url URL}"
      ),
      (.completions, "thumbturn completions SHELL"),
      (.status, "thumbturn status [--json]"),
      (.doctor, "thumbturn doctor [--json]"),
      (.unlock, "thumbturn unlock [--finger] [--fd N]"),
      (.vault, "thumbturn vault [--grace SECONDS] [--idle SECONDS] [--simulated-finger] [--yes] [--fd N] ACTION"),
      (.finger, "thumbturn finger [--yes] [--json] ACTION [FINGER]"),
      (.check, "thumbturn check [--accept] [--salvage] [--yes] [--fd N] [--json]"),
      (.audit, "thumbturn audit [ARGUMENTS]"),
      (.tour, "thumbturn tour"),
      (.version, "thumbturn version"),
      (.help, "thumbturn help [COMMAND]"),
    ] as [(CommandName, String)])
  func usage(command: CommandName, expected: String) { #expect(usageLine(command) == expected) }

  @Test("of the version is one line")
  func version() throws {
    for arguments in [["version"], ["--version"]] {
      let outcome = try runCommand(arguments)
      #expect(outcome == Outcome(exitCode: 0, output: Array("thumbturn 0.1.0\n".utf8), errors: ""))
    }
  }
}
