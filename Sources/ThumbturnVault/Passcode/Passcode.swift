public import ThumbturnCrypto

/// What a person types to open the vault: 1 to 1,024 bytes, taken as they are.
///
/// Text is compared by its bytes: whoever types it must spell it the same way each time, as everywhere under Linux. The
/// bytes are wiped with their last owner.
public final class Passcode: Sendable {
  /// The most bytes: far more than anybody types, so that a file given by mistake is refused.
  public static let countMax = 1_024

  /// The bytes.
  package let secret: SharedSecret

  /// Takes over `bytes`.
  ///
  /// - Throws: ``VaultError/Code/tooLarge`` for none or more than ``countMax``.
  public convenience init(_ bytes: consuming SecretBytes) throws(VaultError) { try self.init(SharedSecret(bytes)) }

  /// Shares the ownership of `secret`.
  ///
  /// - Throws: As ``init(_:)-swift.init``.
  public init(_ secret: SharedSecret) throws(VaultError) {
    guard (1...Self.countMax).contains(secret.count) else {
      throw VaultError(.tooLarge, "a passcode has 1 to 1,024 bytes")
    }
    self.secret = secret
  }
}
