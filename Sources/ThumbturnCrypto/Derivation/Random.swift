internal import ThumbturnShims

/// Fills `bytes` from getrandom(2), which a fork and a resumed virtual machine do not repeat.
///
/// - Throws: ``CryptoError/Code/randomUnavailable``; nothing weaker is used instead.
package func randomBytes(into bytes: inout MutableSpan<UInt8>) throws(CryptoError) {
  guard fillRandom(&bytes) else { throw CryptoError(.randomUnavailable, "getrandom gave no bytes") }
}
