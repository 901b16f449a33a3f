internal import ThumbturnAuthentication
internal import ThumbturnCrypto

/// What a verification needs of the vault and the machine.
protocol VerificationHost: Sendable {
  var sensor: any FingerSensor { get }
  var prompter: any Prompter { get }
  /// What can be asked for, given what the reader says.
  func status(_ sensor: SensorState, at place: PromptPlace) -> AuthenticationStatus
  /// Tries a passcode, counted by the vault's lock-out; the right one unlocks the vault, and fingers are looked at again.
  func check(_ passcode: SharedSecret) -> SecretOutcome
  /// Seconds until the next passcode is looked at.
  var secondsUntilPasscode: Int { get }
  /// Counts a wrong finger, durably, before the reader looks at it.
  func countFinger() throws(AuthenticationFailure)
  /// Takes that back: there was none.
  func withdrawFinger()
  /// It was the right one.
  func acceptFinger()
  /// Wrong fingers since the last right one.
  var fingerFailures: Int { get }
}
