package import ThumbturnCrypto

/// What a password of a program's has to open before a secret can be read: in the metadata of its record (VAULT.md §3).
///
/// 69 bytes: how the password is stretched, as in the keybag (29), and AES-KW(HKDF(Argon2id(password, salt), "appw" ‖ uuid),
/// content key) (40). Under the content key stands what is in the secret box. The salt is its own, and no version: a record is
/// sealed anew, under other keys or another class, by who does not know the password.
package struct PasswordLock: Hashable, Sendable {
  /// Far above a password, below what would cost anything.
  package static let passwordCountMax = 1_024
  static let count = PasscodeDerivation.count + wrapCount
  private static let wrapCount = RecordKeys.itemKeyCount + KeyWrap.overhead

  let uuid: Identifier
  private let derivation: PasscodeDerivation
  private let wrap: [UInt8]

  /// - Throws: ``VaultError/Code/damagedRecord`` for bytes that no version writes: a cost outside its limits among them,
  ///   before anything is derived.
  init(_ uuid: Identifier, decoding bytes: Span<UInt8>) throws(VaultError) {
    let isMalformed = VaultError(.damagedRecord, "the application password of a record is not whole")
    guard bytes.count == Self.count else { throw isMalformed }
    let head = bytes.extracting(0..<PasscodeDerivation.count)
    guard let derivation = (try? PasscodeDerivation.decode(head)) ?? nil else { throw isMalformed }
    self.uuid = uuid
    self.derivation = derivation
    wrap = bytes.extracting(PasscodeDerivation.count..<Self.count).copied()
  }

  fileprivate init(_ uuid: Identifier, _ derivation: PasscodeDerivation, wrap: [UInt8]) {
    self.uuid = uuid
    self.derivation = derivation
    self.wrap = wrap
  }

  var bytes: [UInt8] { PasscodeDerivation.encoded(derivation) + wrap }

  /// "appw" ‖ uuid ‖ salt: what the inner box authenticates.
  var aad: [UInt8] { Self.info(uuid) + derivation.salt.array }

  fileprivate static func info(_ uuid: Identifier) -> [UInt8] { Array("appw".utf8) + uuid.array }

  /// The content key that a password opens; nil for a wrong one, which is no damage: the lock stands in metadata that has
  /// verified.
  ///
  /// Slow on purpose, 64 MiB and 3 passes: never called with a lock held or a transaction open.
  package func opened(by password: SharedSecret) throws(VaultError) -> SharedSecret? {
    guard StretchedPassword.isAllowed(password) else { return nil }
    let stretched = try StretchedPassword(password, derivation)
    let key = try stretched.key(uuid)
    do throws(CryptoError) { return SharedSecret(try KeyWrap.unwrap(wrap.span, under: key.bytes)) } catch {
      guard error.code == .notAuthentic else { throw VaultError(error) }
      return nil
    }
  }
}

/// An application password after its derivation, for locks that are to be made.
package final class StretchedPassword: Sendable {
  private let derivation: PasscodeDerivation
  private let stretched: SharedSecret

  /// With a new salt. Slow on purpose, as ``PasswordLock/opened(by:)``; nil for one that is empty or too long.
  package convenience init?(new password: SharedSecret) throws(VaultError) {
    guard Self.isAllowed(password) else { return nil }
    let derivation: PasscodeDerivation
    do throws(CryptoError) { derivation = try PasscodeDerivation(PasscodeDerivation.costMin) } catch {
      throw VaultError(error)
    }
    try self.init(password, derivation)
  }

  fileprivate init(_ password: SharedSecret, _ derivation: PasscodeDerivation) throws(VaultError) {
    self.derivation = derivation
    let salt = derivation.salt.bytes
    do throws(CryptoError) {
      stretched = SharedSecret(try Argon2id.derive(password.bytes, salt: salt.span, derivation.cost))
    } catch { throw VaultError(error) }
  }

  static func isAllowed(_ password: SharedSecret) -> Bool {
    (1...PasswordLock.passwordCountMax).contains(password.count)
  }

  /// A new content key for a record, and its lock.
  func makeLock(_ uuid: Identifier) throws(VaultError) -> (PasswordLock, SharedSecret) {
    let key = try key(uuid)
    do throws(CryptoError) {
      let content = SharedSecret(try SecretBytes.random(count: RecordKeys.itemKeyCount))
      let wrap = try content.withBytes { (bytes) throws(CryptoError) in try KeyWrap.wrap(bytes, under: key.bytes) }
      return (PasswordLock(uuid, derivation, wrap: wrap), content)
    } catch { throw VaultError(error) }
  }

  fileprivate func key(_ uuid: Identifier) throws(VaultError) -> SecretBytes {
    let info = PasswordLock.info(uuid)
    do throws(CryptoError) {
      return try stretched.withBytes { (bytes) throws(CryptoError) in try HKDF.derive(key: bytes, info: info.span) }
    } catch { throw VaultError(error) }
  }
}

/// What becomes of the application password of a record that is written anew.
package enum PasswordChange: Sendable {
  /// One that is there stays, and a new secret comes under it.
  case keep
  /// The record gets one.
  case set(StretchedPassword)
  /// It loses the one that it has.
  case remove
}

extension RecordKeys {
  /// The content of a secret box under a content key. A key may be used for several contents: the nonce is new.
  func seal(_ content: Span<UInt8>, under key: SharedSecret, _ lock: PasswordLock) throws(VaultError) -> [UInt8] {
    let aad = lock.aad
    return try key.withBytes { (key) throws(VaultError) in try seal(key: key, aad: aad.span, content) }
  }

  /// What ``seal(_:under:_:)`` sealed.
  ///
  /// - Throws: ``VaultError/Code/damagedRecord``.
  func open(_ box: Span<UInt8>, under key: SharedSecret, _ lock: PasswordLock) throws(VaultError) -> SecretBytes {
    let aad = lock.aad
    return try key.withBytes { (key) throws(VaultError) in try open(key: key, aad: aad.span, box) }
  }
}
