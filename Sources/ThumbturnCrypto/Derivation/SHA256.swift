internal import CLibcrypto

/// Writes the SHA-256 of `message` into `out`, which has 32 bytes.
///
/// - Throws: ``CryptoError/Code/libraryFailed``.
package func sha256(_ message: Span<UInt8>, into out: inout MutableSpan<UInt8>) throws(CryptoError) {
  precondition(out.count == 32)
  let isDone = unsafe message.withC { message_ in
    unsafe out.withC { out in unsafe tt_sha256(message_, message.count, out) == 1 }
  }
  guard isDone else { throw CryptoError(.libraryFailed, "SHA-256 failed") }
}
