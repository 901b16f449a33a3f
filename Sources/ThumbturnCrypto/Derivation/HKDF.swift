internal import CLibcrypto

/// HKDF-SHA-256 (RFC 5869), extract and expand.
package enum HKDF {
  /// Derives `count` bytes from `key`.
  ///
  /// - Parameters:
  ///   - key: Input key material.
  ///   - salt: May be empty.
  ///   - info: What the derived key is for; may be empty.
  ///   - count: Size in bytes, from 1 to 8,160.
  /// - Throws: ``CryptoError/Code/libraryFailed``, or as ``SecretBytes/init(count:fill:)``.
  package static func derive(
    key: Span<UInt8>, salt: Span<UInt8> = Span(), info: Span<UInt8>, count: Int = 32
  ) throws(CryptoError) -> SecretBytes {
    precondition(count >= 1 && count <= 8_160)
    return try SecretBytes(count: count) { (out: inout MutableSpan<UInt8>) throws(CryptoError) in
      let context = unsafe EVP_KDF_CTX_new(OpenSSL.hkdf)
      defer { unsafe EVP_KDF_CTX_free(context) }
      let isDone = unsafe key.withC { key_ in
        unsafe salt.withC { salt_ in
          unsafe info.withC { info_ in
            unsafe out.withC { out_ in
              var parameters = unsafe [
                tt_parameter_sha256(), tt_parameter_key(key_, key.count), tt_parameter_salt(salt_, salt.count),
                tt_parameter_info(info_, info.count), OSSL_PARAM_construct_end(),
              ]
              return unsafe context != nil && EVP_KDF_derive(context, out_, count, &parameters) == 1
            }
          }
        }
      }
      guard isDone else { throw CryptoError(.libraryFailed, "HKDF-SHA-256 failed") }
    }
  }
}
