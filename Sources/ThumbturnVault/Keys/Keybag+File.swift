internal import ThumbturnCrypto

/// A keybag that was read and believed, with the device key that it names.
struct VerifiedKeybag: Sendable {
  let keybag: Keybag
  let deviceKey: SharedSecret

  /// Verifies `bytes` with the device key that they name.
  ///
  /// - Throws: ``VaultError/Code/missing`` when the device key's file is not there; nothing is made in its place.
  init(_ bytes: [UInt8], devicePath: String) throws(VaultError) {
    let keybag = try Keybag(decoding: bytes.span)
    let keyName = DeviceKey.fileName(keybag.deviceKeyID)
    guard let folder = try Folder.open(devicePath, part: .deviceFolder),
      let deviceKey = try DeviceKey.read(keybag.deviceKeyID, in: folder)
    else { throw VaultError(.missing, "the device key is missing", part: .deviceKey, fileName: keyName) }
    self.keybag = keybag
    self.deviceKey = SharedSecret(deviceKey)
    let isAuthentic: Bool
    do throws(CryptoError) {
      let parents = ParentKeys(lockedDeviceKey: try copyOfDeviceKey())
      let signed = bytes.span.extracting(0..<(bytes.count - Keybag.macCount))
      let mac = bytes.span.extracting((bytes.count - Keybag.macCount)..<bytes.count)
      isAuthentic = try Keybag.verify(signed, mac: mac, vault: keybag.vaultID, under: parents)
    } catch { throw VaultError(error) }
    guard isAuthentic else { throw Self.isMisfit }
  }

  /// For the parents of a key set, each of which owns one.
  func copyOfDeviceKey() throws(CryptoError) -> SecretBytes {
    try deviceKey.withBytes { (bytes) throws(CryptoError) in try SecretBytes(copying: bytes) }
  }

  static var isMisfit: VaultError {
    VaultError(.wrongKey, "it and the device key do not fit, one of them was changed", part: .keybag)
  }

  /// The parents without a passcode: of a vault that has one, only what is always available opens under them.
  func parents() throws(CryptoError) -> ParentKeys {
    let deviceKey = try copyOfDeviceKey()
    return keybag.derivation == nil
      ? try ParentKeys(deviceKey: deviceKey) : ParentKeys(lockedDeviceKey: deviceKey)
  }

  /// The key set that a passcode's key opens.
  ///
  /// - Throws: ``VaultError/Code/wrongPasscode``.
  func keys(passcodeKey: borrowing SecretBytes) throws(VaultError) -> KeySet {
    do throws(CryptoError) {
      return try KeySet.open(
        keybag, under: try ParentKeys(deviceKey: try copyOfDeviceKey(), passcodeKey: passcodeKey))
    } catch {
      // The MAC has shown that nobody changed the wraps.
      guard error.code == .notAuthentic else { throw VaultError(error) }
      throw VaultError(.wrongPasscode, "the passcode is not this vault's", part: .keybag)
    }
  }
}

/// A keybag that was read, believed, and opened as far as its keys are there.
struct OpenKeybag: Sendable {
  let keybag: Keybag
  let keys: KeySet

  /// Verifies `bytes` with the device key that they name, and opens the key set.
  ///
  /// - Parameter unlocked: What a passcode has opened before; keys of another set are passed over.
  /// - Throws: As ``VerifiedKeybag``.
  init(_ bytes: [UInt8], devicePath: String, unlocked: UnlockedKeys? = nil) throws(VaultError) {
    let verified = try VerifiedKeybag(bytes, devicePath: devicePath)
    do throws(CryptoError) {
      keys = try KeySet.open(verified.keybag, under: try verified.parents()).adding(unlocked)
    } catch {
      guard error.code == .notAuthentic else { throw VaultError(error) }
      throw VerifiedKeybag.isMisfit
    }
    keybag = verified.keybag
  }
}

extension Keybag {
  /// The whole file: the fields and their MAC.
  func file(under parents: borrowing ParentKeys) throws(CryptoError) -> [UInt8] {
    let fields = encoded()
    return fields + (try Self.sum(fields.span, vault: vaultID, under: parents))
  }

  /// The keybag that follows this one, as it is but for its number and ids.
  func next(id newID: Identifier) -> Keybag {
    var next = self
    next.format = .current
    next.number = number + 1
    next.predecessor = id
    next.id = newID
    next.removals = []
    return next
  }
}
