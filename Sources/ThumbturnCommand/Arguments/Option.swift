/// An option of a command.
enum Option: String, CaseIterable {
  case url = "--url"
  case itemClass = "--class"
  case accessible = "--accessible"
  case require = "--require"
  case group = "--group"
  case allGroups = "--all-groups"
  case label = "--label"
  case comment = "--comment"
  case accept = "--accept"
  case salvage = "--salvage"
  case rotate = "--rotate"
  case stop = "--stop"
  case grace = "--grace"
  case idle = "--idle"
  case simulatedFinger = "--simulated-finger"
  case finger = "--finger"
  case yes = "--yes"
  case fileDescriptor = "--fd"
  case file = "--file"
  case ifPresent = "--if-present"
  case json = "--json"
  case help = "--help"

  /// The name of its value, where it takes one.
  var value: String? {
    switch self {
    case .url: "URL"
    case .itemClass: "CLASS"
    case .accessible: "WHEN"
    case .require: "WHAT"
    case .group: "GROUP"
    case .label, .comment: "TEXT"
    case .fileDescriptor: "N"
    case .file: "F"
    case .grace, .idle: "SECONDS"
    case .allGroups, .accept, .salvage, .rotate, .stop, .simulatedFinger, .finger, .yes, .ifPresent, .json, .help: nil
    }
  }

  /// What a shell can offer for the value.
  enum Offer: Hashable {
    case nothing, files
    /// One of these; anything else is refused.
    case choices([String])
    /// What a value begins with.
    case beginnings([String])
  }

  var offer: Offer {
    switch self {
    case .url: .beginnings(InternetScheme.table.map { "\($0.name)://" })
    case .itemClass: .choices(ClassName.all)
    case .accessible: .choices(ProtectionName.all)
    case .require: .choices(RequirementName.allCases.map(\.rawValue))
    case .file: .files
    case .group, .allGroups, .label, .comment, .accept, .salvage, .rotate, .stop, .grace, .idle, .simulatedFinger,
      .finger,
      .yes, .fileDescriptor, .ifPresent, .json, .help:
      .nothing
    }
  }

  var summary: String {
    switch self {
    case .url: "an internet password: https://user@host:port/path"
    case .itemClass: "the item class: genp, inet, cert, keys, or a long name"
    case .accessible: "the protection class, such as when-unlocked"
    case .require: "to read it: finger, passcode, any, current-finger"
    case .group: "the access group, in place of default"
    case .allGroups: "of every access group; the last column names it"
    case .label: "the item's label"
    case .comment: "the item's comment"
    case .accept: "take count and sum from the records that verify"
    case .salvage: "bring back what opens, into a new database"
    case .rotate: "seal every record anew, under new keys"
    case .stop: "end the agent too"
    case .grace: "keys stay so long after the screen was locked: 0 to 300"
    case .idle: "lock after so long without a call: 0 (never) to 86400"
    case .simulatedFinger: "with a reader that finger simulate works"
    case .finger: "by a finger, as far as one can"
    case .yes: "confirm without being asked"
    case .fileDescriptor: "read the secret or passcode from the open descriptor N"
    case .file: "read the secret from the regular file F, byte for byte"
    case .ifPresent: "no error when there is no such item"
    case .json: "print JSON"
    case .help: "show this text"
    }
  }
}
