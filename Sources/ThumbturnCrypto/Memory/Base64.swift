internal import CSodium

/// The base64 form of `bytes` with padding, without line breaks, made in time that depends on the size only.
///
/// - Throws: As ``SecretBytes/init(count:fill:)``.
package func base64(_ bytes: Span<UInt8>) throws(CryptoError) -> SecretBytes {
  let variant = sodium_base64_VARIANT_ORIGINAL
  // The size that libsodium gives has the NUL in it that it writes behind the text.
  let size = sodium_base64_encoded_len(bytes.count, variant)
  var text = try SecretBytes(count: size) { (out: inout MutableSpan<UInt8>) throws(CryptoError) in
    unsafe out.withUnsafeMutableBytes { out in
      unsafe bytes.withUnsafeBytes { bytes in
        // The size has room for the NUL, so there is always a place to write to.
        guard let text = unsafe out.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        _ = unsafe sodium_bin2base64(text, out.count, start, bytes.count, variant)
      }
    }
  }
  text.narrow(to: 0..<(size - 1))
  return text
}
