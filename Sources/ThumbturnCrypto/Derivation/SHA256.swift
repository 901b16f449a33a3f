internal import CLibcrypto

/// Writes the SHA-256 of `message` into `out`, which has 32 bytes.
///
/// - Throws: ``CryptoError/Code/libraryFailed``.
package func sha256(_ message: Span<UInt8>, into out: inout MutableSpan<UInt8>) throws(CryptoError) {
  precondition(out.count == 32)
  var length: UInt32 = 0
  let isDone = unsafe message.withC { message_ in
    unsafe out.withC { out in unsafe EVP_Digest(message_, message.count, out, &length, OpenSSL.sha256, nil) == 1 }
  }
  guard isDone, length == 32 else { throw CryptoError(.libraryFailed, "SHA-256 failed") }
}
