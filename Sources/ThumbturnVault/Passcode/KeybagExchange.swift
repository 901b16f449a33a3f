internal import ThumbturnCrypto

/// Puts a keybag with another passcode in the place of the present one. With the locks of attempts and writers.
struct KeybagExchange {
  let visit: KeybagVisit
  let checked: PasscodeCheck
  /// The present key set, all of it open.
  let keys: KeySet
  let next: NextPasscode
  let location: VaultLocation

  private var isRemoving: Bool { next.derivation == nil }

  /// The same keys under another KEK. Records stay as they are: a thief with an older copy of the files and the older
  /// passcode is not stopped.
  ///
  /// - Returns: The key set as it is from now on.
  func rewrap() throws(VaultError) -> KeySet {
    let kept = isRemoving ? keys.without(.protection(.whenPasscodeSetThisDeviceOnly)) : keys
    let parents = try parents(checked.deviceKey)
    var keybag = try nextKeybag(kept, under: parents)
    if isRemoving { keybag.dead.insert(.whenPasscodeSetThisDeviceOnly) }
    try Removals.remove(checked.keybag, in: visit.folder, devicePath: location.deviceFolder)
    try visit.replace(with: keybag, under: parents)
    return kept
  }

  private func parents(_ deviceKey: SharedSecret) throws(VaultError) -> ParentKeys {
    do { return try next.parents(deviceKey) } catch { throw VaultError(error) }
  }

  /// The keybag that follows the present one, with these keys.
  private func nextKeybag(_ keys: KeySet, under parents: borrowing ParentKeys) throws(VaultError) -> Keybag {
    var keybag = checked.keybag.next(id: try newIdentifier())
    keybag.keySetID = keys.id
    do throws(CryptoError) { keybag.wraps = try keys.wraps(under: parents) } catch { throw VaultError(error) }
    keybag.derivation = next.derivation
    return keybag
  }

  /// New device key, new key set, every record sealed anew; then the keybag, whose rename is the only commit.
  ///
  /// - Returns: The new key set.
  func reseal(_ drafting: any RecordDrafting, _ progress: (Int, Int) -> Void) throws(VaultError) -> KeySet {
    try Removals.remove(checked.keybag, in: visit.folder, devicePath: location.deviceFolder)
    try refuseRemains()
    let newKeys = try newKeys()
    let deviceKey = try newDeviceKey()
    let parents = try parents(deviceKey)
    var keybag = try nextKeybag(newKeys, under: parents)
    keybag.deviceKeyID = try newIdentifier()
    keybag.dead = isRemoving ? [.whenPasscodeSetThisDeviceOnly] : []
    let oldKeyName = DeviceKey.fileName(checked.keybag.deviceKeyID)
    keybag.removals = [checked.keybag.databaseName, oldKeyName]
    do throws(VaultError) {
      try writeDatabase(keybag, newKeys, drafting, progress)
      try store(deviceKey, keybag)
      try visit.replace(with: keybag, under: parents)
    } catch {
      discardUnlessCommitted(keybag)
      throw error
    }
    // It is made. What cannot be removed now, the next writer removes.
    try? Removals.remove(keybag, in: visit.folder, devicePath: location.deviceFolder)
    return newKeys
  }

  private func writeDatabase(
    _ keybag: Keybag, _ newKeys: KeySet, _ drafting: any RecordDrafting, _ progress: (Int, Int) -> Void
  ) throws(VaultError) {
    guard let old = try OpenVault.open(visit.folder, at: location, unlocked: keys.unlocked, held: visit.held) else {
      throw VaultError(.noVault, "there is no vault yet", part: .vaultFolder)
    }
    defer { old.seat.give() }
    let reseal = try Reseal(old, keybag, newKeys, drafting)
    try reseal.run(progress)
  }

  private func newKeys() throws(VaultError) -> KeySet {
    do throws(CryptoError) {
      return try KeySet.random(hasPasscode: !isRemoving, hasPolicy: keys.key(.policy) != nil)
    } catch { throw VaultError(error) }
  }

  private func newDeviceKey() throws(VaultError) -> SharedSecret {
    do throws(CryptoError) { return SharedSecret(try SecretBytes.random(count: DeviceKey.keyCount)) } catch {
      throw VaultError(error)
    }
  }

  private func newIdentifier() throws(VaultError) -> Identifier {
    do throws(CryptoError) { return try Identifier.random() } catch { throw VaultError(error) }
  }

  private func store(_ deviceKey: SharedSecret, _ keybag: Keybag) throws(VaultError) {
    try deviceKey.withBytes { (bytes) throws(VaultError) in
      try DeviceKey.create(keybag.deviceKeyID, bytes, in: visit.device)
    }
    if !isRemoving { try checked.attempts.prepare(for: deviceKey.bytes, keybag.vaultID) }
  }

  /// Removes what was never in use; when the commit was made and only its last step failed, it is.
  private func discardUnlessCommitted(_ keybag: Keybag) {
    guard let now = try? VerifiedKeybag.identifier(in: visit.folder), now == checked.keybag.id else { return }
    for suffix in ["", "-wal", "-shm"] { try? visit.folder.remove(keybag.databaseName + suffix) }
    for name in [DeviceKey.temporaryName(keybag.deviceKeyID), DeviceKey.fileName(keybag.deviceKeyID)] {
      try? visit.device.remove(name)
    }
  }

  /// Refuses to go on where files under the old keys would stay readable with an old copy of keybag and device key.
  private func refuseRemains() throws(VaultError) {
    for name in try visit.folder.names()
    where name == Quarantine.fileName || name.hasPrefix("vault-") && name.contains(SalvageFiles.keptMark) {
      throw VaultError(
        .inTheWay, "damaged records under the old keys would outlive them", part: .vaultFolder, fileName: name)
    }
  }
}

extension VerifiedKeybag {
  /// The id of the keybag that has its name now, believed in nothing else.
  static func identifier(in folder: Folder) throws(VaultError) -> Identifier? {
    guard let descriptor = try folder.open(Keybag.fileName, as: .keybag) else { return nil }
    let bytes = try KeybagFile(descriptor: descriptor).read()
    return try Keybag(decoding: bytes.span).id
  }
}
