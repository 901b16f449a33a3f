internal import ThumbturnKeychain

/// A command line that was understood.
struct Invocation: Hashable {
  let command: CommandName
  var operands: [[UInt8]] = []
  var options: Set<Option> = []
  /// The values of the options that take one.
  var values: [Option: [UInt8]] = [:]

  /// What `--class` says.
  var itemClass: ItemClass? {
    values[.itemClass].flatMap { ClassName.itemClass(String(decoding: $0, as: UTF8.self)) }
  }
}

/// Reads a command line, without the program's name.
///
/// Arguments are bytes: a name may be invalid UTF-8. Errors never repeat an argument that could be a secret.
///
/// - Throws: A failure with ``ExitCode/usage``.
func parseArguments(_ arguments: [[UInt8]]) throws(CommandFailure) -> Invocation {
  guard let first = arguments.first else {
    throw CommandFailure(.usage, "a command is missing", hint: "thumbturn help lists the commands")
  }
  if first == Array("--help".utf8) || first == Array("-h".utf8) { return Invocation(command: .help) }
  if first == Array("--version".utf8) { return Invocation(command: .version) }
  let name = String(validating: first, as: UTF8.self) ?? ""
  guard let command = CommandName(rawValue: name) else { throw .unknownCommand(meaning: CommandName.meant[name]) }
  // Its arguments are the auditor's, also --help and --.
  if command == .audit { return Invocation(command: .audit, operands: Array(arguments.dropFirst())) }
  var parser = ArgumentParser(command: command, rest: arguments.dropFirst())
  return try parser.parse()
}

private struct ArgumentParser {
  var found: Invocation
  var rest: ArraySlice<[UInt8]>

  init(command: CommandName, rest: ArraySlice<[UInt8]>) {
    found = Invocation(command: command)
    self.rest = rest
  }

  mutating func parse() throws(CommandFailure) -> Invocation {
    var takesOptions = true
    while let argument = rest.popFirst() {
      if takesOptions, argument == Array("--".utf8) {
        takesOptions = false
      } else if takesOptions, argument.count > 1, argument.first == UInt8(ascii: "-") {
        try takeOption(argument)
      } else {
        found.operands.append(argument)
      }
    }
    // Help is given whatever else is missing.
    if !found.options.contains(.help) { try checkOperands() }
    return found
  }

  private mutating func takeOption(_ argument: [UInt8]) throws(CommandFailure) {
    let parts = argument.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.flatMap { String(validating: $0, as: UTF8.self) } ?? ""
    guard let option = name == "-h" ? .help : Option(rawValue: name), found.command.options.contains(option) else {
      // Not repeated: in a slip such as -pSECRET it is one.
      let known = found.command.options.map(\.rawValue).joined(separator: ", ")
      let pipe = found.command == .set ? "; a secret is piped into standard input, never an option's value" : ""
      throw usage(
        "\(found.command.rawValue) does not know an option that was given",
        hint: "it knows \(known); a name that begins with - goes behind --\(pipe)")
    }
    guard !found.options.contains(option) else { throw usage("\(name) was given twice") }
    found.options.insert(option)
    if let valueName = option.value {
      guard let value = parts.count > 1 ? Array(parts[1]) : rest.popFirst() else {
        throw usage("\(name) needs a value: \(name) \(valueName)")
      }
      if case .choices(let choices) = option.offer {
        guard choices.contains(where: { $0.utf8.elementsEqual(value) }) else {
          throw usage(
            "\(name) does not know that \(valueName)", hint: "it is one of \(choices.joined(separator: ", "))")
        }
      }
      found.values[option] = value
    } else if parts.count > 1 {
      throw usage("\(name) takes no value")
    }
  }

  private func checkOperands() throws(CommandFailure) {
    let command = found.command
    let (needed, optional) = try operands()
    if found.operands.count < needed.count {
      throw usage("\(command.rawValue) needs \(needed.joined(separator: " and "))\(alternatives)")
    }
    let countMax = needed.count + optional.count
    guard found.operands.count > countMax else { return }
    if command == .set {
      throw CommandFailure(
        .usage, "set takes no secret on the command line, nothing was stored",
        hint: "every process can read a command line; pipe the secret into standard input, or use --file or --fd")
    }
    if [.passcode, .unlock, .vault].contains(command) {
      throw CommandFailure(
        .usage, "\(command.rawValue) takes no passcode on the command line, nothing was changed",
        hint: "every process can read a command line; leave it out to be asked, or use --fd")
    }
    if found.options.contains(.url) { throw usage("\(command.rawValue) takes no arguments beside --url") }
    if found.itemClass?.named.isEmpty == true { throw usage("certificates and keys are named by --label alone") }
    throw usage(
      countMax == 0
        ? "\(command.rawValue) takes no arguments"
        : "\(command.rawValue) takes at most \(countMax) argument\(countMax == 1 ? "" : "s")")
  }

  /// The arguments that must and that may be there, with the options that were given.
  private func operands() throws(CommandFailure) -> (needed: [String], optional: [String]) {
    let command = found.command
    guard command.options.contains(.url) else { return (command.operands, command.optionalOperand.map { [$0] } ?? []) }
    if found.options.contains(.url) {
      guard (found.itemClass ?? .internetPassword) == .internetPassword else {
        throw usage("--url names an internet password, and --class another item class")
      }
      return ([], [])
    }
    guard !found.options.isSuperset(of: [.group, .allGroups]) else {
      throw usage("--group and --all-groups exclude each other")
    }
    let names = (found.itemClass ?? .genericPassword).named.map(\.operand)
    if command == .list { return ([], Array(names.prefix(1))) }
    if command != .set, found.options.contains(.label) { return ([], names) }
    guard !names.isEmpty else { throw usage("certificates and keys are named by --label alone") }
    return (names, [])
  }

  private var alternatives: String {
    guard found.command.options.contains(.url) else { return "" }
    return found.command == .set ? ", or --url" : ", --url or --label"
  }

  private func usage(_ message: String, hint: String? = nil) -> CommandFailure {
    CommandFailure(.usage, message, hint: hint ?? "usage: \(usageLine(found.command))")
  }
}
