/// What a check, a salvage or a change of the passcode that was cut off leaves behind: files that were never in use. What is
/// deleted later would stay in them for ever, and a keybag that was to remove the passcode needs none.
enum Debris {
  /// Removes it. With the writer lock, and with the live database in its place: while there is none, a salvage that was
  /// confirmed waits to be finished. What cannot be removed, as a folder of such a name, must not keep the vault from being
  /// written: it is passed over.
  static func remove(_ keybag: Keybag, in folder: Folder) throws(VaultError) {
    let bases = [
      SalvageFiles.temporaryName(keybag), SalvageFiles.wholeName(keybag), Quarantine.temporaryName,
      Reseal.temporaryName,
    ]
    let debris = bases.flatMap { base in ["", "-journal", "-wal", "-shm"].map { base + $0 } } + [Keybag.nextFileName]
    for name in try folder.names() where debris.contains(name) { try? folder.remove(name) }
  }
}

/// The files of an older key set, which the keybag that took its place names (VAULT.md §2).
enum Removals {
  /// Removes them, and nothing else. With the writer lock.
  static func remove(_ keybag: Keybag, in folder: Folder, devicePath: String) throws(VaultError) {
    guard !keybag.removals.isEmpty else { return }
    let device = try Folder.open(devicePath, part: .deviceFolder)
    for name in keybag.removals {
      // Only names that this format gives; the keybag's MAC has shown that they are ours.
      if name.hasPrefix("d0-"), name != DeviceKey.fileName(keybag.deviceKeyID) {
        try device?.remove(name)
      } else if name.hasPrefix("vault-"), name.hasSuffix(".db"), name != keybag.databaseName {
        for suffix in ["", "-wal", "-shm"] { try folder.remove(name + suffix) }
      }
    }
  }
}
