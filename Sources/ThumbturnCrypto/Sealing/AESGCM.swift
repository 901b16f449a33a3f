internal import CLibcrypto

/// AES-256-GCM with kept contexts. A box is nonce (12) ‖ ciphertext ‖ tag (16).
///
/// The nonce is made inside ``seal(key:aad:_:into:)``, from getrandom(2), or taken there from ``FreshBytes``. One owner; not for two threads at once.
/// OpenSSL's contexts lie in ordinary memory, so a context holds a key only while a call runs.
@safe
package struct AESGCM: ~Copyable {
  /// Bytes that a box has more than its plaintext.
  package static let overhead = 28

  private let sealing: OpaquePointer
  private let opening: OpaquePointer

  /// - Throws: ``CryptoError/Code/libraryFailed``.
  package init() throws(CryptoError) {
    let first = unsafe EVP_CIPHER_CTX_new()
    let second = unsafe EVP_CIPHER_CTX_new()
    guard let sealing = unsafe first, let opening = unsafe second, let cipher = unsafe OpenSSL.aes256GCM,
      unsafe EVP_EncryptInit_ex2(sealing, cipher, nil, nil, nil) == 1,
      unsafe EVP_DecryptInit_ex2(opening, cipher, nil, nil, nil) == 1
    else {
      unsafe EVP_CIPHER_CTX_free(first)
      unsafe EVP_CIPHER_CTX_free(second)
      throw CryptoError(.libraryFailed, "AES-256-GCM is not to be had")
    }
    unsafe self.sealing = sealing
    unsafe self.opening = opening
  }

  deinit {
    unsafe EVP_CIPHER_CTX_free(sealing)
    unsafe EVP_CIPHER_CTX_free(opening)
  }

  /// Writes the box of `text` into `out`, which is 28 bytes longer.
  ///
  /// - Throws: ``CryptoError/Code/randomUnavailable``, ``CryptoError/Code/libraryFailed``.
  package borrowing func seal(
    key: Span<UInt8>, aad: Span<UInt8>, _ text: Span<UInt8>, into out: inout MutableSpan<UInt8>
  ) throws(CryptoError) {
    var nonce = InlineArray<12, UInt8>(repeating: 0)
    var nonceSpan = nonce.mutableSpan
    try randomBytes(into: &nonceSpan)
    try seal(key: key, nonce: nonce, aad: aad, text, into: &out)
  }

  /// As ``seal(key:aad:_:into:)`` with the next 12 of `fresh` as its nonce.
  package borrowing func seal(
    key: Span<UInt8>, aad: Span<UInt8>, _ text: Span<UInt8>, into out: inout MutableSpan<UInt8>,
    _ fresh: inout FreshBytes
  ) throws(CryptoError) {
    let nonce = fresh.next(InlineArray<12, UInt8>.self)
    try seal(key: key, nonce: nonce, aad: aad, text, into: &out)
  }

  /// As ``seal(key:aad:_:into:)`` with a nonce from outside: for published test vectors only.
  borrowing func seal(
    key: Span<UInt8>, nonce: InlineArray<12, UInt8>, aad: Span<UInt8>, _ text: Span<UInt8>,
    into out: inout MutableSpan<UInt8>
  ) throws(CryptoError) {
    precondition(key.count == 32 && out.count == text.count + Self.overhead)
    var at = 0
    out.put(nonce.span, at: &at)
    var length: Int32 = 0
    let isDone = unsafe key.withC { key in
      unsafe aad.withC { aad_ in
        unsafe text.withC { text_ in
          unsafe out.withC { out in
            unsafe EVP_EncryptInit_ex2(sealing, nil, key, out, nil) == 1
              && (aad.isEmpty || EVP_EncryptUpdate(sealing, nil, &length, aad_, Int32(aad.count)) == 1)
              && (text.isEmpty || EVP_EncryptUpdate(sealing, out + 12, &length, text_, Int32(text.count)) == 1)
              && EVP_EncryptFinal_ex(sealing, out + 12 + text.count, &length) == 1
              && EVP_CIPHER_CTX_ctrl(sealing, EVP_CTRL_AEAD_GET_TAG, 16, out + 12 + text.count) == 1
          }
        }
      }
    }
    guard unsafe Self.forgetKey(sealing), isDone else { throw CryptoError(.libraryFailed, "AES-256-GCM did not seal") }
  }

  /// Writes the plaintext of `box` into `out`, which is 28 bytes shorter. When the tag does not verify, `out` is wiped.
  ///
  /// - Throws: ``CryptoError/Code/notAuthentic`` when the box was changed or belongs to another key or context.
  package borrowing func open(
    key: Span<UInt8>, aad: Span<UInt8>, _ box: Span<UInt8>, into out: inout MutableSpan<UInt8>
  ) throws(CryptoError) {
    precondition(key.count == 32)
    guard box.count >= Self.overhead, out.count == box.count - Self.overhead else {
      throw CryptoError(.notAuthentic, "a box has at least 28 bytes")
    }
    let textCount = out.count
    var length: Int32 = 0
    let isDone = unsafe key.withC { key in
      unsafe aad.withC { aad_ in
        unsafe box.withC { box in
          unsafe out.withC { out in
            // The tag is only read; the call has no const form.
            unsafe EVP_DecryptInit_ex2(opening, nil, key, box, nil) == 1
              && (aad.isEmpty || EVP_DecryptUpdate(opening, nil, &length, aad_, Int32(aad.count)) == 1)
              && (textCount == 0 || EVP_DecryptUpdate(opening, out, &length, box + 12, Int32(textCount)) == 1)
              && EVP_CIPHER_CTX_ctrl(
                opening, EVP_CTRL_AEAD_SET_TAG, 16, UnsafeMutablePointer(mutating: box + 12 + textCount)) == 1
              && EVP_DecryptFinal_ex(opening, out + textCount, &length) == 1
          }
        }
      }
    }
    let isForgotten = unsafe Self.forgetKey(opening)
    guard isDone, isForgotten else {
      wipeBytes(&out)
      guard isForgotten else { throw CryptoError(.libraryFailed, "AES-256-GCM kept a key") }
      throw CryptoError(.notAuthentic, "the tag of a box did not verify")
    }
  }

  /// Puts the schedule of a key of zeros, and what GCM derives from it, over those of the key that was used. Only this
  /// reaches them: OpenSSL's own reset frees the context, and to make it anew costs more.
  private static func forgetKey(_ context: OpaquePointer) -> Bool {
    let zeros = InlineArray<32, UInt8>(repeating: 0)
    return unsafe zeros.span.withC { unsafe EVP_CipherInit_ex2(context, nil, $0, nil, -1, nil) == 1 }
  }
}
