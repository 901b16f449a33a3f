internal import Synchronization
internal import ThumbturnCrypto

/// A vault that is open in this process: its seat, its keys, and the two connections.
///
/// A forked child abandons it and opens its own: ``Vault`` keeps one for each process.
final class OpenVault: Sendable {
  let seat: Seat
  let keybag: Keybag
  /// The newer of the keybag's and the database's format.
  let format: FormatVersion
  /// Why nothing can be written; nil when it can.
  let writeRefusal: VaultError?
  private let keys: KeySet
  private let devicePath: String
  private let access: DatabaseAccess
  private let reader: FairMutex<RecordReader>
  private let writer: FairMutex<Writer>
  /// The header's counter at the last transaction that this process has seen: a lower one is an older copy.
  let lastCounter: Atomic<UInt64>

  /// The writer's connection is made at the first write: a program that only reads does not pay for it.
  private struct Writer: ~Copyable {
    var records: RecordWriter?
    var lock: WriterLock?
  }

  /// Opens the vault in `folder` and takes its seat; nil when there is no keybag. The caller gives the seat back.
  ///
  /// - Parameters:
  ///   - unlocked: What a passcode has opened in this process.
  ///   - held: The seat's lock, in a process that keeps it.
  static func open(
    _ folder: Folder, at location: VaultLocation, unlocked: UnlockedKeys?, held: FileLock? = nil
  ) throws(VaultError) -> OpenVault? {
    guard let descriptor = try folder.open(Keybag.fileName, as: .keybag) else { return nil }
    let file = try KeybagFile(descriptor: descriptor)
    let seat = try Seat(folder, path: location.vaultFolder, keybag: file, held: held)
    try seat.take()
    do throws(VaultError) { return try OpenVault(seat, file, location, unlocked) } catch {
      seat.give()
      throw error
    }
  }

  private init(
    _ seat: Seat, _ file: KeybagFile, _ location: VaultLocation, _ unlocked: UnlockedKeys?
  ) throws(VaultError) {
    self.seat = seat
    let opened = try OpenKeybag(try file.read(), devicePath: location.deviceFolder, unlocked: unlocked)
    keybag = opened.keybag
    keys = opened.keys
    devicePath = location.deviceFolder
    let refusal = try seat.folder.writeRefusal()
    do throws(VaultError) {
      try seat.holdDatabase(keybag.databaseName)
      access = try DatabaseAccess(to: keybag.databaseName, in: seat.folder, isFolderWritable: refusal == nil)
      let reader = try Self.makeReader(keybag, keys, seat.folder, access)
      format = max(keybag.format, try Schema.format(reader.connection))
      let header = try reader.header()
      try header.check(against: keybag, reader.keys)
      self.reader = FairMutex(reader)
      writer = FairMutex(Writer())
      lastCounter = Atomic(header.counter)
    } catch {
      throw error.naming(keybag.databaseName)
    }
    writeRefusal =
      refusal
      ?? (format.isWritable ? nil : VaultError(.readOnly, "a newer version made it", part: .vaultFolder))
  }

  private static func makeReader(
    _ keybag: Keybag, _ keys: KeySet, _ folder: Folder, _ access: DatabaseAccess
  ) throws(VaultError) -> sending RecordReader {
    let connection = try DatabaseFile.connect(keybag.databaseName, in: folder, access)
    return try RecordReader(connection, try RecordKeys(keys, keybag))
  }

  /// The header of a keybag's database as it stands there, whichever keybag it was written for.
  static func header(of keybag: Keybag, _ keys: KeySet, in folder: Folder) throws(VaultError) -> FreshnessHeader {
    try makeReader(keybag, keys, folder, .readWrite).header()
  }

  /// One more connection, for one owner.
  func makeReader() throws(VaultError) -> sending RecordReader {
    try Self.makeReader(keybag, keys, seat.folder, access)
  }

  /// Whether folder, keybag and database are those that were opened. With the seat taken.
  func isCurrent() throws(VaultError) -> Bool {
    guard try seat.isCurrent() else { return false }
    return try isStill()
  }

  /// Whether nobody wrote a database that this process reads as one that nobody writes.
  func isStill() throws(VaultError) -> Bool {
    guard case .still(let database) = access else { return true }
    return try database.isUnchanged()
  }

  /// The protection classes whose key is in memory.
  var openClasses: Set<ProtectionClass> {
    Set(ProtectionClass.allCases.filter { keys.key(.protection($0)) != nil })
  }

  /// Whether the kernel keeps the keys out of swap.
  var isMemoryLocked: Bool { keys.isLocked }

  /// Runs `body` with the reader's connection.
  func read<Result: Sendable>(
    _ patience: Patience, _ body: (RecordReader) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    try reader.withLock(patience, elseThrow: WriterLock.isBusy) {
      (reader: inout sending RecordReader) throws(VaultError) in
      try body(reader)
    }
  }

  /// Runs `body` in one transaction; nil when folder or keybag were exchanged while this call waited for its turn.
  func write<Result: Sendable>(
    _ patience: Patience, _ body: (RecordWriter) throws(VaultError) -> Result
  ) throws(VaultError) -> Result? {
    if let writeRefusal { throw writeRefusal }
    return try writer.withLock(patience, elseThrow: WriterLock.isBusy) {
      (writer: inout sending Writer) throws(VaultError) -> Result? in
      if writer.lock == nil { writer.lock = try WriterLock(in: seat.folder) }
      guard let lock = writer.lock else { return nil }
      try lock.take(patience)
      defer { lock.give() }
      guard try lock.isCurrent(in: seat.folder) else {
        writer.lock = nil
        return nil
      }
      guard try seat.isCurrent() else { return nil }
      if writer.records == nil {
        try VaultCreation.removeSecondName(in: seat.folder)
        try Debris.remove(keybag, in: seat.folder)
        try Removals.remove(keybag, in: seat.folder, devicePath: devicePath)
        writer.records = try RecordWriter(
          try makeReader(), quarantine: QuarantinePlace(folder: seat.folder, keySetID: keybag.keySetID))
      }
      guard let records = writer.records else { return nil }
      do throws(VaultError) {
        try records.begin(keybag, lastCounter: lastCounter.load(ordering: .acquiring))
        let result = try body(records)
        lastCounter.store(try records.commit(), ordering: .releasing)
        records.truncateLogIfOwed()
        return result
      } catch {
        records.rollback()
        throw error
      }
    }
  }
}
