internal import CLibcrypto

/// AES-256 key wrap (RFC 3394): a key under a key, without a nonce. A wrap is 8 bytes longer than its key.
package enum KeyWrap {
  /// Bytes that a wrap has more than its key.
  package static let overhead = 8

  /// Wraps `key`, whose size is a multiple of 8 and at least 16, under `wrappingKey` of 32 bytes.
  ///
  /// - Throws: ``CryptoError/Code/libraryFailed``.
  package static func wrap(_ key: Span<UInt8>, under wrappingKey: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    precondition(wrappingKey.count == 32 && key.count >= 16 && key.count.isMultiple(of: 8))
    var out = [UInt8](repeating: 0, count: key.count + overhead)
    var span = out.mutableSpan
    guard run(key, under: wrappingKey, isWrapping: true, into: &span) else {
      throw CryptoError(.libraryFailed, "AES key wrap failed")
    }
    return out
  }

  /// Unwraps `wrap`.
  ///
  /// - Throws: ``CryptoError/Code/notAuthentic`` when the wrap was changed or belongs to another key.
  package static func unwrap(
    _ wrap: Span<UInt8>, under wrappingKey: Span<UInt8>
  ) throws(CryptoError) -> SecretBytes {
    precondition(wrappingKey.count == 32)
    guard wrap.count >= 24, wrap.count.isMultiple(of: 8), wrap.count <= 4_096 else {
      throw CryptoError(.notAuthentic, "a wrapped key of a wrong size")
    }
    // OpenSSL writes up to the size of the wrap before it has checked it.
    var key = try SecretBytes(count: wrap.count) { (out: inout MutableSpan<UInt8>) throws(CryptoError) in
      guard run(wrap, under: wrappingKey, isWrapping: false, into: &out) else {
        throw CryptoError(.notAuthentic, "a wrapped key did not verify")
      }
    }
    key.narrow(to: 0..<(wrap.count - overhead))
    return key
  }

  private static func run(
    _ input: Span<UInt8>, under key: Span<UInt8>, isWrapping: Bool, into out: inout MutableSpan<UInt8>
  ) -> Bool {
    let context = unsafe EVP_CIPHER_CTX_new()
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    guard unsafe context != nil, let cipher = unsafe OpenSSL.aes256Wrap else { return false }
    unsafe EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW)
    let expected = isWrapping ? input.count + overhead : input.count - overhead
    var written: Int32 = 0
    var rest: Int32 = 0
    let isDone = unsafe key.withC { key in
      unsafe input.withC { input_ in
        unsafe out.withC { out in
          unsafe EVP_CipherInit_ex2(context, cipher, key, nil, isWrapping ? 1 : 0, nil) == 1
            && EVP_CipherUpdate(context, out, &written, input_, Int32(input.count)) == 1
            && EVP_CipherFinal_ex(context, out + Int(written), &rest) == 1
        }
      }
    }
    return isDone && Int(written) + Int(rest) == expected
  }
}
