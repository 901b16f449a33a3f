public import CLocalAuthentication

// The codes again, so that `catch LAError.userCancel` can be written.
extension LAError {
  /// The finger or passcode was not recognised.
  public static var authenticationFailed: Code { .authenticationFailed }
  /// The person cancelled.
  public static var userCancel: Code { .userCancel }
  /// The person wants another way than the finger.
  public static var userFallback: Code { .userFallback }
  /// Something else came first: the vault was locked, other prompts were open, nobody answered in time.
  public static var systemCancel: Code { .systemCancel }
  /// The vault has no passcode.
  public static var passcodeNotSet: Code { .passcodeNotSet }
  /// No reader, or no way to it.
  public static var biometryNotAvailable: Code { .biometryNotAvailable }
  /// No finger is enrolled.
  public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
  /// Too many wrong fingers, or a locked vault: the passcode is needed first.
  public static var biometryLockout: Code { .biometryLockout }
  /// The context was invalidated, or let go, while somebody was asked.
  public static var appCancel: Code { .appCancel }
  /// The context was invalidated before.
  public static var invalidContext: Code { .invalidContext }
  /// There is no companion device on Linux.
  public static var companionNotAvailable: Code { .companionNotAvailable }
  /// The old name of ``companionNotAvailable``.
  public static var watchNotAvailable: Code { .companionNotAvailable }
  /// Apple's Mac only.
  public static var biometryNotPaired: Code { .biometryNotPaired }
  /// The reader was unplugged.
  public static var biometryDisconnected: Code { .biometryDisconnected }
  /// Apple's Mac only.
  public static var invalidDimensions: Code { .invalidDimensions }
  /// A prompt is needed, and none is allowed or can be shown.
  public static var notInteractive: Code { .notInteractive }
  /// The old name of ``biometryNotAvailable``.
  @available(*, deprecated, renamed: "biometryNotAvailable")
  public static var touchIDNotAvailable: Code { .biometryNotAvailable }
  /// The old name of ``biometryNotEnrolled``.
  @available(*, deprecated, renamed: "biometryNotEnrolled")
  public static var touchIDNotEnrolled: Code { .biometryNotEnrolled }
  /// The old name of ``biometryLockout``.
  @available(*, deprecated, renamed: "biometryLockout")
  public static var touchIDLockout: Code { .biometryLockout }
}
