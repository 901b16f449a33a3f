package import ThumbturnCrypto

/// One record of a find, alive for one call of its closure.
package struct OpenRecord: ~Copyable, ~Escapable {
  /// Its place in the order of insertion.
  package let rowID: Int64
  package let uuid: Identifier
  package let protection: ProtectionClass
  /// The number of its table.
  package let table: UInt8
  package let sync: Bool
  /// Whether its class key is locked: then ``fields`` is empty and the tags alone made it a candidate.
  package let isLocked: Bool
  /// The encoded attributes, to be walked with ``RecordFieldWalk``.
  package let fields: Span<UInt8>
  private let columns: RecordBinding.Columns
  private let secretBox: Span<UInt8>
  private let keys: RecordKeys

  @_lifetime(copy columns, copy fields, copy secretBox)
  init(
    rowID: Int64, protection: ProtectionClass, isLocked: Bool, columns: consuming RecordBinding.Columns,
    fields: Span<UInt8>, secretBox: Span<UInt8>, keys: RecordKeys
  ) {
    self.rowID = rowID
    uuid = Identifier(columns.uuid)
    self.protection = protection
    sync = columns.sync != 0
    table = columns.table
    self.isLocked = isLocked
    self.fields = fields
    self.secretBox = secretBox
    self.keys = keys
    self.columns = columns
  }

  /// Opens the secret box and shows one field of it; nil when the record has no such field.
  ///
  /// - Throws: ``VaultError/Code/damagedRecord``, ``VaultError/Code/classKeyLocked``.
  package func openSecret(field number: UInt16) throws(VaultError) -> SecretBytes? {
    var secret = try openSecret()
    guard let place = try RecordFieldWalk.find(number, in: secret.bytes) else { return nil }
    secret.narrow(to: place.range)
    return secret
  }

  /// The version of this writing of the record.
  var version: Identifier { Identifier(columns.version) }

  /// The version of its secret box.
  func secretVersion() throws(VaultError) -> Identifier {
    Identifier(fields.extracting(try secretVersionPlace().range))
  }

  private func secretVersionPlace() throws(VaultError) -> RecordFieldPlace {
    guard let place = try RecordFieldWalk.find(RecordField.Own.secretVersion.rawValue, in: fields),
      place.range.count == 16
    else { throw VaultError(.damagedRecord, "a record without a secret version") }
    return place
  }

  /// All encoded fields of the secret box.
  func openSecret() throws(VaultError) -> SecretBytes {
    let version = try secretVersionPlace()
    guard try RecordFieldWalk.find(RecordField.Own.itemKey.rawValue, in: fields) == nil else {
      throw VaultError(.classKeyLocked, "the secret has a policy, and nothing here may release it")
    }
    let versionBytes = fields.extracting(version.range)
    var key = InlineArray<32, UInt8>(repeating: 0)
    defer {
      var spent = key.mutableSpan
      wipeBytes(&spent)
    }
    var keyOut = key.mutableSpan
    try keys.boxKey(protection, .secret, uuid: columns.uuid, version: versionBytes, into: &keyOut)
    var aad = InlineArray<71, UInt8>(repeating: 0)
    var aadOut = aad.mutableSpan
    RecordBinding.secret(columns, keys, version: versionBytes, into: &aadOut)
    var secret = try keys.open(key: key.span, aad: aad.span, secretBox)
    secret.narrow(to: try Padding.content(secret.bytes))
    return secret
  }
}
