/// What can be asked of a person now: the agent's answer, and what follows from it.
public struct AuthenticationStatus: Hashable, Sendable {
  /// The size of ``stateHash`` in bytes.
  public static let stateHashCount = 32
  /// So many wrong fingers lock the reader, until the passcode is given (SECACCESS.md §3).
  public static let fingerFailuresMax = 5

  /// What is known of the reader.
  public enum Reader: Hashable, Sendable {
    case unavailable(AuthenticationFailure.Reason)
    case notEnrolled
    case ready
  }

  /// Whether the vault has a passcode.
  public var hasPasscode = false
  /// Whether the passcode is needed before anything else.
  public var isVaultLocked = false
  /// The fingerprint reader.
  public var reader = Reader.unavailable(.noReader)
  /// Whether the reader is a simulated one.
  public var isSimulated = false
  /// Wrong fingers since the last right one, or the last passcode.
  public var fingerFailures = 0
  /// What is enrolled, as a number of this program's own; nil when nothing is. Another set is another value.
  public var stateHash: [UInt8]?
  /// Why no prompt can be shown to who asked; nil when one can.
  public var promptObstacle: AuthenticationFailure.Reason?

  /// Nothing is there.
  public init() {}

  /// Whether there is a reader, enrolled or not.
  public var hasReader: Bool {
    if case .unavailable = reader { return false }
    return true
  }

  /// Why no finger can be asked for; nil when one can.
  public var fingerObstacle: AuthenticationFailure? {
    guard hasPasscode else { return AuthenticationFailure(.passcodeNotSet) }
    switch reader {
    case .unavailable(let reason): return AuthenticationFailure(.biometryNotAvailable, reason)
    case .notEnrolled: return AuthenticationFailure(.biometryNotEnrolled, isSimulated ? .nothingSimulated : nil)
    case .ready: break
    }
    guard fingerFailures < Self.fingerFailuresMax else { return AuthenticationFailure(.biometryLockout) }
    return isVaultLocked ? AuthenticationFailure(.biometryLockout, .vaultLocked) : nil
  }

  /// Why a requirement cannot be fulfilled, whoever is asked; nil when it can.
  public func obstacle(to requirement: Requirement) -> AuthenticationFailure? {
    if requirement.factors.isEmpty { return AuthenticationFailure(.companionNotAvailable) }
    guard hasPasscode else { return AuthenticationFailure(.passcodeNotSet) }
    return requirement.insistsOnFinger ? fingerObstacle : nil
  }
}
