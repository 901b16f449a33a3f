// What a transaction does with damaged records. That the keys fit was shown when it began: a wrong key never looks like
// damage here.
extension RecordWriter {
  /// Rows that are read, moved and let go together, so that memory stays bounded.
  private static let moveCountMax = 64

  /// Whether a record with this primary key may be added. A damaged one that has it goes to quarantine: find does not know
  /// it, so it must not stand in the way either (SECITEM.md §14.3).
  ///
  /// - Parameter dead: A record that nobody can open any more: it is deleted, while it is still the same.
  package func makeWay(for primaryKey: RecordTag, over dead: RecordHolder? = nil) throws(VaultError) -> Bool {
    do throws(VaultError) {
      let holder = try reader.withHolder(of: primaryKey) { (record) throws(VaultError) in
        if !record.isLocked { try record.verifySecret() }
        return (uuid: record.uuid, holder: RecordHolder(record))
      }
      guard let holder else { return true }
      guard holder.holder == dead else { return false }
      try delete(holder.uuid)
      return true
    } catch {
      guard error.code == .damagedRecord else { throw error }
    }
    guard let rowID = try reader.rowID(ofHolder: primaryKey) else { return true }
    return try moveToQuarantine([rowID]) == 1
  }

  /// Deletes the damaged records whose tags are all that a query asks for, and says how many.
  ///
  /// They do not go to quarantine: who deletes a record wants its ciphertext gone.
  package func deleteDamaged(_ query: RecordQuery) throws(VaultError) -> Int {
    var rowIDs: [Int64] = []
    try reader.forEach(query, wantsSecret: false, onDamaged: { rowIDs.append($0) }) { _ in .goOn }
    let scan = try RowScan(reader.connection)
    for rowID in rowIDs {
      guard let row = try scan.row(id: rowID) else { continue }
      try remove(row)
    }
    return rowIDs.count
  }

  /// Moves those of the rows that are damaged: they are on the disk in quarantine before this transaction deletes them.
  ///
  /// - Returns: How many.
  func moveToQuarantine(_ rowIDs: [Int64]) throws(VaultError) -> Int {
    guard !rowIDs.isEmpty else { return 0 }
    let scan = try RowScan(reader.connection)
    let quarantine = try Quarantine(quarantine)
    var count = 0
    for start in stride(from: 0, to: rowIDs.count, by: Self.moveCountMax) {
      var rows: [RawRow] = []
      for rowID in rowIDs[start..<min(start + Self.moveCountMax, rowIDs.count)] {
        guard let row = try scan.row(id: rowID), try reader.keys.verdict(row) == .damaged else { continue }
        rows.append(row)
      }
      try quarantine.take(rows)
      for row in rows { try remove(row) }
      count += rows.count
    }
    return count
  }

  /// Writes count and sum anew from the rows that verify; locked ones count as they stand.
  func acceptRows() throws(VaultError) {
    var accepted = header
    accepted.sum = .init(repeating: 0)
    accepted.rowCount = 0
    let scan = try RowScan(reader.connection)
    try scan.forEach { (row) throws(VaultError) in
      guard try reader.keys.verdict(row) != .damaged else { return }
      accepted.add(try reader.keys.leaf(of: row))
      accepted.rowCount += 1
    }
    replaceSum(accepted.sum, rowCount: accepted.rowCount)
  }

  private func remove(_ row: RawRow) throws(VaultError) {
    try remove(rowID: row.id, leaf: try reader.keys.leaf(of: row))
  }
}

extension RecordKeys {
  /// What a row adds to the sum, as it stands in the file.
  func leaf(of row: RawRow) throws(VaultError) -> InlineArray<32, UInt8> {
    let uuid = row[.uuid].bytes
    let version = row[.version].bytes
    return try leaf(uuid: uuid.span, version: version.span)
  }
}
