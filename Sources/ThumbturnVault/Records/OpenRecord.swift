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
  ///   without a release of it, or with an application password that the release does not have,
  ///   ``VaultError/Code/noPasscode`` for one while none is set.
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

  func sealedPolicy() throws(VaultError) -> SealedPolicy? { try SealedPolicy(in: fields, of: uuid) }

  /// What an application password has to open before the secret is; nil without one.
  ///
  /// - Throws: ``VaultError/Code/damagedRecord``.
  package func passwordLock() throws(VaultError) -> PasswordLock? { try sealedPolicy()?.lock }

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
    return try openContent(try openBox(sealed, release), sealed, release)
  }

  /// The content of the secret box for who seals it again under another policy: with an application password it is still
  /// under that.
  func openBox(_ release: PolicyRelease?) throws(VaultError) -> SecretBytes {
    guard let sealed = try sealedPolicy() else { return try openUnderClass() }
    return try openBox(sealed, release)
  }

  /// The same for what stays inside the vault: it is sealed again under the same policy, or wiped at once.
  func openForExchange() throws(VaultError) -> SecretBytes {
    guard let sealed = try sealedPolicy() else { return try openUnderClass() }
    return try open(under: sealed)
  }

  /// All encoded fields, which stay under the policy that they have. Only an application password is needed.
  func openToMerge(_ release: PolicyRelease?) throws(VaultError) -> SecretBytes {
    guard let sealed = try sealedPolicy() else { return try openUnderClass() }
    return try openContent(try open(under: sealed), sealed, release)
  }

  private func openBox(_ sealed: SealedPolicy, _ release: PolicyRelease?) throws(VaultError) -> SecretBytes {
    guard let release, release.covers(sealed.policy) else {
      throw VaultError(.classKeyLocked, "the secret has a policy, and nothing here may release it")
    }
    try keys.requirePolicy()
    return try open(under: sealed)
  }

  private func openContent(
    _ content: consuming SecretBytes, _ sealed: SealedPolicy, _ release: PolicyRelease?
  ) throws(VaultError) -> SecretBytes {
    guard let lock = sealed.lock else { return content }
    guard let key = release?.contentKey(lock) else {
      throw VaultError(.classKeyLocked, "the secret needs an application password")
    }
    return try keys.open(content.bytes, under: key, lock)
  }

  /// Checks the secret, and shows nothing: all of it, or without the policy key what can be told without that.
  ///
  /// - Throws: ``VaultError/Code/damagedRecord``.
  func verifySecret() throws(VaultError) {
    let sealed = try sealedPolicy()
    if let sealed, !keys.hasPolicyKey {
      let version = fields.extracting(try secretVersionPlace().range)
      _ = try keys.unwrapOnce(sealed.itemKey.span, protection, uuid: columns.uuid, version: version)
      return
    }
    let secret = try openForExchange()
    // What stands under an application password nobody here can look into.
    guard sealed?.lock == nil else {
      guard secret.count >= AESGCM.overhead else { throw VaultError(.damagedRecord, "a box is cut short") }
      return
    }
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
