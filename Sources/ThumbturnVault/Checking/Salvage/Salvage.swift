internal import ThumbturnCrypto

/// Finds the records of a damaged database in its bytes (VAULT.md §4). Changes nothing.
///
/// Only rows whose boxes open count; of several with one uuid or primary key the highest commit number wins.
struct Salvage {
  /// A record that opens, and where it is.
  struct Found {
    let uuid: Identifier
    let primaryKey: [UInt8]
    let commit: UInt64
    let isLocked: Bool
    let leaf: InlineArray<32, UInt8>
    let rowID: Int64?
    let cell: FoundCell
    let place: PageSource.Place
    let moment: Int
  }

  private struct Box {
    let cell: FoundCell
    let place: PageSource.Place
    let moment: Int
  }

  let source: PageSource
  let keys: RecordKeys
  private(set) var winners: [Found] = []
  private(set) var header: FreshnessHeader?
  private(set) var report = SalvageReport()
  private var boxes: [Int64: [Box]] = [:]
  private var byUUID: [Identifier: Found] = [:]
  private var byPrimaryKey: [[UInt8]: Identifier] = [:]

  init(_ source: PageSource, _ keys: RecordKeys) throws(VaultError) {
    self.source = source
    self.keys = keys
    try take(source.current)
    // By a header that was written over, older records would look whole too.
    report.isComplete = try isWholeByHeader()
    if !report.isComplete {
      let count = byUUID.count
      try take(source.former)
      report.formerCount = byUUID.count - count
    }
    winners = byUUID.values.sorted { ($0.rowID ?? .max, $0.commit) < ($1.rowID ?? .max, $1.commit) }
    report.recordCount = winners.count
    report.lockedUUIDs = winners.filter(\.isLocked).map(\.uuid.hyphenated)
    report.expectedCount = header.map { Int(clamping: $0.rowCount) }
  }

  /// The row of a winner, read again.
  func row(_ found: Found) throws(VaultError) -> RawRow? { try row(found.cell, found.place, found.moment) }

  private mutating func take(_ pages: [(place: PageSource.Place, moment: Int)]) throws(VaultError) {
    var items: [Box] = []
    for (place, moment) in pages {
      let page = try source.bytes(of: place)
      for cell in CellScan.cells(in: page.span) {
        let box = Box(cell: cell, place: place, moment: moment)
        switch cell.kind {
        case .item: items.append(box)
        case .blob: if let id = cell.rowID { boxes[id, default: []].append(box) }
        case .header: try takeHeader(box)
        }
      }
    }
    let earlier = Set(byUUID.keys)
    for item in items { try takeItem(item, except: earlier) }
  }

  /// The header with the highest counter is the last one.
  private mutating func takeHeader(_ box: Box) throws(VaultError) {
    guard let record = try source.record(box.cell, in: box.place, at: box.moment),
      let values = RecordFormat.values(record.span)
    else { return }
    let bytes = values[1].bytes
    do throws(VaultError) {
      let found = try FreshnessHeader(opening: bytes.span, keys)
      if found.counter >= header?.counter ?? 0 { header = found }
    } catch {
      guard error.code == .damaged else { throw error }
    }
  }

  /// What is current is never replaced by what was written over.
  private mutating func takeItem(_ item: Box, except earlier: Set<Identifier>) throws(VaultError) {
    guard let row = try row(item.cell, item.place, item.moment), let uuid = row.identifier, !earlier.contains(uuid)
    else { return }
    let commit: UInt64
    let isLocked: Bool
    switch try keys.verdictOfBoxes(row) {
    case .damaged: return
    case .locked: (commit, isLocked) = (0, true)
    case .intact(let number): (commit, isLocked) = (number, false)
    }
    let primaryKey = row[.primaryKey].bytes
    if let other = byUUID[uuid], other.commit >= commit { return }
    if let holder = byPrimaryKey[primaryKey], holder != uuid, let other = byUUID[holder] {
      if other.commit >= commit || earlier.contains(holder) { return }
      byUUID[holder] = nil
    }
    if let old = byUUID[uuid], old.primaryKey != primaryKey { byPrimaryKey[old.primaryKey] = nil }
    byPrimaryKey[primaryKey] = uuid
    byUUID[uuid] = Found(
      uuid: uuid, primaryKey: primaryKey, commit: commit, isLocked: isLocked, leaf: try keys.leaf(of: row),
      rowID: item.cell.rowID, cell: item.cell, place: item.place, moment: item.moment)
  }

  private func isWholeByHeader() throws(VaultError) -> Bool {
    guard let header, header.rowCount == UInt64(byUUID.count) else { return false }
    var found = header
    found.sum = .init(repeating: 0)
    for record in byUUID.values { found.add(record.leaf) }
    let sum = found.sum
    let expected = header.sum
    return sum.span.equals(expected.span)
  }

  /// A row with its large boxes; of several boxes with its ids those with which it opens.
  private func row(_ cell: FoundCell, _ place: PageSource.Place, _ moment: Int) throws(VaultError) -> RawRow? {
    guard let record = try source.record(cell, in: place, at: moment), let values = RecordFormat.values(record.span),
      values.count == RawRow.columnCount + 1
    else { return nil }
    var row = RawRow(id: cell.rowID ?? 0, values: Array(values.dropFirst()))
    guard row[.metadata].isNull || row[.secret].isNull, let rowID = cell.rowID,
      RecordReader.rowIDs.contains(rowID)
    else { return row }
    let id = RecordReader.blobID(rowID)
    let none = [RawValue.null]
    let metadata = row[.metadata].isNull ? try contents(id) : none
    let secrets = row[.secret].isNull ? try contents(id + 1) : none
    for first in metadata {
      for second in secrets {
        row.metadataBlob = first
        row.secretBlob = second
        if try keys.verdictOfBoxes(row) != .damaged { return row }
      }
    }
    return row
  }

  private func contents(_ id: Int64) throws(VaultError) -> [RawValue] {
    var found: [RawValue] = []
    // More than a few with one id come from no vault of ours.
    for box in (boxes[id] ?? []).prefix(8) {
      guard let record = try source.record(box.cell, in: box.place, at: box.moment),
        let values = RecordFormat.values(record.span)
      else { continue }
      found.append(values[1])
    }
    return found
  }
}
