internal import CSodium
internal import ThumbturnShims

/// Argon2id (RFC 9106) with one lane, by libsodium: makes each guess at a passcode cost memory and time.
package enum Argon2id {
  /// Size of a salt in bytes.
  package static let saltCount = 16
  /// Size of what is derived, in bytes.
  package static let keyCount = 32

  /// What one derivation costs.
  package struct Cost: Hashable, Sendable {
    /// Memory in KiB.
    package var memoryKiB: UInt32
    /// How often the memory is filled.
    package var passes: UInt32

    package init(memoryKiB: UInt32, passes: UInt32) {
      self.memoryKiB = memoryKiB
      self.passes = passes
    }
  }

  /// Derives a key. Its memory, which libsodium returns to the kernel afterwards, is not locked.
  ///
  /// - Throws: ``CryptoError/Code/outOfSecretMemory`` when there is not so much memory, or as
  ///   ``SecretBytes/init(count:fill:)``.
  package static func derive(
    _ passcode: borrowing SecretBytes, salt: Span<UInt8>, _ cost: Cost
  ) throws(CryptoError) -> SecretBytes {
    precondition(salt.count == saltCount && cost.passes >= 1 && cost.memoryKiB >= 8)
    guard sodium_init() >= 0 else { throw CryptoError(.libraryFailed, "libsodium does not start") }
    let passcode = passcode.bytes
    return try SecretBytes(count: keyCount) { (out: inout MutableSpan<UInt8>) throws(CryptoError) in
      let status = unsafe passcode.withC { passcode_ in
        unsafe salt.withC { salt in
          unsafe out.withC { out in
            unsafe crypto_pwhash_argon2id(
              out, UInt64(keyCount), UnsafeRawPointer(passcode_).assumingMemoryBound(to: CChar.self),
              UInt64(passcode.count), salt, UInt64(cost.passes), Int(cost.memoryKiB) * 1_024,
              crypto_pwhash_argon2id_ALG_ARGON2ID13)
          }
        }
      }
      wipeStack()
      guard status == 0 else { throw CryptoError(.outOfSecretMemory, "no memory for the derivation of a key") }
    }
  }
}
