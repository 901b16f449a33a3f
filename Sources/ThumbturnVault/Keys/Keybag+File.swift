internal import ThumbturnCrypto

/// A keybag that was read, believed, and opened with the device key that it names.
struct OpenKeybag: Sendable {
  let keybag: Keybag
  let keys: KeySet

  /// Verifies `bytes` with the device key that they name, and opens the key set.
  ///
  /// - Throws: ``VaultError/Code/missing`` when the device key's file is not there; nothing is made in its place.
  init(_ bytes: [UInt8], devicePath: String) throws(VaultError) {
    let keybag = try Keybag(decoding: bytes.span)
    let keyName = DeviceKey.fileName(keybag.deviceKeyID)
    guard let folder = try Folder.open(devicePath, part: .deviceFolder),
      let deviceKey = try DeviceKey.read(keybag.deviceKeyID, in: folder)
    else { throw VaultError(.missing, "the device key is missing", part: .deviceKey, fileName: keyName) }
    do throws(CryptoError) {
      let parents = try ParentKeys(deviceKey: deviceKey)
      let signed = bytes.span.extracting(0..<(bytes.count - Keybag.macCount))
      let mac = bytes.span.extracting((bytes.count - Keybag.macCount)..<bytes.count)
      guard try Keybag.verify(signed, mac: mac, vault: keybag.vaultID, under: parents) else {
        throw CryptoError.mismatch
      }
      keys = try KeySet.open(keybag, under: parents)
    } catch {
      guard error.code == .notAuthentic else { throw VaultError(error) }
      throw VaultError(.wrongKey, "it and the device key do not fit, one of them was changed", part: .keybag)
    }
    self.keybag = keybag
  }
}

extension Keybag {
  /// The whole file: the fields and their MAC.
  func file(under parents: borrowing ParentKeys) throws(CryptoError) -> [UInt8] {
    let fields = encoded()
    return fields + (try Self.sum(fields.span, vault: vaultID, under: parents))
  }
}
