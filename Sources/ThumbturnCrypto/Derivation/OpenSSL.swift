internal import CLibcrypto

/// OpenSSL's algorithms, fetched once. The fetched objects are immutable and may be used from any thread.
@safe
enum OpenSSL {
  /// The user's configuration file is never read: it could name a provider that logs keys.
  private static let isStarted: Bool = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil) == 1

  nonisolated(unsafe) static let hkdf: OpaquePointer? = unsafe isStarted ? EVP_KDF_fetch(nil, "HKDF", nil) : nil
  nonisolated(unsafe) static let aes256GCM: OpaquePointer? =
    unsafe isStarted ? EVP_CIPHER_fetch(nil, "AES-256-GCM", nil) : nil
  nonisolated(unsafe) static let aes256Wrap: OpaquePointer? =
    unsafe isStarted ? EVP_CIPHER_fetch(nil, "AES-256-WRAP", nil) : nil
}

extension Span where Element == UInt8 {
  /// Calls `body` with the bytes as C sees them; an empty span has an address too, which some calls of OpenSSL need.
  func withC<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
    unsafe withUnsafeBufferPointer { buffer in
      if let address = buffer.baseAddress { return unsafe body(address) }
      return unsafe withUnsafePointer(to: 0) { unsafe body($0) }
    }
  }
}

extension MutableSpan where Element == UInt8 {
  /// As `Span.withC`, to be written.
  @_lifetime(self: copy self)
  mutating func withC<Result>(_ body: (UnsafeMutablePointer<UInt8>) -> Result) -> Result {
    unsafe withUnsafeMutableBufferPointer { buffer in
      if let address = buffer.baseAddress { return unsafe body(address) }
      var nothing: UInt8 = 0
      return unsafe withUnsafeMutablePointer(to: &nothing) { unsafe body($0) }
    }
  }
}
