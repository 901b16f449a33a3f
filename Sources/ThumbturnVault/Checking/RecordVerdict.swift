internal import ThumbturnCrypto

/// What the boxes of a row say of it.
enum RecordVerdict: Hashable, Sendable {
  /// Everything opens and is well formed; the number of the transaction that wrote it.
  case intact(commit: UInt64)
  /// Its class key is not in memory. Its tags open.
  case locked
  /// Something does not open or is not well formed.
  case damaged
}

extension RecordKeys {
  /// Opens everything of a row: columns, sealed tags, metadata, padding, order of the fields, secret.
  ///
  /// Says nothing of the keys themselves: the header's check values have shown before that they fit.
  func verdict(_ row: RawRow) throws(VaultError) -> RecordVerdict {
    guard RecordReader.rowIDs.contains(row.id) else { return .damaged }
    return try verdictOfBoxes(row)
  }

  /// As ``verdict(_:)``, for a row whose id is not known, or is given to it later.
  func verdictOfBoxes(_ row: RawRow) throws(VaultError) -> RecordVerdict {
    do throws(VaultError) { return try checked(row) } catch {
      guard error.code == .damagedRecord else { throw error }
      return .damaged
    }
  }

  private func checked(_ row: RawRow) throws(VaultError) -> RecordVerdict {
    guard let format = row[.format].byte, let table = row[.table].byte, let class_ = row[.protection].byte,
      let protection = ProtectionClass(rawValue: class_), let sync = row[.sync].byte, sync <= 1
    else { throw VaultError(.damagedRecord, "a column of a record has a wrong value") }
    let uuid = row[.uuid].bytes
    let version = row[.version].bytes
    let primaryKey = row[.primaryKey].bytes
    let group = row[.group].bytes
    let first = row[.first].bytes
    let second = row[.second].bytes
    let tagBlob = row[.tags].bytes
    let columns = RecordBinding.Columns(
      format: format, table: table, protection: class_, sync: sync, uuid: uuid.span, version: version.span,
      primaryKey: primaryKey.span, group: group.span, first: first.span, second: second.span, tagBlob: tagBlob.span)
    guard columns.isWellFormed else { throw VaultError(.damagedRecord, "a column of a record has a wrong size") }
    _ = try SealedTags.contain([], columns, self)
    guard !isDead(protection) else { throw VaultError(.damagedRecord, "a record of a class whose key is gone") }
    guard isOpen(protection) else { return .locked }
    let metadata = try openMetadata(columns, protection, row.metadataBox)
    let fields = metadata.bytes.extracting(try Padding.content(metadata.bytes))
    let commit = try Self.commit(in: fields)
    let secretBox = row.secretBox
    let record = OpenRecord(
      rowID: row.id, protection: protection, isLocked: false, columns: columns, fields: fields,
      secretBox: secretBox.span, keys: self)
    try record.verifySecret()
    return .intact(commit: commit)
  }

  private func openMetadata(
    _ columns: borrowing RecordBinding.Columns, _ protection: ProtectionClass, _ box: [UInt8]
  ) throws(VaultError) -> SecretBytes {
    var key = InlineArray<32, UInt8>(repeating: 0)
    var keyOut = key.mutableSpan
    try boxKey(protection, .metadata, uuid: columns.uuid, version: columns.version, into: &keyOut)
    defer {
      var spent = key.mutableSpan
      wipeBytes(&spent)
    }
    var aad = InlineArray<164, UInt8>(repeating: 0)
    var aadOut = aad.mutableSpan
    try RecordBinding.metadata(columns, self, into: &aadOut)
    return try open(key: key.span, aad: aad.span, box.span)
  }

  /// The commit number, once all fields are seen to be in order.
  private static func commit(in fields: Span<UInt8>) throws(VaultError) -> UInt64 {
    try walk(fields)
    guard let place = try RecordFieldWalk.find(RecordField.Own.commit.rawValue, in: fields), place.range.count == 8
    else { throw VaultError(.damagedRecord, "a record without a commit number") }
    return fields.number(at: place.range.lowerBound, count: 8)
  }

  private static func walk(_ fields: Span<UInt8>) throws(VaultError) {
    var walk = RecordFieldWalk()
    while try walk.next(in: fields) != nil {}
  }
}
