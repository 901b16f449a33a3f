/// A secret with several owners: one ``SecretBytes`` behind a reference, so that results can stand in an array.
///
/// The bytes are wiped when the last owner lets go.
public final class SharedSecret: Sendable {
  /// The secret.
  public let bytes: SecretBytes

  /// Takes over `bytes`.
  public init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

  /// Size in bytes.
  public var count: Int { bytes.count }

  /// Lends the bytes to `body`.
  public func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try Self.lend(bytes, to: body)
  }

  /// A span of a stored property of a class may not outlive the access; an argument is borrowed for the whole call.
  private static func lend<Result: ~Copyable, Failure: Error>(
    _ secret: borrowing SecretBytes, to body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(secret.bytes)
  }
}
