internal import ThumbturnKeychain
internal import ThumbturnVault

extension Command {
  /// `list`: the items without their secrets, in the order in which they were added.
  static func list(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    let names = try invocation.names()
    let items = try context.withVault { vault throws(KeychainError) in
      do throws(KeychainError) {
        return try vault.find(itemQuery(names, limit: .all), for: context.caller)
      } catch {
        // An empty vault is no error, a service without items is.
        guard error.code == .itemNotFound, error.cause?.code != .damagedRecord, names.isEmpty else { throw error }
        return []
      }
    }
    var out = try SecretOutput(context.output)
    if invocation.options.contains(.json) {
      try out.putList(items)
    } else {
      for item in items { try out.putLine(item) }
    }
    try out.flush()
  }
}

extension SecretOutput {
  fileprivate mutating func putLine(_ item: FoundItem) throws(CommandFailure) {
    for attribute in [Attribute.service, .account] {
      let name = item.attributes[attribute]?.nameBytes ?? []
      try put(escaped(name.span).span)
      try put("\t")
    }
    try put("\(item.protectionClass.name)\t\(item.modified ?? "-")\n")
  }

  fileprivate mutating func putList(_ items: [FoundItem]) throws(CommandFailure) {
    try put("[")
    for (index, item) in items.enumerated() {
      try put(index == 0 ? "\n  {" : ",\n  {")
      try putName(item, "service", .service)
      try putName(item, "account", .account)
      try putName("protectionClass")
      try putJSON(item.protectionClass.name)
      if let modified = item.modified {
        try put(",")
        try putName("modified")
        try putJSON(modified)
      }
      try put("}")
    }
    try put(items.isEmpty ? "]\n" : "\n]\n")
  }

  private mutating func putName(_ item: FoundItem, _ name: String, _ attribute: Attribute) throws(CommandFailure) {
    guard let value = item.attributes[attribute] else { return }
    switch value {
    case .text(let text): try putMember(name, Array(text.utf8).span)
    case .data(let bytes): try putBase64Member(name, bytes.span)
    case .number, .date:
      try putName(name)
      try put(value.nameBytes.span)
    }
    try put(",")
  }
}

extension AttributeValue {
  /// What is shown of it as a name.
  fileprivate var nameBytes: [UInt8] {
    switch self {
    case .text(let text): Array(text.utf8)
    case .data(let bytes): bytes
    case .number(let number): Array(String(number).utf8)
    case .date(let seconds): Array(String(seconds).utf8)
    }
  }
}

extension FoundItem {
  fileprivate var modified: String? {
    guard case .date(let seconds)? = attributes[.modificationDate] else { return nil }
    return dateText(secondsSince2001: seconds)
  }
}

extension ProtectionClass {
  /// What the command line calls it.
  var name: String {
    switch self {
    case .whenUnlocked: "when-unlocked"
    case .afterFirstUnlock: "after-first-unlock"
    case .always: "always"
    case .whenUnlockedThisDeviceOnly: "when-unlocked-this-device-only"
    case .afterFirstUnlockThisDeviceOnly: "after-first-unlock-this-device-only"
    case .alwaysThisDeviceOnly: "always-this-device-only"
    case .whenPasscodeSetThisDeviceOnly: "when-passcode-set-this-device-only"
    }
  }
}
