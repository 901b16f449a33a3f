internal import ThumbturnKeychain
internal import ThumbturnVault

/// What the command line calls item classes: Apple's code, or a long name.
enum ClassName {
  /// Every name that `--class` takes.
  static let all = ItemClass.allCases.map(\.code) + ItemClass.allCases.map(\.longName)

  /// The class with a name.
  static func itemClass(_ name: String) -> ItemClass? {
    ItemClass.allCases.first { $0.code == name || $0.longName == name }
  }
}

extension ItemClass {
  /// What `list` and `show` call it.
  var longName: String {
    switch self {
    case .genericPassword: "generic-password"
    case .internetPassword: "internet-password"
    case .certificate: "certificate"
    case .key: "key"
    }
  }

  /// The attributes that SERVICE and ACCOUNT are for an item of this class; none where a label alone names it.
  var named: [(attribute: Attribute, operand: String)] {
    switch self {
    case .genericPassword: [(.service, "SERVICE"), (.account, "ACCOUNT")]
    case .internetPassword: [(.server, "SERVER"), (.account, "ACCOUNT")]
    case .certificate, .key: []
    }
  }
}

/// What the command line calls protection classes.
enum ProtectionName {
  /// Every name that `--accessible` takes.
  static let all = ProtectionClass.allCases.map(\.name)

  /// The protection class with a name.
  static func protectionClass(_ name: String) -> ProtectionClass? {
    ProtectionClass.allCases.first { $0.name == name }
  }
}

extension ProtectionClass {
  /// What `list` shows and `--accessible` takes.
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
