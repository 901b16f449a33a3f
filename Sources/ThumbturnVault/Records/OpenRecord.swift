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
  /// - Parameter release: Proof that the record's policy holds, where it has one.
  /// - Throws: ``VaultError/Code/damagedRecord``, ``VaultError/Code/classKeyLocked``, also for a record under a policy
  ///   without a release of it, ``VaultError/Code/noPasscode`` for one while none is set.
  package func openSecret(
    field number: UInt16, _ release: PolicyRelease? = nil
  ) throws(VaultError) -> SecretBytes? {
    var secret = try openSecret(release)
    guard let place = try RecordFieldWalk.find(number, in: secret.bytes) else { return nil }
    secret.narrow(to: place.range)
    return secret
  }

  /// What must hold before the secret is opened; nil when nothing must.
  ///
  /// - Throws: ``VaultError/Code/damagedRecord``.
  package func policy() throws(VaultError) -> RecordPolicy? { try sealedPolicy()?.policy }

  /// Whether a policy belongs to it, without looking at that.
  package func hasPolicy() throws(VaultError) -> Bool {
    try RecordFieldWalk.find(RecordField.Own.itemKey.rawValue, in: fields) != nil
  }

  func sealedPolicy() throws(VaultError) -> SealedPolicy? { try SealedPolicy(in: fields) }

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

  /// All encoded fields of the secret box, to be handed out.
  func openSecret(_ release: PolicyRelease? = nil) throws(VaultError) -> SecretBytes {
    guard try hasPolicy() else { return try openUnderClass() }
    guard let sealed = try sealedPolicy() else { return try openUnderClass() }
    guard let release, release.covers(sealed.policy) else {
      throw VaultError(.classKeyLocked, "the secret has a policy, and nothing here may release it")
    }
    try keys.requirePolicy()
    return try open(under: sealed)
  }

  /// The same for what stays inside the vault: it is sealed again under the same policy, or wiped at once.
  func openForExchange() throws(VaultError) -> SecretBytes {
    guard let sealed = try sealedPolicy() else { return try openUnderClass() }
    return try open(under: sealed)
  }

  /// Checks the secret, and shows nothing: all of it, or without the policy key what can be told without that.
  ///
  /// - Throws: ``VaultError/Code/damagedRecord``.
  func verifySecret() throws(VaultError) {
    if let sealed = try sealedPolicy(), !keys.hasPolicyKey {
      let version = fields.extracting(try secretVersionPlace().range)
      _ = try keys.unwrapOnce(sealed.itemKey.span, protection, uuid: columns.uuid, version: version)
      return
    }
    let secret = try openForExchange()
    var walk = RecordFieldWalk()
    while try walk.next(in: secret.bytes) != nil {}
  }

  private func open(under sealed: SealedPolicy) throws(VaultError) -> SecretBytes {
    let version = fields.extracting(try secretVersionPlace().range)
    let key = try keys.unwrapItemKey(sealed.itemKey.span, protection, uuid: columns.uuid, version: version)
    let aad = RecordBinding.secret(columns, keys, version: version, sealed.policy)
    var secret = try keys.open(key: key.bytes, aad: aad.span, secretBox)
    secret.narrow(to: try Padding.content(secret.bytes))
    return secret
  }

  private func openUnderClass() throws(VaultError) -> SecretBytes {
    let version = try secretVersionPlace()
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
