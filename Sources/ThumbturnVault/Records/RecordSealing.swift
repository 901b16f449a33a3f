internal import ThumbturnCrypto

/// A record as it goes into the database: every column sealed or a tag.
struct SealedRecord: Sendable {
  let uuid: Identifier
  let version: Identifier
  let draft: RecordDraft
  let tagBlob: [UInt8]
  let metadataBox: [UInt8]
  /// Nil when the secret box that is there stays.
  let secretBox: [UInt8]?
}

/// Where a record's secret comes from when it is written.
enum SecretSource: Sendable {
  /// A new secret box with these fields, in ascending order.
  case fields([SecretField])
  /// A new secret box with the content that was opened from the old one.
  case content(SharedSecret)
  /// The old box, whose version this is.
  case kept(version: Identifier)
}

extension RecordKeys {
  /// Seals a draft. The version is new at every call; the secret's is new unless its box is kept.
  ///
  /// - Parameters:
  ///   - uuid: Nil for a new record.
  ///   - commit: The number of the transaction, which stands in the metadata.
  func seal(
    _ draft: RecordDraft, uuid: Identifier?, secret source: SecretSource, commit: UInt64
  ) throws(VaultError) -> SealedRecord {
    var fresh: FreshBytes
    do { fresh = try FreshBytes() } catch { throw VaultError(error) }
    defer { fresh.wipe() }
    let uuid = uuid ?? Identifier.random(&fresh)
    let version = Identifier.random(&fresh)
    let secretVersion =
      switch source {
      case .kept(let kept): kept
      case .fields, .content: Identifier.random(&fresh)
      }
    let uuidBytes = uuid.bytes
    let versionBytes = version.bytes
    let secretVersionBytes = secretVersion.bytes
    let tagBlob = try SealedTags.seal(draft.sealed, uuid: uuidBytes.span, version: versionBytes.span, self, &fresh)
    let columns = RecordBinding.Columns(
      format: RecordBinding.format, table: draft.table, protection: draft.protection.rawValue,
      sync: draft.sync ? 1 : 0, uuid: uuidBytes.span, version: versionBytes.span,
      primaryKey: draft.primaryKey.bytes.span, group: draft.group.bytes.span, first: draft.first.bytes.span,
      second: draft.second.bytes.span, tagBlob: tagBlob.span)
    let metadata = try Self.metadata(draft, secretVersion: secretVersion, commit: commit)
    var aad = InlineArray<164, UInt8>(repeating: 0)
    var aadOut = aad.mutableSpan
    try RecordBinding.metadata(columns, self, into: &aadOut)
    let metadataBox = try seal(
      draft.protection, .metadata, uuid: uuidBytes.span, version: versionBytes.span, aad: aad.span, metadata.bytes,
      &fresh)
    var secretAAD = InlineArray<71, UInt8>(repeating: 0)
    var secretAADOut = secretAAD.mutableSpan
    RecordBinding.secret(columns, self, version: secretVersionBytes.span, into: &secretAADOut)
    let secretBox: [UInt8]?
    switch source {
    case .kept: secretBox = nil
    case .fields(let fields):
      let text = try Self.secretText(fields)
      secretBox = try seal(
        draft.protection, .secret, uuid: uuidBytes.span, version: secretVersionBytes.span, aad: secretAAD.span,
        text.bytes, &fresh)
    case .content(let content):
      let text = try Self.padded(content)
      secretBox = try seal(
        draft.protection, .secret, uuid: uuidBytes.span, version: secretVersionBytes.span, aad: secretAAD.span,
        text.bytes, &fresh)
    }
    return SealedRecord(
      uuid: uuid, version: version, draft: draft, tagBlob: tagBlob, metadataBox: metadataBox, secretBox: secretBox)
  }

  private func seal(
    _ protection: ProtectionClass, _ code: BoxCode, uuid: Span<UInt8>, version: Span<UInt8>, aad: Span<UInt8>,
    _ text: Span<UInt8>, _ fresh: inout FreshBytes
  ) throws(VaultError) -> [UInt8] {
    var key = InlineArray<32, UInt8>(repeating: 0)
    var keyOut = key.mutableSpan
    try boxKey(protection, code, uuid: uuid, version: version, into: &keyOut)
    let box = try seal(key: key.span, aad: aad, text, &fresh)
    var spent = key.mutableSpan
    wipeBytes(&spent)
    return box
  }

  /// The padded plaintext of the metadata box: our own fields first, whose numbers are the lowest.
  private static func metadata(
    _ draft: RecordDraft, secretVersion: Identifier, commit: UInt64
  ) throws(VaultError) -> SecretBytes {
    var commitBytes: [UInt8] = []
    commitBytes.append(commit, count: 8)
    let own = [
      RecordField(.secretVersion, .data, secretVersion.array), RecordField(.commit, .number, commitBytes),
    ]
    let count = own.reduce(draft.fields.count) { $0 + RecordField.headCount + $1.bytes.count }
    guard count <= RecordLimits.attributesCountMax else {
      throw VaultError(.tooLarge, "the attributes of a record are at most 1 MiB")
    }
    do {
      return try SecretBytes(count: Padding.paddedCount(count)) { (out: inout MutableSpan<UInt8>) throws(CryptoError) in
        var at = 0
        out.putNumber(UInt64(count), count: Padding.lengthCount, at: &at)
        for field in own {
          out.putFieldHead(field.number, field.kind, count: field.bytes.count, at: &at)
          out.put(field.bytes.span, at: &at)
        }
        out.put(draft.fields.span, at: &at)
      }
    } catch { throw VaultError(error) }
  }

  /// The padded plaintext of a secret box; one without fields has the smallest size all the same.
  private static func secretText(_ fields: [SecretField]) throws(VaultError) -> SecretBytes {
    let count = fields.reduce(0) { $0 + RecordField.headCount + $1.secret.count }
    guard fields.allSatisfy({ $0.secret.count <= RecordLimits.secretCountMax }) else {
      throw VaultError(.tooLarge, "a secret is at most 16 MiB")
    }
    do {
      return try SecretBytes(count: Padding.paddedCount(count)) { (out: inout MutableSpan<UInt8>) throws(CryptoError) in
        var at = 0
        out.putNumber(UInt64(count), count: Padding.lengthCount, at: &at)
        for field in fields {
          out.putFieldHead(field.number, .data, count: field.secret.count, at: &at)
          field.secret.withBytes { out.put($0, at: &at) }
        }
      }
    } catch { throw VaultError(error) }
  }

  private static func padded(_ content: SharedSecret) throws(VaultError) -> SecretBytes {
    do {
      let count = Padding.paddedCount(content.count)
      return try SecretBytes(count: count) { (out: inout MutableSpan<UInt8>) throws(CryptoError) in
        var at = 0
        out.putNumber(UInt64(content.count), count: Padding.lengthCount, at: &at)
        content.withBytes { out.put($0, at: &at) }
      }
    } catch { throw VaultError(error) }
  }
}
