/// Reads every row by its row id, never through an index: what an index no longer names is what a check is for.
final class RowScan {
  private let all: Statement
  private let one: Statement
  private let blob: Statement
  private let blobIDs: Statement
  private let owner: Statement

  init(_ connection: borrowing Connection) throws(VaultError) {
    all = try connection.prepare(
      """
      SELECT id, uuid, fmt, "table", class, sync, pk, grp, t1, t2, tags, ver, meta, secret FROM items NOT INDEXED \
      ORDER BY id
      """)
    one = try connection.prepare(
      """
      SELECT id, uuid, fmt, "table", class, sync, pk, grp, t1, t2, tags, ver, meta, secret FROM items NOT INDEXED \
      WHERE id = ?1
      """)
    blob = try connection.prepare("SELECT box FROM blobs WHERE id = ?1")
    blobIDs = try connection.prepare("SELECT id FROM blobs ORDER BY id")
    owner = try connection.prepare("SELECT meta IS NULL, secret IS NULL FROM items NOT INDEXED WHERE id = ?1")
  }

  /// Calls `body` with every row in the order of insertion.
  func forEach(_ body: (RawRow) throws(VaultError) -> Void) throws(VaultError) {
    defer { all.reset() }
    var last: Int64?
    while try all.step() {
      // A page that was made to stand in the tree twice.
      if let last, all.number(0) <= last { throw Self.isRepeating }
      last = all.number(0)
      try body(try row(all))
    }
  }

  /// The row with this id.
  func row(id: Int64) throws(VaultError) -> RawRow? {
    one.bind(1, id)
    defer { one.reset() }
    return try one.step() ? try row(one) : nil
  }

  /// The boxes that no row needs, by their ids.
  func orphanBlobs() throws(VaultError) -> [Int64] {
    defer { blobIDs.reset() }
    var orphans: [Int64] = []
    var last: Int64?
    while try blobIDs.step() {
      let id = blobIDs.number(0)
      if let last, id <= last { throw Self.isRepeating }
      last = id
      owner.bind(1, id >> 1)
      defer { owner.reset() }
      let isNeeded = try owner.step() && owner.number(Int32(id & 1)) == 1
      if !isNeeded { orphans.append(id) }
    }
    return orphans
  }

  private static var isRepeating: VaultError {
    VaultError(.damaged, "the database names a row twice", part: .database)
  }

  private func row(_ statement: borrowing Statement) throws(VaultError) -> RawRow {
    var row = RawRow(
      id: statement.number(0), values: (1...Int32(RawRow.columnCount)).map { statement.value($0) })
    guard RecordReader.rowIDs.contains(row.id) else { return row }
    let id = RecordReader.blobID(row.id)
    if row[.metadata].isNull { row.metadataBlob = try box(id) }
    if row[.secret].isNull { row.secretBlob = try box(id + 1) }
    return row
  }

  private func box(_ id: Int64) throws(VaultError) -> RawValue {
    blob.bind(1, id)
    defer { blob.reset() }
    return try blob.step() ? blob.value(0) : .null
  }
}
