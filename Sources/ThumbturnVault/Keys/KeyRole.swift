/// What a wrapped key of the key set is for. The raw value stands in the keybag and in the derivation of its wrapping key;
/// class keys have the number of their protection class.
enum KeyRole: Hashable, Sendable {
  case protection(ProtectionClass)
  case index
  case tag
  case header
  case mac
  case policy

  var rawValue: UInt8 {
    switch self {
    case .protection(let protection): protection.rawValue
    case .index: 32
    case .tag: 33
    case .header: 34
    case .mac: 35
    case .policy: 36
    }
  }

  init?(rawValue: UInt8) {
    guard let role = Self.all.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = role
  }

  static let all: [KeyRole] =
    ProtectionClass.allCases.map { .protection($0) } + [.index, .tag, .header, .mac, .policy]

  /// Whether the key is wrapped under the KEK, which a passcode enters, or under the device key.
  var needsPasscodeKey: Bool {
    switch self {
    case .protection(.always), .protection(.alwaysThisDeviceOnly), .index, .tag, .header, .mac: false
    case .protection, .policy: true
    }
  }
  /// Whether the key leaves memory when the vault is locked.
  var isDroppedByLock: Bool {
    switch self {
    case .protection(let protection): protection.isDroppedByLock
    case .index, .tag, .header, .mac, .policy: false
    }
  }
}
