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
  case show, status, doctor, check, passcode, unlock, lock, vault, finger, audit, tour, completions, version, help

  /// What other programs call these, for a hint.
  static let meant: [String: CommandName] = [
    "add": .set, "store": .set, "save": .set, "put": .set, "update": .set, "read": .get, "find": .get,
    "ls": .list, "delete": .remove, "del": .remove, "remove": .remove, "erase": .remove, "info": .status,
    "completion": .completions, "enrol": .finger, "enroll": .finger, "fingerprint": .finger, "simulate": .finger,
    "diagnose": .doctor,
  ]

  /// The arguments that must be there, unless an option takes their place.
  var operands: [String] {
    switch self {
    case .set, .get, .remove, .show: ["SERVICE", "ACCOUNT"]
    case .completions: ["SHELL"]
    case .passcode, .vault, .finger: ["ACTION"]
    case .list, .status, .doctor, .check, .unlock, .lock, .audit, .tour, .version, .help: []
    }
  }

  /// The argument that may follow.
  var optionalOperand: String? {
    switch self {
    case .list: "SERVICE"
    case .help: "COMMAND"
    case .audit: "ARGUMENTS"
    case .finger: "FINGER"
    case .set, .get, .remove, .show, .status, .doctor, .check, .passcode, .unlock, .lock, .vault, .tour, .completions,
      .version:
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
    case .finger: FingerAction.allCases.map(\.rawValue)
    case .set, .get, .list, .remove, .show, .status, .doctor, .check, .unlock, .lock, .audit, .tour, .version: []
    }
  }

  /// What the argument behind an action is one of, for the actions that take one.
  var following: [(action: String, words: [String])] {
    guard self == .finger else { return [] }
    let fingers = FingerName.allCases.map(\.rawValue)
    return [("enrol", fingers), ("enroll", fingers), ("delete", fingers), ("simulate", SimulatedEventName.all)]
  }

  var options: [Option] {
    switch self {
    case .set: [.url, .accessible, .require, .group, .label, .comment, .fileDescriptor, .file, .help]
    case .get, .show: [.url, .itemClass, .group, .label, .comment, .json, .help]
    case .list: [.url, .itemClass, .accessible, .group, .allGroups, .label, .comment, .json, .help]
    case .remove: [.url, .itemClass, .group, .label, .comment, .ifPresent, .help]
    case .status, .doctor: [.json, .help]
    case .check: [.accept, .salvage, .yes, .fileDescriptor, .json, .help]
    case .passcode: [.rotate, .yes, .fileDescriptor, .help]
    case .unlock: [.finger, .fileDescriptor, .help]
    case .lock: [.stop, .help]
    case .vault: [.grace, .idle, .simulatedFinger, .yes, .fileDescriptor, .help]
    case .finger: [.yes, .json, .help]
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
    case .doctor: "say why no prompt for a finger would come"
    case .check: "look for damage, and repair what can be"
    case .passcode: "set, change or remove the passcode"
    case .unlock: "give the agent the passcode; start it when none runs"
    case .lock: "let the agent forget the keys"
    case .vault: "accept an older copy, settings, one to try things out"
    case .finger: "list, enrol, delete, test or simulate fingers"
    case .audit: "look for what the App Store objects to in a project"
    case .tour: "show on a scratch vault what Thumbturn does"
    case .completions: "print the completions for bash, zsh or fish"
    case .version: "print the version"
    case .help: "explain a command"
    }
  }
}
