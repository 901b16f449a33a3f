import Testing

@testable import ThumbturnCommand

@Suite("Arguments")
struct ArgumentParserTests {
  private static func parse(_ line: String) throws(CommandFailure) -> Invocation {
    try parseArguments(line.split(separator: " ").map { Array($0.utf8) })
  }

  @Test(
    "are understood in any order, up to --",
    arguments: [
      ("set a b", Invocation(command: .set, operands: [[0x61], [0x62]])),
      ("get --json a b", Invocation(command: .get, operands: [[0x61], [0x62]], options: [.json])),
      ("get a --json b", Invocation(command: .get, operands: [[0x61], [0x62]], options: [.json])),
      (
        "set --fd 3 a b",
        Invocation(
          command: .set, operands: [[0x61], [0x62]], options: [.fileDescriptor], values: [.fileDescriptor: [0x33]])
      ),
      (
        "set a b --fd=3",
        Invocation(
          command: .set, operands: [[0x61], [0x62]], options: [.fileDescriptor], values: [.fileDescriptor: [0x33]])
      ),
      (
        "set a b --file --",
        Invocation(command: .set, operands: [[0x61], [0x62]], options: [.file], values: [.file: [0x2d, 0x2d]])
      ),
      ("get -- --json b", Invocation(command: .get, operands: [Array("--json".utf8), [0x62]])),
      ("get -- -- b", Invocation(command: .get, operands: [[0x2d, 0x2d], [0x62]])),
      ("get - b", Invocation(command: .get, operands: [[0x2d], [0x62]])),
      ("list", Invocation(command: .list)),
      ("list a", Invocation(command: .list, operands: [[0x61]])),
      ("rm --if-present a b", Invocation(command: .remove, operands: [[0x61], [0x62]], options: [.ifPresent])),
      ("set --url u", Invocation(command: .set, options: [.url], values: [.url: [0x75]])),
      (
        "list --class inet a",
        Invocation(
          command: .list, operands: [[0x61]], options: [.itemClass], values: [.itemClass: Array("inet".utf8)])
      ),
      ("list --all-groups", Invocation(command: .list, options: [.allGroups])),
      ("get --label l", Invocation(command: .get, options: [.label], values: [.label: [0x6c]])),
      ("show --label l a", Invocation(command: .show, operands: [[0x61]], options: [.label], values: [.label: [0x6c]])),
      (
        "rm --class keys --label=l",
        Invocation(
          command: .remove, options: [.itemClass, .label], values: [.itemClass: Array("keys".utf8), .label: [0x6c]])
      ),
      ("completions bash", Invocation(command: .completions, operands: [Array("bash".utf8)])),
      ("set --help", Invocation(command: .set, options: [.help])),
      ("set -h a", Invocation(command: .set, operands: [[0x61]], options: [.help])),
      ("--help", Invocation(command: .help)),
      ("-h", Invocation(command: .help)),
      ("--version", Invocation(command: .version)),
      ("help set", Invocation(command: .help, operands: [Array("set".utf8)])),
    ])
  func understood(line: String, expected: Invocation) throws {
    #expect(try Self.parse(line) == expected)
  }

  @Test(
    "that are wrong end with exit code 2 and a hint, and are not repeated",
    arguments: [
      ("", "a command is missing"),
      ("hunter2", "there is no such command"),
      ("--hunter2", "there is no such command"),
      ("set", "set needs SERVICE and ACCOUNT, or --url"),
      ("set a", "set needs SERVICE and ACCOUNT, or --url"),
      ("set a b hunter2", "set takes no secret on the command line, nothing was stored"),
      ("set a b --hunter2", "set does not know an option that was given"),
      ("set a b -hunter2", "set does not know an option that was given"),
      ("set a b --password=hunter2", "set does not know an option that was given"),
      ("set a b --json", "set does not know an option that was given"),
      ("get a b hunter2", "get takes at most 2 arguments"),
      ("list a hunter2", "list takes at most 1 argument"),
      ("status hunter2", "status takes no arguments"),
      ("get --json=hunter2 a b", "--json takes no value"),
      ("get --json --json a b", "--json was given twice"),
      ("set --label l", "set needs SERVICE and ACCOUNT, or --url"),
      ("set --url u hunter2", "set takes no secret on the command line, nothing was stored"),
      ("set a b --class inet", "set does not know an option that was given"),
      ("set a b --accessible hunter2", "--accessible does not know that WHEN"),
      ("list --class hunter2", "--class does not know that CLASS"),
      ("get --url u hunter2", "get takes no arguments beside --url"),
      ("get --url u --class genp", "--url names an internet password, and --class another item class"),
      ("get --class inet a", "get needs SERVER and ACCOUNT, --url or --label"),
      ("get --class cert", "certificates and keys are named by --label alone"),
      ("get --class keys --label l hunter2", "certificates and keys are named by --label alone"),
      ("list --class cert hunter2", "certificates and keys are named by --label alone"),
      ("list --group g --all-groups", "--group and --all-groups exclude each other"),
      ("show", "show needs SERVICE and ACCOUNT, --url or --label"),
      ("completions", "completions needs SHELL"),
      ("set a b --fd", "--fd needs a value: --fd N"),
      ("set a b --file x --file y", "--file was given twice"),
      ("rm a --if-present", "rm needs SERVICE and ACCOUNT, --url or --label"),
    ])
  func wrong(line: String, message: String) {
    let failure = #expect(throws: CommandFailure.self) { try Self.parse(line) }
    #expect(failure?.exitCode == .usage)
    #expect(failure?.message == message)
    #expect(failure?.hint?.isEmpty == false)
    #expect(failure?.text.contains("hunter2") == false)
  }

  @Test("may be invalid UTF-8 where they are names, and nowhere else")
  func invalidText() throws {
    let names: [[UInt8]] = [[0xff], [0x61, 0x80]]
    #expect(try parseArguments([Array("get".utf8)] + names).operands == names)
    #expect(throws: CommandFailure.self) { try parseArguments([[0xff]]) }
    #expect(throws: CommandFailure.self) { try parseArguments([Array("get".utf8), [0x2d, 0xff]] + names) }
  }
}
