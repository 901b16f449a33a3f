internal import ThumbturnCrypto

/// A keybag that is looked at or exchanged, with its vault's seat taken, apart from the open vault.
final class KeybagVisit {
  let folder: Folder
  let device: Folder
  let seat: Seat
  /// The seat's lock, in a process that keeps it.
  let held: FileLock?
  private let bytes: [UInt8]
  private let location: VaultLocation

  /// - Throws: ``VaultError/Code/noVault`` when there is none.
  init(_ location: VaultLocation, held: FileLock?) throws(VaultError) {
    guard let folder = try Folder.open(location.vaultFolder, part: .vaultFolder),
      let descriptor = try folder.open(Keybag.fileName, as: .keybag)
    else { throw VaultError(.noVault, "there is no vault yet", part: .vaultFolder) }
    self.folder = folder
    self.location = location
    self.held = held
    let file = try KeybagFile(descriptor: descriptor)
    seat = try Seat(folder, path: location.vaultFolder, keybag: file, held: held)
    try seat.take()
    do throws(VaultError) {
      bytes = try file.read()
      guard let device = try Folder.open(location.deviceFolder, part: .deviceFolder) else {
        throw VaultError(.missing, "the device folder is missing", part: .deviceFolder)
      }
      self.device = device
    } catch {
      seat.give()
      throw error
    }
  }

  deinit { seat.give() }

  /// The keybag with its device key.
  func verified() throws(VaultError) -> VerifiedKeybag {
    try VerifiedKeybag(bytes, devicePath: location.deviceFolder)
  }

  /// Whether it is still the vault's keybag.
  func isCurrent() throws(VaultError) -> Bool { try seat.isCurrent() }

  /// Puts `keybag` in the place of the one that is there: the rename is the commit. With the writer lock.
  func replace(with keybag: Keybag, under parents: borrowing ParentKeys) throws(VaultError) {
    let file: [UInt8]
    do throws(CryptoError) { file = try keybag.file(under: parents) } catch { throw VaultError(error) }
    try folder.remove(Keybag.nextFileName)
    do throws(VaultError) {
      try folder.write(file.span, to: Keybag.nextFileName, as: .keybag)
      try folder.rename(Keybag.nextFileName, to: Keybag.fileName, as: .keybag)
    } catch {
      try? folder.remove(Keybag.nextFileName)
      throw error
    }
    do throws(VaultError) { try folder.synchronize() } catch {
      // Not as an error after which nothing was changed.
      throw VaultError(.inputOutput, "it was replaced, and the disk did not confirm it", part: .keybag)
    }
  }

  /// Removes a keybag that never took its place, because who wrote it was killed. One that was to remove the passcode opens
  /// everything with the device key. While somebody writes, it may be that one's: who writes next removes it then.
  func removeUnfinished() {
    guard let facts = try? folder.facts(of: Keybag.nextFileName), facts.kind == .file,
      let lock = try? WriterLock(in: folder), (try? lock.takeNow()) == true
    else { return }
    defer { lock.give() }
    guard (try? lock.isCurrent(in: folder)) == true else { return }
    try? folder.remove(Keybag.nextFileName)
    try? folder.synchronize()
  }
}
