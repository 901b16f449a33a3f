internal import ThumbturnCrypto

/// Writes every record anew under another key set, into a database of its own (VAULT.md §2).
struct Reseal {
  /// While it is written. Always debris.
  static let temporaryName = "reseal.tmp"
  /// Records of one transaction of the new database.
  private static let batchCount = 5_000
  /// Records between two calls of the progress.
  private static let progressCount = 256

  private let old: OpenVault
  private let folder: Folder
  private let keybag: Keybag
  private let keys: RecordKeys
  private let drafting: any RecordDrafting

  /// - Parameters:
  ///   - old: The open vault, all of its classes open.
  ///   - keybag: The keybag that the new database is for.
  init(_ old: OpenVault, _ keybag: Keybag, _ keySet: KeySet, _ drafting: any RecordDrafting) throws(VaultError) {
    self.old = old
    folder = old.seat.folder
    self.keybag = keybag
    keys = try RecordKeys(keySet, keybag)
    self.drafting = drafting
  }

  /// The new database is on the disk and whole under its own name when this returns. With the writer lock.
  ///
  /// - Throws: ``VaultError/Code/damaged`` when a record does not verify, or count and sum are not those of the header: what
  ///   is lost then must be looked at first.
  func run(_ progress: (Int, Int) -> Void) throws(VaultError) {
    try removeTemporary()
    do throws(VaultError) {
      system_close(try folder.create(Self.temporaryName, as: .database))
      try write(progress)
      try folder.rename(Self.temporaryName, to: keybag.databaseName, as: .database)
      try folder.synchronize()
    } catch {
      try? removeTemporary()
      throw error.part == .database && error.fileName == nil
        ? VaultError(error, fileName: old.keybag.databaseName) : error
    }
  }

  private func removeTemporary() throws(VaultError) {
    for suffix in ["", "-journal", "-wal", "-shm"] { try folder.remove(Self.temporaryName + suffix) }
  }

  private func write(_ progress: (Int, Int) -> Void) throws(VaultError) {
    let reader = try old.makeReader()
    let before = try reader.header()
    let connection = try Connection(path: try folder.resolvedPath() + "/" + Self.temporaryName, .normal)
    try connection.execute(Schema.settingsOfNew)
    try connection.execute("BEGIN IMMEDIATE")
    try Schema.create(connection)
    let records = try NewRecords(connection)
    var header = try FreshnessHeader(keybag, keys)
    header.flags = before.flags
    header.epoch = before.epoch
    header.counter = before.counter + 1
    var seen = before
    seen.sum = .init(repeating: 0)
    seen.rowCount = 0
    for table in UInt8(1)...Self.tableMax {
      var everything = RecordQuery(table: table, groups: [])
      everything.isOfAnyGroup = true
      var damagedCount = 0
      try reader.forEach(everything, wantsSecret: true, onDamaged: { _ in damagedCount += 1 }) {
        (record) throws(VaultError) in
        let (uuid, version) = (record.uuid.bytes, record.version.bytes)
        seen.add(try reader.keys.leaf(uuid: uuid.span, version: version.span))
        seen.rowCount += 1
        // The class dies with the passcode.
        if keys.isDead(record.protection) { return .goOn }
        let sealed = try keys.reseal(record, try drafting.draft(of: record, under: keys), commit: header.counter)
        try records.insert(sealed, rowID: record.rowID)
        let newVersion = sealed.version.bytes
        header.add(try keys.leaf(uuid: uuid.span, version: newVersion.span))
        header.rowCount += 1
        if Int(seen.rowCount).isMultiple(of: Self.progressCount) {
          progress(Int(seen.rowCount), Int(clamping: before.rowCount))
        }
        if Int(header.rowCount).isMultiple(of: Self.batchCount) { try connection.execute("COMMIT; BEGIN IMMEDIATE") }
        return .goOn
      }
      guard damagedCount == 0 else { throw Self.isDamaged }
    }
    let (sumSeen, sumWanted) = (seen.sum, before.sum)
    guard seen.rowCount == before.rowCount, sumSeen.span.equals(sumWanted.span) else { throw Self.isDamaged }
    let box = try header.sealed(keys)
    let insert = try connection.prepare("INSERT INTO header(id, box) VALUES(1, ?1)")
    insert.bind(1, box.span)
    try insert.run()
    try connection.execute("COMMIT")
    guard try connection.truncateLog() else {
      throw VaultError(.writerBusy, "another process keeps the new database", part: .database)
    }
    progress(Int(seen.rowCount), Int(clamping: before.rowCount))
  }

  /// Tables have the numbers of item classes: more than there are.
  private static let tableMax: UInt8 = 15

  private static var isDamaged: VaultError {
    VaultError(.damaged, "some records are damaged, missing or were put back", part: .database)
  }
}

/// Knows what a record becomes under other keys: the keychain does, because tags come from its values.
package protocol RecordDrafting: Sendable {
  /// The draft of an open record.
  ///
  /// - Throws: ``VaultError/Code/damagedRecord`` when its fields make no sense.
  func draft(of record: borrowing OpenRecord, under keys: RecordKeys) throws(VaultError) -> RecordDraft
}

/// Inserts sealed records into a new database, each at its place in the order.
private struct NewRecords: ~Copyable {
  private let item: Statement
  private let blob: Statement

  init(_ connection: borrowing Connection) throws(VaultError) {
    let item = try connection.prepare(
      """
      INSERT INTO items(id, uuid, fmt, "table", class, sync, pk, grp, t1, t2, tags, ver, meta, secret) \
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
      """)
    blob = try connection.prepare("INSERT INTO blobs(id, box) VALUES(?1, ?2)")
    self.item = item
  }

  func insert(_ record: SealedRecord, rowID: Int64) throws(VaultError) {
    item.bind(1, rowID)
    let uuid = record.uuid.bytes
    item.bind(2, uuid.span)
    item.bind(columnsOf: record, first: 2)
    try item.run()
    let boxes = [record.metadataBox, record.secretBox ?? []]
    for (index, box) in boxes.enumerated() where box.count > RecordLimits.inlineBoxCountMax {
      blob.bind(1, RecordReader.blobID(rowID) + Int64(index))
      blob.bind(2, box.span)
      try blob.run()
    }
  }
}

extension RecordKeys {
  /// Seals a record of another key set under this one, its secret and its policy as they are: what is under a policy is
  /// seen by nobody in between, and what is under an application password stays so. Uuid and place in the order stay.
  ///
  /// - Throws: ``VaultError/Code/classKeyLocked`` when a key of either is not there, that of policies among them.
  fileprivate func reseal(
    _ record: borrowing OpenRecord, _ draft: RecordDraft, commit: UInt64
  ) throws(VaultError) -> SealedRecord {
    guard !record.isLocked else { throw VaultError(.classKeyLocked, "the class key is locked") }
    let sealed = try record.sealedPolicy()
    guard sealed?.policy == draft.policy else {
      throw VaultError(.damagedRecord, "a draft with another policy than its record")
    }
    let content = SharedSecret(try record.openForExchange())
    let source: SecretSource = if let lock = sealed?.lock { .locked(content, lock) } else { .content(content) }
    return try seal(draft, uuid: record.uuid, secret: source, commit: commit)
  }
}
