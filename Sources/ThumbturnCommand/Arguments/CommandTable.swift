extension CommandFailure {
  static func unknownCommand(meaning meant: CommandName? = nil) -> Self {
    let names = CommandName.allCases.map(\.rawValue).joined(separator: ", ")
    let guess = meant.map { "thumbturn \($0.rawValue) does that; " } ?? ""
    return Self(.usage, "there is no such command", hint: "\(guess)the commands are \(names)")
  }
}

/// A command: the one place from which parsing, usage, help and completions come.
enum CommandName: String, CaseIterable {
  case set, get, list
  case remove = "rm"
  case show, status, check, passcode, unlock, lock, vault, audit, tour, completions, version, help

  /// What other programs call these, for a hint.
  static let meant: [String: CommandName] = [
    "add": .set, "store": .set, "save": .set, "put": .set, "update": .set, "read": .get, "find": .get,
    "ls": .list, "delete": .remove, "del": .remove, "remove": .remove, "erase": .remove, "info": .status,
    "completion": .completions,
  ]

  /// The arguments that must be there, unless an option takes their place.
  var operands: [String] {
    switch self {
    case .set, .get, .remove, .show: ["SERVICE", "ACCOUNT"]
    case .completions: ["SHELL"]
    case .passcode, .vault: ["ACTION"]
    case .list, .status, .check, .unlock, .lock, .audit, .tour, .version, .help: []
    }
  }

  /// The argument that may follow.
  var optionalOperand: String? {
    switch self {
    case .list: "SERVICE"
    case .help: "COMMAND"
    case .audit: "ARGUMENTS"
    case .set, .get, .remove, .show, .status, .check, .passcode, .unlock, .lock, .vault, .tour, .completions, .version:
      nil
    }
  }

  /// What an argument is one of; empty where it is a name.
  var operandChoices: [String] {
    switch self {
    case .completions: Shell.allCases.map(\.rawValue)
    case .help: Self.allCases.map(\.rawValue)
    case .passcode: PasscodeAction.allCases.map(\.rawValue)
    case .vault: VaultAction.allCases.map(\.rawValue)
    case .set, .get, .list, .remove, .show, .status, .check, .unlock, .lock, .audit, .tour, .version: []
    }
  }

  var options: [Option] {
    switch self {
    case .set: [.url, .accessible, .group, .label, .comment, .fileDescriptor, .file, .help]
    case .get, .show: [.url, .itemClass, .group, .label, .comment, .json, .help]
    case .list: [.url, .itemClass, .accessible, .group, .allGroups, .label, .comment, .json, .help]
    case .remove: [.url, .itemClass, .group, .label, .comment, .ifPresent, .help]
    case .status: [.json, .help]
    case .check: [.accept, .salvage, .yes, .fileDescriptor, .json, .help]
    case .passcode: [.rotate, .yes, .fileDescriptor, .help]
    case .unlock: [.fileDescriptor, .help]
    case .lock: [.stop, .help]
    case .vault: [.grace, .idle, .yes, .fileDescriptor, .help]
    case .audit, .tour, .completions, .version, .help: [.help]
    }
  }

  var summary: String {
    switch self {
    case .set: "store a secret, or replace the one that is there"
    case .get: "print a secret"
    case .list: "list the items, without their secrets"
    case .remove: "delete an item"
    case .show: "print the attributes of an item, never its secret"
    case .status: "say what is not protected, and where the vault is"
    case .check: "look for damage, and repair what can be"
    case .passcode: "set, change or remove the passcode"
    case .unlock: "give the agent the passcode, and start it when none runs"
    case .lock: "let the agent forget the keys"
    case .vault: "accept an older copy, or show and change the settings"
    case .audit: "look for what the App Store objects to in an iOS project"
    case .tour: "show on a scratch vault what Thumbturn does"
    case .completions: "print the completions for bash, zsh or fish"
    case .version: "print the version"
    case .help: "explain a command"
    }
  }
}
