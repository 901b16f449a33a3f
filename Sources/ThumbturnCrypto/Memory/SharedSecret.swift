/// A secret with several owners: one ``SecretBytes`` behind a reference, so that results can stand in an array.
///
/// The bytes are wiped when the last owner lets go.
public final class SharedSecret: Sendable {
  /// The secret.
  public let bytes: SecretBytes

  /// Takes over `bytes`.
  public init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}
