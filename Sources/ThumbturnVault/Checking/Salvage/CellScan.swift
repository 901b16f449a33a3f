/// The cell of a row, where it begins in its page.
struct FoundCell: Hashable, Sendable {
  enum Kind: Hashable, Sendable { case item, blob, header }
  let kind: Kind
  /// Nil when the bytes in front of the record are damaged.
  let rowID: Int64?
  /// Where the record begins in the page.
  let start: Int
  /// The size of the whole record.
  let count: Int
}

/// Finds rows in a page by their own shape, at any offset: page type, cell pointers and free blocks are not asked, because
/// they may be what is damaged. What is found wrongly does not open.
enum CellScan {
  /// The largest record of the table of items: three boxes of 4,096 bytes, tags and numbers, and some room.
  private static let itemCountMax = 16_384
  private static let itemColumnCount = 14
  /// The header's box.
  private static let headerBoxCount = FreshnessHeader.count + 28

  static func cells(in page: Span<UInt8>) -> [FoundCell] {
    var found: [FoundCell] = []
    var at = 1
    while at + 3 < page.count {
      // The first column is the row id, which stands in front of the record and is NULL in it. SQLite does not look at it,
      // so no other type without bytes makes the record a damaged one.
      let first = page[at + 1]
      if first == 0 || first >= 8 && first <= 13, page[at] >= 4, page[at] < 64, let cell = cell(in: page, at: at) {
        found.append(cell)
      }
      at += 1
    }
    return found
  }

  private static func cell(in page: Span<UInt8>, at: Int) -> FoundCell? {
    guard let (serials, _, count) = RecordFormat.header(page, at: at) else { return nil }
    let rowID = rowID(in: page, before: at, recordCount: count)
    // 16 bytes as a blob, or as text, which one flipped bit makes of it.
    if serials.count == itemColumnCount, serials[1] == 44 || serials[1] == 45, count <= itemCountMax {
      return FoundCell(kind: .item, rowID: rowID ?? self.rowID(in: page, before: at), start: at, count: count)
    }
    guard serials.count == 2, serials[1] >= 12, rowID != nil else { return nil }
    let boxCount = Int((serials[1] - 12) / 2)
    if boxCount == headerBoxCount { return FoundCell(kind: .header, rowID: rowID, start: at, count: count) }
    guard boxCount > RecordLimits.inlineBoxCountMax else { return nil }
    return FoundCell(kind: .blob, rowID: rowID, start: at, count: count)
  }

  /// The row id in front of a record whose own size is damaged: no byte in front of a varint has its highest bit set.
  private static func rowID(in page: Span<UInt8>, before at: Int) -> Int64? {
    var start = at - 1
    while start > 0, at - start < 9, page[start - 1] & 0x80 != 0 { start -= 1 }
    guard let (value, count) = RecordFormat.varint(page, at: start), count == at - start else { return nil }
    return Int64(bitPattern: value)
  }

  /// The row id in front of a record: it must follow the record's own size.
  private static func rowID(in page: Span<UInt8>, before at: Int, recordCount: Int) -> Int64? {
    let size = RecordFormat.encoded(recordCount)
    for idCount in 1...9 {
      let start = at - idCount
      guard start >= size.count else { return nil }
      guard let (value, count) = RecordFormat.varint(page, at: start), count == idCount else { continue }
      if size.indices.allSatisfy({ page[start - size.count + $0] == size[$0] }) { return Int64(bitPattern: value) }
    }
    return nil
  }
}
