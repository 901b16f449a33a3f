/// An option of a command.
enum Option: String, CaseIterable {
  case accept = "--accept"
  case salvage = "--salvage"
  case yes = "--yes"
  case fileDescriptor = "--fd"
  case file = "--file"
  case ifPresent = "--if-present"
  case json = "--json"
  case help = "--help"

  /// The name of its value, where it takes one.
  var value: String? {
    switch self {
    case .fileDescriptor: "N"
    case .file: "F"
    case .accept, .salvage, .yes, .ifPresent, .json, .help: nil
    }
  }

  var summary: String {
    switch self {
    case .accept: "take count and sum from the records that verify"
    case .salvage: "bring back what opens, into a new database"
    case .yes: "confirm without being asked"
    case .fileDescriptor: "read the secret from the open descriptor N, to its end"
    case .file: "read the secret from the regular file F, byte for byte"
    case .ifPresent: "no error when there is no such item"
    case .json: "print JSON"
    case .help: "show this text"
    }
  }
}

extension CommandFailure {
  static func unknownCommand(meaning meant: CommandName? = nil) -> Self {
    let names = CommandName.allCases.map(\.rawValue).joined(separator: ", ")
    let guess = meant.map { "thumbturn \($0.rawValue) does that; " } ?? ""
    return Self(.usage, "there is no such command", hint: "\(guess)the commands are \(names)")
  }
}

/// A command: the one place from which parsing, usage and help come.
enum CommandName: String, CaseIterable {
  case set, get, list
  case remove = "rm"
  case status, check, tour, version, help

  /// What other programs call these, for a hint.
  static let meant: [String: CommandName] = [
    "add": .set, "store": .set, "save": .set, "put": .set, "update": .set, "show": .get, "read": .get, "find": .get,
    "ls": .list, "delete": .remove, "del": .remove, "remove": .remove, "erase": .remove, "info": .status,
  ]

  /// The arguments that must be there.
  var operands: [String] {
    switch self {
    case .set, .get, .remove: ["SERVICE", "ACCOUNT"]
    case .list, .status, .check, .tour, .version, .help: []
    }
  }

  /// The argument that may follow.
  var optionalOperand: String? {
    switch self {
    case .list: "SERVICE"
    case .help: "COMMAND"
    case .set, .get, .remove, .status, .check, .tour, .version: nil
    }
  }

  var options: [Option] {
    switch self {
    case .set: [.fileDescriptor, .file, .help]
    case .get, .list, .status: [.json, .help]
    case .remove: [.ifPresent, .help]
    case .check: [.accept, .salvage, .yes, .json, .help]
    case .tour, .version, .help: [.help]
    }
  }

  var summary: String {
    switch self {
    case .set: "store a secret, or replace the one that is there"
    case .get: "print a secret"
    case .list: "list the items, without their secrets"
    case .remove: "delete an item"
    case .status: "say what is not protected, and where the vault is"
    case .check: "look for damage, and repair what can be"
    case .tour: "show on a scratch vault what Thumbturn does"
    case .version: "print the version"
    case .help: "explain a command"
    }
  }

  /// The help, one paragraph a line.
  var details: [String] {
    switch self {
    case .set:
      [
        "The secret comes from standard input, byte for byte, when that is no terminal; else it is asked for on the "
          + "terminal, without echo and without the newline. It is never taken from the command line, which every "
          + "process can read.",
        "A secret has 0 to 16777216 bytes. A new item can be read from the first unlock on, by scheduled jobs too "
          + "(protection class after-first-unlock); one that is there keeps its class.",
      ]
    case .get:
      [
        "Prints exactly the bytes that were stored, and a newline behind them only on a terminal.",
        "With --json: an object with service, account and secret. What is not valid UTF-8 is given in base64, as "
          + "secretBase64 in place of secret.",
      ]
    case .list:
      [
        "One line for each item, in the order in which they were added: service, account, protection class and date "
          + "of modification (UTC), with tabs between them. Control characters are escaped.",
        "With --json: an array with the exact values. A name that was stored as data is given in base64, as "
          + "accountBase64 in place of account. A SERVICE without items is exit code 1, no items at all are not.",
      ]
    case .remove:
      ["Without such an item the exit code is 1; with --if-present it is 0."]
    case .status:
      ["Begins with what is not protected at this version. Makes no vault when there is none."]
    case .check:
      [
        "Reads every record and tells what is damaged, what was put back, exchanged or deleted behind the vault's back, "
          + "and which files do not belong to it. Exit code 0: no damage; 5: damage was found.",
        "Damaged records are moved to quarantine.db in the vault folder; nothing is thrown away. It asks first when they "
          + "are more than 10, or more than 1 % of all.",
        "With --accept the records as they are now count as right: for a change that you made or put up with.",
        "With --salvage everything that still opens is brought back from the bytes of the database, also when it cannot "
          + "be opened any more. It asks before the new database takes the old one's place, and keeps the old one.",
        "Where nobody can be asked, --yes is the answer; without it the exit code is 3.",
      ]
    case .tour:
      ["Runs thumbturn-tour, which lies beside this program or in ../libexec/thumbturn. Your vault is not touched."]
    case .version, .help:
      []
    }
  }
}
