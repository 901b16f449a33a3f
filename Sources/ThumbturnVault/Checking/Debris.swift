/// What a check or a salvage that was cut off leaves behind: databases that were never in use. What is deleted later would
/// stay in them for ever.
enum Debris {
  /// Removes it. With the writer lock, and with the live database in its place: while there is none, a salvage that was
  /// confirmed waits to be finished. What cannot be removed, as a folder of such a name, must not keep the vault from being
  /// written: it is passed over.
  static func remove(_ keybag: Keybag, in folder: Folder) throws(VaultError) {
    let bases = [SalvageFiles.temporaryName(keybag), SalvageFiles.wholeName(keybag), Quarantine.temporaryName]
    let debris = bases.flatMap { base in ["", "-journal", "-wal", "-shm"].map { base + $0 } }
    for name in try folder.names() where debris.contains(name) { try? folder.remove(name) }
  }
}
