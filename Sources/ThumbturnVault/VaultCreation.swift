internal import ThumbturnCrypto

/// Makes a vault (VAULT.md §2): device key, then database with header, then keybag, whose link is the commit.
///
/// `keybag.new` is on the disk first and names the other two, so that after a crash the next creator can tell what its
/// predecessor left: it either finishes the work or removes just that.
struct VaultCreation: ~Copyable {
  private let location: VaultLocation
  private let folder: Folder
  private let device: Folder
  private let flags: FreshnessHeader.Flags

  private init(_ location: VaultLocation, _ folder: Folder, _ flags: FreshnessHeader.Flags) throws(VaultError) {
    self.location = location
    self.flags = flags
    self.folder = folder
    device = try Folder.make(location.deviceFolder, part: .deviceFolder)
  }

  /// Makes the vault, unless another process was faster.
  static func run(
    at location: VaultLocation, _ patience: Patience, _ flags: FreshnessHeader.Flags = []
  ) throws(VaultError) {
    try CreationPlace.check(location)
    let folder = try Folder.make(location.vaultFolder, part: .vaultFolder)
    if let refusal = try folder.writeRefusal() { throw refusal }
    let lock = try WriterLock(in: folder)
    try lock.take(patience)
    defer { lock.give() }
    guard try lock.isCurrent(in: folder) else {
      throw VaultError(.inputOutput, "the writer lock was removed meanwhile", part: .writerLock)
    }
    guard try folder.facts(of: Keybag.fileName) == nil else { return }
    let creation = try VaultCreation(location, folder, flags)
    switch try creation.finishEarlier() {
    case .finished: return
    case .cleared(let deviceKeyID):
      try refuseOrphans(in: folder)
      try creation.make(under: deviceKeyID)
    }
  }

  /// Refuses to go on where a database stands without a keybag: there may be records in it.
  static func refuseOrphans(in folder: Folder) throws(VaultError) {
    guard try databases(in: folder).isEmpty else {
      throw VaultError(.missing, "there is a database but no keybag", part: .keybag)
    }
  }

  /// Whether the only database is an announced one that nobody ever wrote a record to: its creator was killed before the
  /// keybag had its name, and there is no vault yet. With the writer lock, where there is no keybag.
  static func isUnfinished(in folder: Folder) throws(VaultError) -> Bool {
    guard let descriptor = try folder.open(Keybag.newFileName, as: .keybag) else { return false }
    let bytes = try KeybagFile(descriptor: descriptor).read()
    guard let keybag = try? Keybag(decoding: bytes.span), try databases(in: folder) == [keybag.databaseName] else {
      return false
    }
    return try isEmpty(keybag.databaseName, in: folder)
  }

  private static func databases(in folder: Folder) throws(VaultError) -> [String] {
    try folder.names().filter { $0.hasPrefix("vault-") && $0.hasSuffix(".db") }
  }

  /// Removes the keybag's second name, which a creator that was killed right after its commit left. With the writer lock.
  static func removeSecondName(in folder: Folder) throws(VaultError) {
    guard let second = try folder.facts(of: Keybag.newFileName), let first = try folder.facts(of: Keybag.fileName),
      first.device == second.device, first.inode == second.inode
    else { return }
    // It was killed before the first name was on the disk, perhaps: until then the second must stay.
    try folder.synchronize()
    try folder.remove(Keybag.newFileName)
  }

  /// - Parameter earlierKeyID: A device key that an earlier creation left: it is used, and never removed.
  private func make(under earlierKeyID: Identifier?) throws(VaultError) {
    let keys: KeySet
    var keybag: Keybag
    let parents = try parents(earlierKeyID)
    let announcement: [UInt8]
    let file: [UInt8]
    do throws(CryptoError) {
      let newKeyID = try Identifier.random()
      keys = try KeySet.random(hasPasscode: false)
      keybag = Keybag(
        vaultID: try Identifier.random(), number: 1, id: try Identifier.random(), predecessor: .none,
        deviceKeyID: earlierKeyID ?? newKeyID, keySetID: keys.id, wraps: [],
        dead: [.whenPasscodeSetThisDeviceOnly])
      // Without wraps: who finds it knows that nothing was ever sealed under these keys.
      announcement = try keybag.file(under: parents)
      keybag.wraps = try keys.wraps(under: parents)
      file = try keybag.file(under: parents)
    } catch { throw VaultError(error) }
    try announce(announcement)
    if earlierKeyID == nil { try DeviceKey.create(keybag.deviceKeyID, parents.deviceKey.bytes, in: device) }
    try makeDatabase(keybag, keys)
    try announce(file)
    try commit()
  }

  private func parents(_ earlierKeyID: Identifier?) throws(VaultError) -> ParentKeys {
    guard let earlierKeyID else { return try ParentKeys.random() }
    guard let deviceKey = try DeviceKey.read(earlierKeyID, in: device) else {
      throw VaultError(
        .missing, "the device key is missing", part: .deviceKey, fileName: DeviceKey.fileName(earlierKeyID))
    }
    do { return try ParentKeys(deviceKey: deviceKey) } catch { throw VaultError(error) }
  }

  /// Puts `keybag.new` on the disk, whole or not at all.
  private func announce(_ file: [UInt8]) throws(VaultError) {
    let temporary = Keybag.newFileName + ".tmp"
    try folder.remove(temporary)
    try folder.write(file.span, to: temporary, as: .keybag)
    try folder.rename(temporary, to: Keybag.newFileName, as: .keybag)
    try folder.synchronize()
  }

  private func makeDatabase(_ keybag: Keybag, _ keys: KeySet) throws(VaultError) {
    let temporary = Self.temporaryName(keybag.keySetID)
    let file = try folder.create(temporary, as: .database)
    system_close(file)
    do {
      let connection = try Connection(path: try folder.resolvedPath() + "/" + temporary, .normal)
      try connection.execute(Schema.settingsOfNew)
      try connection.execute("BEGIN IMMEDIATE")
      try Schema.create(connection)
      let recordKeys = try RecordKeys(keys, keybag)
      let box = try FreshnessHeader(keybag, recordKeys, flags).sealed(recordKeys)
      let insert = try connection.prepare("INSERT INTO header(id, box) VALUES(1, ?1)")
      insert.bind(1, box.span)
      try insert.run()
      try connection.execute("COMMIT")
      guard try connection.truncateLog() else {
        throw VaultError(.writerBusy, "another process keeps the new database", part: .database)
      }
    }
    // The log is empty, and SQLite has removed it, or could not.
    for suffix in ["-wal", "-shm"] { try folder.remove(temporary + suffix) }
    try folder.rename(temporary, to: keybag.databaseName, as: .database)
    try folder.synchronize()
  }

  /// The commit: the keybag gets its name, which must be free.
  private func commit() throws(VaultError) {
    try folder.link(Keybag.newFileName, to: Keybag.fileName, as: .keybag)
    try folder.synchronize()
    try folder.remove(Keybag.newFileName)
  }

  private enum Earlier {
    case finished
    /// Nothing of it is in the way; the device key that it had already made.
    case cleared(deviceKeyID: Identifier?)
  }

  /// Finishes or clears away what a creator that was killed left behind.
  ///
  /// An announcement can be an old copy that somebody put back, so little is done on its word: a device key is never
  /// removed, and a database only when there is no record in it.
  private func finishEarlier() throws(VaultError) -> Earlier {
    try folder.remove(Keybag.newFileName + ".tmp")
    guard let descriptor = try folder.open(Keybag.newFileName, as: .keybag) else {
      return .cleared(deviceKeyID: nil)
    }
    let bytes = try KeybagFile(descriptor: descriptor).read()
    let keybag: Keybag
    do throws(VaultError) { keybag = try Keybag(decoding: bytes.span) } catch {
      throw VaultError(error, fileName: Keybag.newFileName)
    }
    let hasDatabase = try folder.facts(of: keybag.databaseName) != nil
    let keyName = DeviceKey.fileName(keybag.deviceKeyID)
    let hasDeviceKey = try device.facts(of: keyName) != nil
    if hasDatabase || hasDeviceKey {
      do throws(VaultError) { _ = try OpenKeybag(bytes, devicePath: location.deviceFolder) } catch {
        throw error.part == .keybag ? VaultError(error, fileName: Keybag.newFileName) : error
      }
      if hasDatabase, !keybag.wraps.isEmpty {
        try commit()
        return .finished
      }
      guard keybag.wraps.isEmpty else {
        throw VaultError(.missing, "the database is missing", part: .database, fileName: keybag.databaseName)
      }
    }
    let temporary = Self.temporaryName(keybag.keySetID)
    for suffix in ["", "-journal", "-wal", "-shm"] { try folder.remove(temporary + suffix) }
    try device.remove(DeviceKey.temporaryName(keybag.deviceKeyID))
    if hasDatabase { try removeEmpty(keybag.databaseName) }
    guard hasDeviceKey else {
      try folder.remove(Keybag.newFileName)
      try folder.synchronize()
      return .cleared(deviceKeyID: nil)
    }
    // Its announcement is replaced by the next one.
    return .cleared(deviceKeyID: keybag.deviceKeyID)
  }

  /// Removes a database that nobody ever wrote a record to; one with records belongs to a keybag that is missing.
  private func removeEmpty(_ name: String) throws(VaultError) {
    guard try Self.isEmpty(name, in: folder) else {
      throw VaultError(.missing, "there is a database with records but no keybag", part: .keybag)
    }
    for suffix in ["", "-wal", "-shm"] { try folder.remove(name + suffix) }
    try folder.synchronize()
  }

  private static func isEmpty(_ name: String, in folder: Folder) throws(VaultError) -> Bool {
    let connection = try DatabaseFile.connect(name, in: folder, .readWrite)
    let rows = try connection.prepare("SELECT EXISTS(SELECT 1 FROM items) OR EXISTS(SELECT 1 FROM blobs)")
    defer { rows.reset() }
    return try rows.step() && rows.number(0) == 0
  }

  /// The database's name until it is whole.
  private static func temporaryName(_ keySet: Identifier) -> String { "vault-\(keySet.hexadecimal).new" }
}
