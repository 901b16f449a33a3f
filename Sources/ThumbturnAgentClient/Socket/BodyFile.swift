internal import ThumbturnCrypto

/// A body that is too large for a packet, in a sealed file in memory; closed with its last owner.
package final class BodyFile: Sendable {
  package let descriptor: Int32

  /// Takes over an open file.
  package init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { system_close(descriptor) }

  /// Lends the bytes of a file that came from the other side.
  ///
  /// - Throws: ``FrameError/wrongFile`` when it is not sealed, or not of the size that was announced.
  package func read<Result>(
    count: Int, _ body: (Span<UInt8>) throws(FrameError) -> Result
  ) throws(FrameError) -> Result {
    try system_withSealedFile(descriptor, count: count, body)
  }
}
