internal import Glibc
internal import ThumbturnCrypto

/// D0, the key of this device: 32 random bytes that open what is always available (VAULT.md §2).
///
/// File `device/d0-ID`: magic (8), major (2), minor (2), id (16), key (32).
enum DeviceKey {
  static let keyCount = 32
  private static let magic: InlineArray<8, UInt8> = [0x54, 0x54, 0x44, 0x45, 0x56, 0x4B, 0x45, 0x59]  // TTDEVKEY
  private static let fileCount = 60

  static func fileName(_ id: Identifier) -> String { "d0-\(id.hexadecimal)" }
  /// The name until the key is whole and on the disk.
  static func temporaryName(_ id: Identifier) -> String { "d0-\(id.hexadecimal).new" }

  /// HKDF(D0, name ‖ vault UUID): a key for one purpose.
  static func derive(
    from deviceKey: borrowing SecretBytes, _ name: StaticString, _ vault: Identifier
  ) throws(CryptoError) -> SecretBytes {
    let text = "\(name)"
    let id = vault.bytes
    return try HKDF.derive(key: deviceKey.bytes, info: (Array(text.utf8) + id.span.copied()).span)
  }

  /// Stores a new key. Its name is on the disk when this returns, and never replaces another file.
  static func create(_ id: Identifier, _ key: Span<UInt8>, in folder: Folder) throws(VaultError) {
    let file: SecretBytes
    do throws(CryptoError) {
      file = try SecretBytes(count: fileCount) { (out: inout MutableSpan<UInt8>) throws(CryptoError) in
        var at = 0
        out.put(magic.span, at: &at)
        out.putNumber(UInt64(FormatVersion.current.major), count: 2, at: &at)
        out.putNumber(UInt64(FormatVersion.current.minor), count: 2, at: &at)
        let id = id.bytes
        out.put(id.span, at: &at)
        out.put(key, at: &at)
      }
    } catch { throw VaultError(error) }
    try folder.write(file.bytes, to: temporaryName(id), as: .deviceKey)
    try folder.link(temporaryName(id), to: fileName(id), as: .deviceKey)
    try folder.remove(temporaryName(id))
    try folder.synchronize()
  }

  /// Reads the key that a keybag names; nil when its file is not there.
  static func read(_ id: Identifier, in folder: Folder) throws(VaultError) -> SecretBytes? {
    let name = fileName(id)
    guard let descriptor = try folder.open(name, as: .deviceKey) else { return nil }
    defer { system_close(descriptor) }
    var count = 0
    var failure: SystemError?
    let file: SecretBytes
    do {
      // One byte more than the file may have, to see that it has no more.
      file = try SecretBytes(count: fileCount + 1) { (out: inout MutableSpan<UInt8>) throws(CryptoError) in
        do throws(SystemError) { count = try system_read(descriptor, into: &out) } catch { failure = error }
      }
    } catch { throw VaultError(error) }
    if let failure { throw VaultError(failure, part: .deviceKey, fileName: name) }
    guard count == fileCount else {
      throw VaultError(.damaged, "the device key's file has a wrong size", part: .deviceKey, fileName: name)
    }
    return try key(in: file, id)
  }

  private static func key(in file: borrowing SecretBytes, _ id: Identifier) throws(VaultError) -> SecretBytes {
    let bytes = file.bytes
    let name = fileName(id)
    guard bytes.extracting(0..<8).equals(magic.span) else {
      throw VaultError(.damaged, "the device key's file is not ours", part: .deviceKey, fileName: name)
    }
    let format = FormatVersion(
      major: UInt16(bytes.number(at: 8, count: 2)), minor: UInt16(bytes.number(at: 10, count: 2)))
    try format.check(.deviceKey, fileName: name)
    guard Identifier(bytes.extracting(12..<28)) == id else {
      throw VaultError(.wrongKey, "the device key's file holds another key", part: .deviceKey, fileName: name)
    }
    do { return try SecretBytes(copying: bytes.extracting(28..<60)) } catch { throw VaultError(error) }
  }
}

extension VaultError {
  /// What an error of the cryptographic layer means to the vault, where it can only be a lack of memory or of randomness.
  init(_ error: CryptoError, fileID: String = #fileID, line: UInt = #line) {
    let (code, reason): (Code, StaticString) =
      switch error.code {
      case .outOfSecretMemory: (.outOfMemory, "no memory for secrets")
      case .tooLarge: (.tooLarge, "a secret is too large")
      case .notAuthentic: (.damagedRecord, "a box did not verify")
      case .randomUnavailable: (.inputOutput, "the kernel gave no random bytes")
      default: (.inputOutput, "the cipher library failed")
      }
    self.init(code, reason, fileID: fileID, line: line)
  }
}
