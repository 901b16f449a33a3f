/// What a person shows, to prove that they are there.
public enum Factor: UInt8, CaseIterable, Hashable, Sendable {
  /// A finger that is enrolled.
  case finger = 1
  /// The passcode of the vault.
  case passcode = 2
}
