/// Apple's policies, as far as a machine can have them (SECACCESS.md §3).
public enum AuthenticationPolicy: UInt8, CaseIterable, Hashable, Sendable {
  /// A finger; a passcode must be set all the same.
  case biometrics = 1
  /// A finger, else the passcode.
  case owner = 2
  /// A companion device; there is none on Linux.
  case companion = 3
  /// A finger or a companion device.
  case biometricsOrCompanion = 4

  /// What has to be shown.
  public var requirement: Requirement {
    switch self {
    case .biometrics, .biometricsOrCompanion: .finger
    case .owner: .owner
    case .companion: Requirement([])
    }
  }

  /// Whether it is about fingers, so that an answer says what kind of reader there is.
  public var isBiometric: Bool { self == .biometrics || self == .biometricsOrCompanion }
}
