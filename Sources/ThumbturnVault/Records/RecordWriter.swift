internal import ThumbturnCrypto

/// Changes records within one transaction, and keeps the freshness header true.
package final class RecordWriter {
  private let beginStatement: Statement
  private let commitStatement: Statement
  private let rollbackStatement: Statement
  private let insertStatement: Statement
  private let updateStatement: Statement
  private let deleteStatement: Statement
  private let putBlob: Statement
  private let deleteBlobs: Statement
  private let putHeader: Statement

  /// Where damaged records go.
  let quarantine: QuarantinePlace
  var header: FreshnessHeader
  private var isOpen = false
  private var changeCount = 0
  /// Whether ciphertext of a deleted record or of an old secret may still stand in the write-ahead log.
  private var owesTruncation = false
  /// Finds within the transaction. Last, so that the connection in it ends after the statements.
  package let reader: RecordReader

  init(_ reader: RecordReader, quarantine: QuarantinePlace) throws(VaultError) {
    self.reader = reader
    self.quarantine = quarantine
    header = try reader.header()
    beginStatement = try reader.connection.prepare("BEGIN IMMEDIATE")
    commitStatement = try reader.connection.prepare("COMMIT")
    rollbackStatement = try reader.connection.prepare("ROLLBACK")
    insertStatement = try reader.connection.prepare(
      """
      INSERT INTO items(uuid, fmt, "table", class, sync, pk, grp, t1, t2, tags, ver, meta, secret) \
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
      """)
    updateStatement = try reader.connection.prepare(
      """
      UPDATE items SET fmt = ?2, "table" = ?3, class = ?4, sync = ?5, pk = ?6, grp = ?7, t1 = ?8, t2 = ?9, tags = ?10, \
      ver = ?11, meta = ?12, secret = CASE ?14 WHEN 1 THEN secret ELSE ?13 END WHERE id = ?1
      """)
    deleteStatement = try reader.connection.prepare("DELETE FROM items WHERE id = ?1")
    putBlob = try reader.connection.prepare("INSERT OR REPLACE INTO blobs(id, box) VALUES(?1, ?2)")
    deleteBlobs = try reader.connection.prepare("DELETE FROM blobs WHERE id BETWEEN ?1 AND ?2")
    putHeader = try reader.connection.prepare("INSERT OR REPLACE INTO header(id, box) VALUES(1, ?1)")
  }

  #if PLANT_EARLY_ACKNOWLEDGE
    deinit { if isOpen { try? commitStatement.run() } }
  #endif

  // MARK: Changes

  /// Adds a record under a new uuid.
  ///
  /// - Parameter password: An application password under which its secret comes, which needs a policy.
  /// - Throws: ``VaultError/Code/duplicate``, ``VaultError/Code/tooLarge``, and what writing can throw.
  package func insert(
    _ draft: RecordDraft, secret fields: [SecretField], password: StretchedPassword? = nil
  ) throws(VaultError) -> Identifier {
    #if PLANT_SECRET_IN_LOG
      for field in fields { PlantedFault.secretInLog.tell(field.secret) }
    #endif
    if draft.policy != nil { try reader.keys.requirePolicy() }
    let record = try reader.keys.seal(
      draft, uuid: nil, secret: .fields(fields, password.map { .new($0) }), commit: header.counter + 1)
    let uuid = record.uuid
    insertStatement.bind(columnsOf: record, first: 1)
    let uuidBytes = uuid.bytes
    insertStatement.bind(1, uuidBytes.span)
    try insertStatement.run()
    let rowID = try placed(reader.connection.lastRowID)
    try putBlobs(record, rowID: rowID, mayReplace: false)
    let versionBytes = record.version.bytes
    header.add(try reader.keys.leaf(uuid: uuidBytes.span, version: versionBytes.span))
    header.rowCount += 1
    changeCount += 1
    return uuid
  }

  /// The id of a new row. SQLite takes the one after the largest; when a planted row has one that no record can have, the
  /// new row moves in front of it.
  private func placed(_ rowID: Int64) throws(VaultError) -> Int64 {
    guard !RecordReader.rowIDs.contains(rowID) else { return rowID }
    let largest = try reader.connection.prepare("SELECT max(id) FROM items WHERE id BETWEEN 1 AND ?1")
    largest.bind(1, RecordReader.rowIDs.upperBound - 1)
    let free = try largest.step() ? largest.number(0) + 1 : 1
    guard RecordReader.rowIDs.contains(free) else {
      throw VaultError(.damaged, "planted records took the last places", part: .database)
    }
    let move = try reader.connection.prepare("UPDATE items SET id = ?2 WHERE id = ?1")
    move.bind(1, rowID)
    move.bind(2, free)
    try move.run()
    return free
  }

  /// Writes the record `uuid` anew under a new version. Nil for `fields` keeps its secret; a change of class or policy
  /// re-seals it.
  ///
  /// - Parameters:
  ///   - keepsOthers: Whether fields of the old secret that `fields` does not name stay. They do not leave the vault.
  ///   - release: Proof that the old policy holds, without which a secret comes out from under it for nobody, and the content
  ///     key that the old application password has opened: whoever replaces the secret under it, or takes it away, knew it.
  ///   - password: What becomes of that.
  /// - Throws: ``VaultError/Code/duplicate`` when the new primary key is taken, ``VaultError/Code/missing``,
  ///   ``VaultError/Code/tooLarge``, ``VaultError/Code/classKeyLocked`` for a policy or a password without a release,
  ///   ``VaultError/Code/noPasscode`` for a new policy while none is set.
  package func replace(
    _ uuid: Identifier, with draft: RecordDraft, secret fields: [SecretField]?, keepsOthers: Bool = false,
    _ release: PolicyRelease? = nil, password: PasswordChange = .keep
  ) throws(VaultError) {
    let uuidBytes = uuid.bytes
    let old = try reader.withRecord(uuid, wantsSecret: false) { (record) throws(VaultError) in
      let version = record.version
      return (
        rowID: record.rowID, protection: record.protection, secretVersion: try record.secretVersion(),
        policy: try record.sealedPolicy(), leaf: try leaf(uuid, version)
      )
    }
    guard let old else { throw VaultError(.missing, "the record is gone", part: .database) }
    let isSamePolicy = old.policy?.policy == draft.policy
    if draft.policy != nil { try reader.keys.requirePolicy() }
    let source: SecretSource
    if let fields {
      let seal = try seal(old.policy?.lock, password, release)
      var all = fields
      if keepsOthers {
        let others = try secret(of: uuid) { (record) throws(VaultError) in
          if isSamePolicy { return try record.openToMerge(release) }
          return try record.openSecret(release)
        }
        all = try Self.merged(fields, into: others)
      }
      source = .fields(all, seal)
    } else if old.protection == draft.protection, isSamePolicy {
      source = .kept(version: old.secretVersion, old.policy)
    } else if let lock = old.policy?.lock, case .keep = password {
      source = .locked(try secret(of: uuid) { (record) throws(VaultError) in try record.openBox(release) }, lock)
    } else {
      let seal = try seal(old.policy?.lock, password, release)
      source = .content(
        try secret(of: uuid) { (record) throws(VaultError) in try record.openSecret(release) }, seal)
    }
    let record = try reader.keys.seal(draft, uuid: uuid, secret: source, commit: header.counter + 1)
    updateStatement.bind(columnsOf: record, first: 1)
    updateStatement.bind(1, old.rowID)
    updateStatement.bind(14, record.secretBox == nil ? 1 : 0)
    try updateStatement.run()
    try putBlobs(record, rowID: old.rowID, mayReplace: true)
    header.subtract(old.leaf)
    let versionBytes = record.version.bytes
    header.add(try reader.keys.leaf(uuid: uuidBytes.span, version: versionBytes.span))
    changeCount += 1
    if record.secretBox != nil { owesTruncation = true }
  }

  /// The application password under which a new secret box comes. One that was there must have been opened, whatever becomes
  /// of it.
  private func seal(
    _ old: PasswordLock?, _ change: PasswordChange, _ release: PolicyRelease?
  ) throws(VaultError) -> SecretSource.PasswordSeal? {
    guard let old else {
      guard case .set(let stretched) = change else { return nil }
      return .new(stretched)
    }
    guard let key = release?.contentKey(old) else {
      throw VaultError(.classKeyLocked, "the secret needs an application password")
    }
    switch change {
    case .keep: return .kept(old, key)
    case .set(let stretched): return .new(stretched)
    case .remove: return nil
    }
  }

  /// The old secret of a record, to be sealed again.
  private func secret(
    of uuid: Identifier, _ open: (borrowing OpenRecord) throws(VaultError) -> SecretBytes
  ) throws(VaultError) -> SharedSecret {
    let secret = try reader.withRecord(uuid, wantsSecret: true) { (record) throws(VaultError) in
      SharedSecret(try open(record))
    }
    guard let secret else { throw VaultError(.missing, "the record is gone", part: .database) }
    return secret
  }

  /// These fields, and those of an old secret that they do not name.
  private static func merged(_ fields: [SecretField], into old: SharedSecret) throws(VaultError) -> [SecretField] {
    let others = try old.withBytes { (bytes) throws(VaultError) -> [SecretField] in
      var others: [SecretField] = []
      var walk = RecordFieldWalk()
      while let place = try walk.next(in: bytes) {
        guard !fields.contains(where: { $0.number == place.number }) else { continue }
        do throws(CryptoError) {
          let copy = try SecretBytes(copying: bytes.extracting(place.range))
          others.append(SecretField(number: place.number, secret: SharedSecret(copy)))
        } catch { throw VaultError(error) }
      }
      return others
    }
    let all = (fields + others).sorted { $0.number < $1.number }
    guard all.reduce(0, { $0 + $1.secret.count }) <= RecordLimits.secretCountMax else {
      throw VaultError(.tooLarge, "the secrets of a record are at most 16 MiB together")
    }
    return all
  }

  /// Deletes the record `uuid`.
  package func delete(_ uuid: Identifier) throws(VaultError) {
    let old = try reader.withRecord(uuid, wantsSecret: false) { (record) throws(VaultError) in
      let version = record.version
      return (rowID: record.rowID, leaf: try leaf(uuid, version))
    }
    guard let old else { throw VaultError(.missing, "the record is gone", part: .database) }
    try remove(rowID: old.rowID, leaf: old.leaf)
  }

  /// Deletes a row and its boxes. `leaf` is that of the row as it stands in the file.
  func remove(rowID: Int64, leaf: InlineArray<32, UInt8>) throws(VaultError) {
    deleteStatement.bind(1, rowID)
    try deleteStatement.run()
    if RecordReader.rowIDs.contains(rowID) {
      deleteBlobs.bind(1, RecordReader.blobID(rowID))
      deleteBlobs.bind(2, RecordReader.blobID(rowID) + 1)
      try deleteBlobs.run()
    }
    header.subtract(leaf)
    // A header that was wrong before may say less than there is.
    if header.rowCount > 0 { header.rowCount -= 1 }
    changeCount += 1
    owesTruncation = true
  }

  /// Deletes the records of classes whose key is gone.
  private func deleteDead(_ dead: Set<ProtectionClass>) throws(VaultError) {
    let ofClass = try reader.connection.prepare("SELECT id FROM items WHERE class = ?1 ORDER BY id")
    let scan = try RowScan(reader.connection)
    for protection in dead.sorted(by: { $0.rawValue < $1.rawValue }) {
      var ids: [Int64] = []
      ofClass.bind(1, Int64(protection.rawValue))
      while try ofClass.step() {
        if let last = ids.last, ofClass.number(0) <= last {
          throw VaultError(.damaged, "the database names a record twice", part: .database)
        }
        ids.append(ofClass.number(0))
      }
      ofClass.reset()
      for id in ids {
        guard let row = try scan.row(id: id) else { continue }
        try remove(rowID: id, leaf: try reader.keys.leaf(of: row))
      }
    }
  }

  /// The header that is to be written instead; its counter and keybag stay as they are.
  func replaceSum(_ sum: InlineArray<32, UInt8>, rowCount: UInt64) {
    header.sum = sum
    header.rowCount = rowCount
    changeCount += 1
  }

  private func leaf(_ uuid: Identifier, _ version: Identifier) throws(VaultError) -> InlineArray<32, UInt8> {
    let uuidBytes = uuid.bytes
    let versionBytes = version.bytes
    return try reader.keys.leaf(uuid: uuidBytes.span, version: versionBytes.span)
  }

  /// Writes the large boxes of a record, and removes those that became small.
  private func putBlobs(_ record: SealedRecord, rowID: Int64, mayReplace: Bool) throws(VaultError) {
    let id = RecordReader.blobID(rowID)
    try putBlob(record.metadataBox, id: id, mayReplace: mayReplace)
    if let secretBox = record.secretBox { try putBlob(secretBox, id: id + 1, mayReplace: mayReplace) }
  }

  private func putBlob(_ box: [UInt8], id: Int64, mayReplace: Bool) throws(VaultError) {
    if box.count > RecordLimits.inlineBoxCountMax {
      putBlob.bind(1, id)
      putBlob.bind(2, box.span)
      try putBlob.run()
    } else if mayReplace {
      deleteBlobs.bind(1, id)
      deleteBlobs.bind(2, id)
      try deleteBlobs.run()
    }
  }

  // MARK: The transaction

  /// Begins; the header is read anew, and must be of this keybag and not behind `lastCounter`.
  func begin(_ keybag: Keybag, lastCounter: UInt64) throws(VaultError) {
    #if PLANT_EARLY_ACKNOWLEDGE
      if isOpen { try commitStatement.run() }
    #endif
    try beginStatement.run()
    isOpen = true
    header = try reader.header()
    try header.check(against: keybag, reader.keys)
    guard header.counter >= lastCounter else {
      throw VaultError(.olderCopy, "an older copy of the vault was put back", part: .database)
    }
    let isNewKeybag = header.keybagID != keybag.id
    header.keybagNumber = keybag.number
    header.keybagID = keybag.id
    changeCount = isNewKeybag ? 1 : 0
    // The keybag that killed a class and this transaction are one change: until now its records were only passed over. Later
    // a record of a dead class is one that was edited.
    if isNewKeybag, !keybag.dead.isEmpty { try deleteDead(keybag.dead) }
  }

  /// Writes the header and commits; on the disk when this returns. Without a change nothing is written.
  ///
  /// - Returns: The counter of the header.
  func commit() throws(VaultError) -> UInt64 {
    guard changeCount > 0 else {
      rollback()
      return header.counter
    }
    header.counter += 1
    let box = try header.sealed(reader.keys)
    putHeader.bind(1, box.span)
    try putHeader.run()
    #if PLANT_EARLY_ACKNOWLEDGE
      // The next transaction, or the end of this connection, commits what the caller already takes for done.
      PlantedFault.earlyAcknowledge.touch()
    #else
      try commitStatement.run()
      isOpen = false
    #endif
    return header.counter
  }

  /// Ends without a change. Whatever SQLite answers, nothing of it is believed afterwards.
  func rollback() {
    guard isOpen else { return }
    isOpen = false
    try? rollbackStatement.run()
  }

  /// Moves the log into the database and cuts it, when old ciphertext may stand in it. SQLite waits up to a second for
  /// readers that are in the way; if they stay, the next transaction tries again.
  func truncateLogIfOwed() {
    guard owesTruncation else { return }
    // The change is committed and durable: a failure here must not be told as a failure of the change.
    if let isDone = try? reader.connection.truncateLog(), isDone { owesTruncation = false }
  }
}

extension Statement {
  /// Binds the columns fmt to secret of a record at `first + 1` and on.
  borrowing func bind(columnsOf record: SealedRecord, first: Int32) {
    let draft = record.draft
    bind(first + 1, Int64(RecordBinding.format))
    bind(first + 2, Int64(draft.table))
    bind(first + 3, Int64(draft.protection.rawValue))
    bind(first + 4, draft.sync ? 1 : 0)
    bind(first + 5, draft.primaryKey.bytes.span)
    bind(first + 6, draft.group.bytes.span)
    bind(first + 7, draft.first.bytes.span)
    bind(first + 8, draft.second.bytes.span)
    bind(first + 9, record.tagBlob.span)
    let version = record.version.bytes
    bind(first + 10, version.span)
    bindBox(first + 11, record.metadataBox)
    bindBox(first + 12, record.secretBox ?? [])
  }

  /// Binds a box; NULL for one that stands in the table of blobs, or that is not written now.
  private borrowing func bindBox(_ index: Int32, _ box: [UInt8]) {
    guard !box.isEmpty, box.count <= RecordLimits.inlineBoxCountMax else { return bindNull(index) }
    bind(index, box.span)
  }
}
