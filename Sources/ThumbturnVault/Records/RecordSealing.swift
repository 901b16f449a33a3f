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
  case fields([SecretField], PasswordSeal? = nil)
  /// A new secret box with the content that was opened from the old one.
  case content(SharedSecret, PasswordSeal? = nil)
  /// A new secret box with the content of the old one, which is still under its application password.
  case locked(SharedSecret, PasswordLock)
  /// The old box, whose version this is, and its policy, which is the draft's then.
  case kept(version: Identifier, SealedPolicy?)

  /// An application password under which a content comes.
  enum PasswordSeal: Sendable {
    case new(StretchedPassword)
    case kept(PasswordLock, SharedSecret)
  }

  fileprivate var seal: PasswordSeal? {
    switch self {
    case .fields(_, let seal), .content(_, let seal): seal
    case .locked, .kept: nil
    }
  }
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
      case .kept(let kept, _): kept
      case .fields, .content, .locked: Identifier.random(&fresh)
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
    let password = try self.password(source, uuid)
    let itemKey: SharedSecret?
    let policy: SealedPolicy?
    (itemKey, policy) = try self.itemKey(
      draft, source, password?.0, uuid: uuidBytes.span, version: secretVersionBytes.span)
    let metadata = try Self.metadata(draft, policy, secretVersion: secretVersion, commit: commit)
    var aad = InlineArray<164, UInt8>(repeating: 0)
    var aadOut = aad.mutableSpan
    try RecordBinding.metadata(columns, self, into: &aadOut)
    let metadataBox = try seal(
      draft.protection, .metadata, uuid: uuidBytes.span, version: versionBytes.span, aad: aad.span, metadata.bytes,
      &fresh)
    let secretBox: [UInt8]?
    switch source {
    case .kept: secretBox = nil
    case .fields(let fields, _):
      let text = try locked(try Self.secretText(fields), password)
      secretBox = try sealSecret(text.bytes, columns, draft, version: secretVersionBytes.span, itemKey, &fresh)
    case .content(let content, _):
      let text = try locked(try content.withBytes(Self.padded), password)
      secretBox = try sealSecret(text.bytes, columns, draft, version: secretVersionBytes.span, itemKey, &fresh)
    case .locked(let content, _):
      let text = try content.withBytes(Self.padded)
      secretBox = try sealSecret(text.bytes, columns, draft, version: secretVersionBytes.span, itemKey, &fresh)
    }
    return SealedRecord(
      uuid: uuid, version: version, draft: draft, tagBlob: tagBlob, metadataBox: metadataBox, secretBox: secretBox)
  }

  /// The lock of the record, and the content key behind it where the content is sealed now.
  private func password(
    _ source: SecretSource, _ uuid: Identifier
  ) throws(VaultError) -> (PasswordLock, SharedSecret?)? {
    if case .locked(_, let lock) = source { return (lock, nil) }
    switch source.seal {
    case .new(let stretched): return try stretched.makeLock(uuid)
    case .kept(let lock, let key): return (lock, key)
    case nil: return nil
    }
  }

  /// The padded plaintext of a secret box, under the application password where there is one.
  private func locked(
    _ text: consuming SecretBytes, _ password: (PasswordLock, SharedSecret?)?
  ) throws(VaultError) -> SecretBytes {
    guard case (let lock, let key?)? = password else { return text }
    let content = try Padding.content(text.bytes)
    let box = try seal(text.bytes.extracting(content), under: key, lock)
    return try Self.padded(box.span)
  }

  /// The new key of a secret box under a policy, and what the metadata holds of it; of a box that is kept only that.
  private func itemKey(
    _ draft: RecordDraft, _ source: SecretSource, _ lock: PasswordLock?, uuid: Span<UInt8>, version: Span<UInt8>
  ) throws(VaultError) -> (SharedSecret?, SealedPolicy?) {
    if case .kept(_, let sealed) = source {
      guard sealed?.policy == draft.policy else {
        throw VaultError(.damagedRecord, "a secret box with another policy than its record")
      }
      return (nil, sealed)
    }
    guard let policy = draft.policy else {
      guard lock == nil else { throw VaultError(.damagedRecord, "an application password without a policy") }
      return (nil, nil)
    }
    let itemKey: SharedSecret
    do throws(CryptoError) { itemKey = SharedSecret(try SecretBytes.random(count: Self.itemKeyCount)) } catch {
      throw VaultError(error)
    }
    let wrapped = try itemKey.withBytes { (key) throws(VaultError) in
      try wrap(itemKey: key, draft.protection, uuid: uuid, version: version)
    }
    return (itemKey, SealedPolicy(policy, itemKey: wrapped, lock))
  }

  private func sealSecret(
    _ text: Span<UInt8>, _ columns: borrowing RecordBinding.Columns, _ draft: RecordDraft, version: Span<UInt8>,
    _ itemKey: SharedSecret?, _ fresh: inout FreshBytes
  ) throws(VaultError) -> [UInt8] {
    if let policy = draft.policy {
      guard let itemKey else { throw VaultError(.classKeyLocked, "a secret under a policy needs a key of its own") }
      let aad = RecordBinding.secret(columns, self, version: version, policy)
      return try itemKey.withBytes { (key) throws(VaultError) in try seal(key: key, aad: aad.span, text, &fresh) }
    }
    var aad = InlineArray<71, UInt8>(repeating: 0)
    var aadOut = aad.mutableSpan
    RecordBinding.secret(columns, self, version: version, into: &aadOut)
    return try seal(
      draft.protection, .secret, uuid: columns.uuid, version: version, aad: aad.span, text, &fresh)
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

  /// The padded plaintext of the metadata box: our own fields first, whose numbers are the lowest, and the access control
  /// in its place among the attributes.
  private static func metadata(
    _ draft: RecordDraft, _ sealed: SealedPolicy?, secretVersion: Identifier, commit: UInt64
  ) throws(VaultError) -> SecretBytes {
    var commitBytes: [UInt8] = []
    commitBytes.append(commit, count: 8)
    var own = [
      RecordField(.secretVersion, .data, secretVersion.array), RecordField(.commit, .number, commitBytes),
    ]
    var control: RecordField?
    if let sealed {
      own.append(RecordField(.enrolmentHash, .data, sealed.policy.enrolmentHash))
      own.append(RecordField(.itemKey, .data, sealed.itemKey))
      if let lock = sealed.lock { own.append(RecordField(.applicationPassword, .data, lock.bytes)) }
      control = RecordField(.policy, .data, sealed.policy.accessControl)
    }
    let fieldCount = { (field: RecordField) in RecordField.headCount + field.bytes.count }
    let count = own.reduce(draft.fields.count + (control.map(fieldCount) ?? 0)) { $0 + fieldCount($1) }
    guard count <= RecordLimits.attributesCountMax else {
      throw VaultError(.tooLarge, "the attributes of a record are at most 1 MiB")
    }
    let before = control == nil ? draft.fields.count : try Self.countBelowPolicy(draft.fields.span)
    do {
      return try SecretBytes(count: Padding.paddedCount(count)) { (out: inout MutableSpan<UInt8>) throws(CryptoError) in
        var at = 0
        out.putNumber(UInt64(count), count: Padding.lengthCount, at: &at)
        for field in own { out.put(field, at: &at) }
        out.put(draft.fields.span.extracting(0..<before), at: &at)
        if let control { out.put(control, at: &at) }
        out.put(draft.fields.span.extracting(before..<draft.fields.count), at: &at)
      }
    } catch { throw VaultError(error) }
  }

  /// How many bytes of a draft's fields have a lower number than the access control's.
  private static func countBelowPolicy(_ fields: Span<UInt8>) throws(VaultError) -> Int {
    var walk = RecordFieldWalk()
    while let place = try walk.next(in: fields) {
      guard place.number != RecordField.Own.policy.rawValue else {
        throw VaultError(.damagedRecord, "a draft has the access control among its attributes")
      }
      if place.number > RecordField.Own.policy.rawValue { return place.startWithHead }
    }
    return fields.count
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

  private static func padded(_ content: Span<UInt8>) throws(VaultError) -> SecretBytes {
    do {
      let count = Padding.paddedCount(content.count)
      return try SecretBytes(count: count) { (out: inout MutableSpan<UInt8>) throws(CryptoError) in
        var at = 0
        out.putNumber(UInt64(content.count), count: Padding.lengthCount, at: &at)
        out.put(content, at: &at)
      }
    } catch { throw VaultError(error) }
  }
}

extension MutableSpan where Element == UInt8 {
  /// Writes a whole field.
  @_lifetime(self: copy self)
  fileprivate mutating func put(_ field: RecordField, at: inout Int) {
    putFieldHead(field.number, field.kind, count: field.bytes.count, at: &at)
    put(field.bytes.span, at: &at)
  }
}
