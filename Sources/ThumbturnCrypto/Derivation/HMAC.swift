internal import CLibcrypto

/// HMAC-SHA-256 under one key, with its context kept: making it anew costs more than the sum itself.
///
/// One owner; not for two threads at once.
@safe
package struct HMAC: ~Copyable {
  /// Size of a sum in bytes.
  package static let count = 32

  private let context: OpaquePointer

  /// - Throws: ``CryptoError/Code/libraryFailed``.
  package init(key: Span<UInt8>) throws(CryptoError) {
    let made = unsafe EVP_MAC_CTX_new(OpenSSL.hmac)
    let isReady = unsafe key.withC { key_ in
      var parameters = unsafe [tt_parameter_sha256(), OSSL_PARAM_construct_end()]
      return unsafe made != nil && EVP_MAC_init(made, key_, key.count, &parameters) == 1
    }
    guard isReady, let context = unsafe made else {
      unsafe EVP_MAC_CTX_free(made)
      throw CryptoError(.libraryFailed, "HMAC-SHA-256 is not to be had")
    }
    unsafe self.context = context
  }

  deinit { unsafe EVP_MAC_CTX_free(context) }

  /// Writes the first `out.count` bytes (at most 32) of the sum over `message`.
  ///
  /// - Throws: ``CryptoError/Code/libraryFailed``.
  package borrowing func sum(_ message: Span<UInt8>, into out: inout MutableSpan<UInt8>) throws(CryptoError) {
    try sum(message, Span(), into: &out)
  }

  /// As ``sum(_:into:)`` over two parts in a row, which then need no common buffer.
  package borrowing func sum(
    _ message: Span<UInt8>, _ second: Span<UInt8>, into out: inout MutableSpan<UInt8>
  ) throws(CryptoError) {
    precondition(out.count <= Self.count)
    var whole = InlineArray<32, UInt8>(repeating: 0)
    var wholeSpan = whole.mutableSpan
    var length = 0
    let isDone = unsafe message.withC { message_ in
      unsafe second.withC { second_ in
        unsafe wholeSpan.withC { out in
          unsafe EVP_MAC_init(context, nil, 0, nil) == 1 && EVP_MAC_update(context, message_, message.count) == 1
            && EVP_MAC_update(context, second_, second.count) == 1 && EVP_MAC_final(context, out, &length, 32) == 1
        }
      }
    }
    guard isDone, length == Self.count else { throw CryptoError(.libraryFailed, "HMAC-SHA-256 failed") }
    for index in 0..<out.count { out[index] = whole[index] }
    var spent = whole.mutableSpan
    wipeBytes(&spent)
  }
}

/// Overwrites the bytes with zeros; the optimiser may not remove the writes.
package func wipeBytes(_ bytes: inout MutableSpan<UInt8>) {
  unsafe bytes.withUnsafeMutableBytes { unsafe wipe($0) }
}
