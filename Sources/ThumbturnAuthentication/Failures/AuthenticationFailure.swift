/// Why an authentication did not succeed, or cannot: one code for each of Apple's (SECACCESS.md §4), and the reason here.
public struct AuthenticationFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Apple's word for it.
  public enum Code: UInt8, CaseIterable, Hashable, Sendable {
    /// Wrong fingers or passcodes, until there were no more tries.
    case authenticationFailed = 1
    /// The person cancelled.
    case userCancel = 2
    /// The person wants another way, and the policy has none.
    case userFallback = 3
    /// Something else came first: the vault was locked, another prompt was open, time was up.
    case systemCancel = 4
    /// The vault has no passcode.
    case passcodeNotSet = 5
    /// No reader, or no way to it.
    case biometryNotAvailable = 6
    /// No finger is enrolled.
    case biometryNotEnrolled = 7
    /// Too many wrong fingers: the passcode is needed first.
    case biometryLockout = 8
    /// The program cancelled.
    case appCancel = 9
    /// The context was invalidated before.
    case invalidContext = 10
    /// A companion device; there is none on Linux.
    case companionNotAvailable = 11
    /// The reader was unplugged.
    case biometryDisconnected = 13
    /// A prompt is needed, and none is allowed or can be shown.
    case notInteractive = 14
  }

  /// What went wrong.
  public let code: Code
  /// Why, where that is known.
  public let reason: Reason?
  /// Seconds until the next passcode is looked at; 0 when that is not what is wrong.
  public let secondsToWait: Int

  /// Makes a failure.
  public init(_ code: Code, _ reason: Reason? = nil, secondsToWait: Int = 0) {
    self.code = code
    self.reason = reason
    self.secondsToWait = secondsToWait
  }

  /// Text for logs: it holds nothing of the user's.
  public var description: String { reason.map { "\(code) (\($0))" } ?? "\(code)" }
}
