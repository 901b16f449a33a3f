internal import ThumbturnCrypto

/// What the two boxes and the tag blob of a record authenticate beside themselves (VAULT.md §3).
enum RecordBinding {
  /// The format of a record that this version writes.
  static let format: UInt8 = 1

  /// The clear columns of a record, borrowed from a row or a draft.
  struct Columns: ~Copyable, ~Escapable {
    let format: UInt8
    let table: UInt8
    let protection: UInt8
    let sync: UInt8
    let uuid: Span<UInt8>
    let version: Span<UInt8>
    let primaryKey: Span<UInt8>
    let group: Span<UInt8>
    let first: Span<UInt8>
    let second: Span<UInt8>
    let tagBlob: Span<UInt8>

    @_lifetime(
      copy uuid, copy version, copy primaryKey, copy group, copy first, copy second, copy tagBlob)
    init(
      format: UInt8, table: UInt8, protection: UInt8, sync: UInt8, uuid: Span<UInt8>, version: Span<UInt8>,
      primaryKey: Span<UInt8>, group: Span<UInt8>, first: Span<UInt8>, second: Span<UInt8>, tagBlob: Span<UInt8>
    ) {
      self.format = format
      self.table = table
      self.protection = protection
      self.sync = sync
      self.uuid = uuid
      self.version = version
      self.primaryKey = primaryKey
      self.group = group
      self.first = first
      self.second = second
      self.tagBlob = tagBlob
    }

    /// Whether every column has the size that the format gives it; one that was edited may not.
    var isWellFormed: Bool {
      format == RecordBinding.format && uuid.count == 16 && version.count == 16 && primaryKey.count == 16
        && group.count == 16 && first.count == 16 && second.count == 16
    }
  }

  static let metadataCount = 164
  /// fmt ‖ vault UUID ‖ key set id ‖ uuid ‖ ver ‖ table ‖ class ‖ sync ‖ pk ‖ grp ‖ t1 ‖ t2 ‖ SHA-256 of the tag blob.
  static func metadata(
    _ columns: borrowing Columns, _ keys: RecordKeys, into aad: inout MutableSpan<UInt8>
  ) throws(VaultError) {
    var hash = InlineArray<32, UInt8>(repeating: 0)
    var hashOut = hash.mutableSpan
    do { try sha256(columns.tagBlob, into: &hashOut) } catch { throw VaultError(error) }
    var at = 0
    aad.putNumber(UInt64(columns.format), count: 1, at: &at)
    let vault = keys.vaultID
    let keySet = keys.keySetID
    aad.put(vault.span, at: &at)
    aad.put(keySet.span, at: &at)
    aad.put(columns.uuid, at: &at)
    aad.put(columns.version, at: &at)
    aad.putNumber(UInt64(columns.table), count: 1, at: &at)
    aad.putNumber(UInt64(columns.protection), count: 1, at: &at)
    aad.putNumber(UInt64(columns.sync), count: 1, at: &at)
    aad.put(columns.primaryKey, at: &at)
    aad.put(columns.group, at: &at)
    aad.put(columns.first, at: &at)
    aad.put(columns.second, at: &at)
    aad.put(hash.span, at: &at)
  }

  static let secretCount = 71
  /// fmt ‖ vault UUID ‖ key set id ‖ uuid ‖ table ‖ class ‖ secret version ‖ policy (length of 4 bytes; 0 without one).
  static func secret(
    _ columns: borrowing Columns, _ keys: RecordKeys, version: Span<UInt8>, into aad: inout MutableSpan<UInt8>
  ) {
    var at = 0
    aad.putNumber(UInt64(columns.format), count: 1, at: &at)
    let vault = keys.vaultID
    let keySet = keys.keySetID
    aad.put(vault.span, at: &at)
    aad.put(keySet.span, at: &at)
    aad.put(columns.uuid, at: &at)
    aad.putNumber(UInt64(columns.table), count: 1, at: &at)
    aad.putNumber(UInt64(columns.protection), count: 1, at: &at)
    aad.put(version, at: &at)
    aad.putNumber(0, count: 4, at: &at)
  }

  /// As above with a policy: its access control with a length of 4 bytes in the place of the zeros, and its enrolment hash
  /// with one more.
  static func secret(
    _ columns: borrowing Columns, _ keys: RecordKeys, version: Span<UInt8>, _ policy: RecordPolicy
  ) -> [UInt8] {
    let parts = [policy.accessControl, policy.enrolmentHash]
    var aad = [UInt8](repeating: 0, count: parts.reduce(secretCount - 4) { $0 + 4 + $1.count })
    var out = aad.mutableSpan
    secret(columns, keys, version: version, into: &out)
    var at = secretCount - 4
    for part in parts {
      out.putNumber(UInt64(part.count), count: 4, at: &at)
      out.put(part.span, at: &at)
    }
    return aad
  }

  static let tagsCount = 48
  /// vault UUID ‖ uuid ‖ ver.
  static func tags(
    uuid: Span<UInt8>, version: Span<UInt8>, _ keys: RecordKeys, into aad: inout MutableSpan<UInt8>
  ) {
    var at = 0
    let vault = keys.vaultID
    aad.put(vault.span, at: &at)
    aad.put(uuid, at: &at)
    aad.put(version, at: &at)
  }
}
