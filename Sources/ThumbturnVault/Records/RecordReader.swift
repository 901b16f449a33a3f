internal import ThumbturnCrypto

/// Finds records on one connection. Its statements and its scratch are kept; one owner at a time.
package final class RecordReader {
  /// Whether a find goes on after a record.
  package enum Next: Sendable { case goOn, stop }

  package let keys: RecordKeys
  private let byUUID: Statement
  private let byPrimaryKey: Statement
  private let byBothTags: Statement
  private let idsByFirstTag: Statement
  private let byID: Statement
  private let bySecondTag: Statement
  private let all: Statement
  private let metadataBlob: Statement
  private let secretBlob: Statement
  private let headerRow: Statement
  /// Where metadata is opened: plaintexts of names stay in one locked place, which is wiped after each record.
  private var scratch: SecretBytes
  /// Last, so that it ends after its statements.
  let connection: Connection

  private static let scratchCount = 4_096

  init(_ connection: consuming Connection, _ keys: RecordKeys) throws(VaultError) {
    self.keys = keys
    // Which columns: `row(_:)` below counts on this order.
    byUUID = try connection.prepare(
      """
      SELECT id, uuid, fmt, "table", class, sync, pk, grp, t1, t2, tags, ver, meta, secret FROM items WHERE uuid = ?1
      """)
    byPrimaryKey = try connection.prepare(
      """
      SELECT id, uuid, fmt, "table", class, sync, pk, grp, t1, t2, tags, ver, meta, secret FROM items WHERE pk = ?1
      """)
    byBothTags = try connection.prepare(
      """
      SELECT id, uuid, fmt, "table", class, sync, pk, grp, t1, t2, tags, ver, meta, secret FROM items \
      WHERE t1 = ?1 AND t2 = ?2 ORDER BY id
      """)
    // The index gives these in the order of the second tag. SQLite would sort whole rows; ids are little, and counted.
    idsByFirstTag = try connection.prepare("SELECT id FROM items INDEXED BY items_t1_t2 WHERE t1 = ?1")
    byID = try connection.prepare(
      """
      SELECT id, uuid, fmt, "table", class, sync, pk, grp, t1, t2, tags, ver, meta, secret FROM items WHERE id = ?1
      """)
    bySecondTag = try connection.prepare(
      """
      SELECT id, uuid, fmt, "table", class, sync, pk, grp, t1, t2, tags, ver, meta, secret FROM items \
      WHERE t2 = ?1 ORDER BY id
      """)
    // Every row, whatever its table: so each step ends after one row, and a page that repeats is seen by its ids.
    all = try connection.prepare(
      """
      SELECT id, uuid, fmt, "table", class, sync, pk, grp, t1, t2, tags, ver, meta, secret FROM items ORDER BY id
      """)
    metadataBlob = try connection.prepare("SELECT box FROM blobs WHERE id = ?1")
    secretBlob = try connection.prepare("SELECT box FROM blobs WHERE id = ?1")
    headerRow = try connection.prepare("SELECT box FROM header WHERE id = 1")
    do { scratch = try SecretBytes(count: Self.scratchCount) { _ in } } catch { throw VaultError(error) }
    self.connection = connection
  }

  /// The ids that a record can have: twice an id, and one more, must be ids too. Others were planted.
  static let rowIDs: Range<Int64> = 1..<(1 << 61)

  /// The row of the blobs table that holds a large metadata box; the secret's is the next one.
  static func blobID(_ rowID: Int64) -> Int64 { rowID * 2 }

  /// Calls `body` with each candidate in the order of insertion until it says stop.
  ///
  /// A record that does not verify is passed over; `onDamaged` gets its row when all tags of the query are
  /// its own. `wantsSecret` says whether `body` will open secrets.
  package func forEach(
    _ query: RecordQuery, wantsSecret: Bool, onDamaged: (Int64) -> Void = { _ in },
    _ body: (borrowing OpenRecord) throws(VaultError) -> Next
  ) throws(VaultError) {
    if let uuid = query.uuid {
      let bytes = uuid.bytes
      byUUID.bind(1, bytes.span)
      return try walk(byUUID, query, wantsSecret, onDamaged, body)
    }
    switch (query.first, query.second) {
    case (let first?, let second?):
      byBothTags.bind(1, first.bytes.span)
      byBothTags.bind(2, second.bytes.span)
      try walk(byBothTags, query, wantsSecret, onDamaged, body)
    case (let first?, nil):
      try walk(ids: try rowIDs(ofFirst: first), query, wantsSecret, onDamaged, body)
    case (nil, let second?):
      bySecondTag.bind(1, second.bytes.span)
      try walk(bySecondTag, query, wantsSecret, onDamaged, body)
    case (nil, nil):
      try walk(all, query, wantsSecret, onDamaged, body)
    }
  }

  /// Calls `body` with the record that has this primary key; nil when there is none.
  ///
  /// - Throws: ``VaultError/Code/damagedRecord`` when it does not verify.
  package func withHolder<Result>(
    of primaryKey: RecordTag, _ body: (borrowing OpenRecord) throws(VaultError) -> Result
  ) throws(VaultError) -> Result? {
    byPrimaryKey.bind(1, primaryKey.bytes.span)
    return try one(byPrimaryKey, wantsSecret: true, body)
  }

  /// The row that has this primary key, whether its record verifies or not.
  func rowID(ofHolder primaryKey: RecordTag) throws(VaultError) -> Int64? {
    byPrimaryKey.bind(1, primaryKey.bytes.span)
    defer { byPrimaryKey.reset() }
    return try byPrimaryKey.step() ? byPrimaryKey.number(0) : nil
  }

  /// Calls `body` with the record `uuid`; nil when there is none.
  ///
  /// - Parameter wantsSecret: Whether `body` will open the secret: without it, one whose secret is gone is a record too.
  /// - Throws: ``VaultError/Code/damagedRecord`` when it does not verify.
  func withRecord<Result>(
    _ uuid: Identifier, wantsSecret: Bool, _ body: (borrowing OpenRecord) throws(VaultError) -> Result
  ) throws(VaultError) -> Result? {
    let bytes = uuid.bytes
    byUUID.bind(1, bytes.span)
    return try one(byUUID, wantsSecret: wantsSecret, body)
  }

  /// The freshness header as it stands in the file.
  func header() throws(VaultError) -> FreshnessHeader { try Self.header(headerRow, keys) }

  private static func header(_ row: borrowing Statement, _ keys: RecordKeys) throws(VaultError) -> FreshnessHeader {
    defer { row.reset() }
    guard try row.step() else { throw VaultError(.damaged, "the database has no header", part: .database) }
    return try FreshnessHeader(opening: row.blob(0), keys)
  }

  private func one<Result>(
    _ statement: borrowing Statement, wantsSecret: Bool,
    _ body: (borrowing OpenRecord) throws(VaultError) -> Result
  ) throws(VaultError) -> Result? {
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return try Self.open(statement, metadataBlob, secretBlob, keys, &scratch, nil, wantsSecret: wantsSecret, body)
  }

  private func walk(
    _ statement: borrowing Statement, _ query: RecordQuery, _ wantsSecret: Bool, _ onDamaged: (Int64) -> Void,
    _ body: (borrowing OpenRecord) throws(VaultError) -> Next
  ) throws(VaultError) {
    defer { statement.reset() }
    var last: Int64?
    while try statement.step() {
      let id = statement.number(0)
      // A page that was made to stand in the tree twice would be read for ever, or nearly.
      if let last, id <= last { throw Self.isRepeating }
      last = id
      if try visit(statement, query, wantsSecret, onDamaged, body) == .stop { return }
    }
  }

  /// As above, for rows whose ids are known.
  private func walk(
    ids: [Int64], _ query: RecordQuery, _ wantsSecret: Bool, _ onDamaged: (Int64) -> Void,
    _ body: (borrowing OpenRecord) throws(VaultError) -> Next
  ) throws(VaultError) {
    for id in ids {
      byID.bind(1, id)
      defer { byID.reset() }
      guard try byID.step() else { continue }
      if try visit(byID, query, wantsSecret, onDamaged, body) == .stop { return }
    }
  }

  /// The ids that the index has for a first tag, ascending, each once.
  private func rowIDs(ofFirst tag: RecordTag) throws(VaultError) -> [Int64] {
    idsByFirstTag.bind(1, tag.bytes.span)
    defer { idsByFirstTag.reset() }
    var ids: [Int64] = []
    var countMax = Self.uncountedIDs
    while try idsByFirstTag.step() {
      if ids.count == countMax {
        // More than there are records: the index repeats itself. The header is asked only by large finds.
        let rowCount = Int(clamping: try header().rowCount)
        guard rowCount > countMax else { throw Self.isRepeating }
        countMax = rowCount
      }
      ids.append(idsByFirstTag.number(0))
    }
    ids.sort()
    for index in ids.indices.dropFirst() where ids[index] == ids[index - 1] { throw Self.isRepeating }
    return ids
  }

  private static let uncountedIDs = 1_024
  private static var isRepeating: VaultError {
    VaultError(.damaged, "the database names a record twice", part: .database)
  }

  /// Calls `body` with the row where a statement stands, when it is a candidate and verifies.
  private func visit(
    _ statement: borrowing Statement, _ query: RecordQuery, _ wantsSecret: Bool, _ onDamaged: (Int64) -> Void,
    _ body: (borrowing OpenRecord) throws(VaultError) -> Next
  ) throws(VaultError) -> Next {
    guard Self.isCandidate(statement, query) else { return .goOn }
    do throws(VaultError) {
      return try Self.open(
        statement, metadataBlob, secretBlob, keys, &scratch, query, wantsSecret: wantsSecret, body) ?? .goOn
    } catch {
      guard error.code == .damagedRecord else { throw error }
      if Self.hasSealedTags(statement, query, keys) { onDamaged(statement.number(0)) }
      return .goOn
    }
  }

  /// What the clear columns decide.
  private static func isCandidate(_ row: borrowing Statement, _ query: RecordQuery) -> Bool {
    guard row.number(3) == Int64(query.table) else { return false }
    if let sync = query.sync, row.number(5) != (sync ? 1 : 0) { return false }
    if let protection = query.protection, row.number(4) != Int64(protection.rawValue) { return false }
    if query.isOfAnyGroup { return true }
    let group = row.blob(7)
    for candidate in query.groups where candidate.equals(group) { return true }
    return false
  }

  /// Whether a damaged row has the sealed tags of a query: they are under another key than the rest of it.
  private static func hasSealedTags(_ row: borrowing Statement, _ query: RecordQuery, _ keys: RecordKeys) -> Bool {
    guard !query.sealed.isEmpty else { return true }
    let columns = RecordBinding.Columns(
      format: RecordBinding.format, table: query.table, protection: 0, sync: 0, uuid: row.blob(1),
      version: row.blob(11), primaryKey: row.blob(6), group: row.blob(7), first: row.blob(8), second: row.blob(9),
      tagBlob: row.blob(10))
    guard columns.isWellFormed, let isThere = try? SealedTags.contain(query.sealed, columns, keys) else { return false }
    return isThere
  }

  /// Opens the row's tag blob and metadata and calls `body`; nil when its sealed tags rule it out.
  private static func open<Result>(
    _ row: borrowing Statement, _ metadataBlob: borrowing Statement, _ secretBlob: borrowing Statement,
    _ keys: RecordKeys, _ scratch: inout SecretBytes, _ query: RecordQuery?, wantsSecret: Bool,
    _ body: (borrowing OpenRecord) throws(VaultError) -> Result
  ) throws(VaultError) -> Result? {
    let rowID = row.number(0)
    guard rowIDs.contains(rowID), let table = UInt8(exactly: row.number(3)), let class_ = UInt8(exactly: row.number(4)),
      let protection = ProtectionClass(rawValue: class_), let sync = UInt8(exactly: row.number(5)), sync <= 1,
      let format = UInt8(exactly: row.number(2))
    else { throw VaultError(.damagedRecord, "a column of a record has a wrong value") }
    let columns = RecordBinding.Columns(
      format: format, table: table, protection: class_, sync: sync, uuid: row.blob(1), version: row.blob(11),
      primaryKey: row.blob(6), group: row.blob(7), first: row.blob(8), second: row.blob(9), tagBlob: row.blob(10))
    guard columns.isWellFormed else { throw VaultError(.damagedRecord, "a column of a record has a wrong size") }
    // Its key is gone for good: such a record is none, and what has the number of such a class was edited.
    guard !keys.isDead(protection) else { throw VaultError(.damagedRecord, "a record of a class whose key is gone") }
    if let query, !query.sealed.isEmpty {
      guard try SealedTags.contain(query.sealed, columns, keys) else { return nil }
    }
    guard keys.isOpen(protection) else {
      return try body(
        OpenRecord(
          rowID: rowID, protection: protection, isLocked: true, columns: columns, fields: Span(), secretBox: Span(),
          keys: keys))
    }
    let isMetadataLarge = row.isNull(12)
    defer { if isMetadataLarge { metadataBlob.reset() } }
    let metadataBox = try box(row, 12, metadataBlob, blobID(rowID))
    var key = InlineArray<32, UInt8>(repeating: 0)
    defer {
      var spent = key.mutableSpan
      wipeBytes(&spent)
    }
    var keyOut = key.mutableSpan
    try keys.boxKey(protection, .metadata, uuid: columns.uuid, version: columns.version, into: &keyOut)
    var aad = InlineArray<164, UInt8>(repeating: 0)
    var aadOut = aad.mutableSpan
    try RecordBinding.metadata(columns, keys, into: &aadOut)
    guard metadataBox.count >= AESGCM.overhead else { throw VaultError(.damagedRecord, "a box is cut short") }
    let count = metadataBox.count - AESGCM.overhead
    try makeRoom(for: count, in: &scratch)
    do {
      var room = scratch.mutableBytes
      var plain = room._mutatingExtracting(0..<count)
      try keys.open(key: key.span, aad: aad.span, metadataBox, into: &plain)
    }
    defer {
      var names = scratch.mutableBytes
      var used = names._mutatingExtracting(0..<count)
      wipeBytes(&used)
    }
    let content = try Padding.content(scratch.bytes.extracting(0..<count))
    let isSecretLarge = wantsSecret && row.isNull(13)
    defer { if isSecretLarge { secretBlob.reset() } }
    let secretBox = wantsSecret ? try box(row, 13, secretBlob, blobID(rowID) + 1) : Span()
    return try body(
      OpenRecord(
        rowID: rowID, protection: protection, isLocked: false, columns: columns,
        fields: scratch.bytes.extracting(content), secretBox: secretBox, keys: keys))
  }

  /// A box from its column, or from the table of blobs when the column is NULL; then `blobs` is to be reset.
  @_lifetime(borrow row, borrow blobs)
  private static func box(
    _ row: borrowing Statement, _ column: Int32, _ blobs: borrowing Statement, _ blobID: Int64
  ) throws(VaultError) -> Span<UInt8> {
    if !row.isNull(column) { return row.blob(column) }
    blobs.bind(1, blobID)
    guard try blobs.step() else { throw VaultError(.damagedRecord, "a box is missing") }
    return blobs.blob(0)
  }

  private static func makeRoom(for count: Int, in scratch: inout SecretBytes) throws(VaultError) {
    let wanted = max(count, scratchCount)
    guard scratch.count < count || scratch.count > 16 * wanted else { return }
    do { scratch = try SecretBytes(count: wanted) { _ in } } catch { throw VaultError(error) }
  }
}
