/// When an item may be read: the seven protection classes of iOS (DATAPROTECTION.md §1).
///
/// The raw value stands in every record and in the keybag.
public enum ProtectionClass: UInt8, CaseIterable, Hashable, Sendable {
  /// `ak`: while unlocked. The default of Apple's API.
  case whenUnlocked = 6
  /// `ck`: from the first unlock after a start on.
  case afterFirstUnlock = 7
  /// `dk`: always. Protected by the device key alone.
  case always = 8
  /// `aku`: while unlocked, never in a backup that another device can open.
  case whenUnlockedThisDeviceOnly = 9
  /// `cku`: from the first unlock on, never in a backup that another device can open.
  case afterFirstUnlockThisDeviceOnly = 10
  /// `dku`: always, never in a backup that another device can open. Protected by the device key alone.
  case alwaysThisDeviceOnly = 11
  /// `akpu`: while unlocked, and only as long as a passcode is set; its key dies with the passcode.
  case whenPasscodeSetThisDeviceOnly = 12

  /// Apple's code, the value of `kSecAttrAccessible`.
  public var code: String {
    switch self {
    case .whenUnlocked: "ak"
    case .afterFirstUnlock: "ck"
    case .always: "dk"
    case .whenUnlockedThisDeviceOnly: "aku"
    case .afterFirstUnlockThisDeviceOnly: "cku"
    case .alwaysThisDeviceOnly: "dku"
    case .whenPasscodeSetThisDeviceOnly: "akpu"
    }
  }

  /// The class with Apple's code, or nil.
  public init?(code: String) {
    guard let found = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = found
  }
}

extension ProtectionClass {
  /// Whether it is open only while the vault is unlocked; the key leaves memory with the lock.
  public var isDroppedByLock: Bool {
    switch self {
    case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: true
    case .afterFirstUnlock, .always, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly: false
    }
  }

  /// Whether the device key alone opens it.
  public var isAlwaysOpen: Bool { self == .always || self == .alwaysThisDeviceOnly }
}
