internal import ThumbturnVault

/// A change that was checked, for items of one class.
struct ItemChanging: Sendable {
  private let attributes: [Attribute: AttributeValue]
  private let protectionClass: ProtectionClass?
  private let accessControl: AccessControl?
  /// What is enrolled now.
  private let enrolmentHash: [UInt8]
  /// Whether it is of the data alone, which is sealed anew without being read.
  private let isOfDataOnly: Bool
  private let isSynchronizable: Bool?
  private let secrets: ItemSecrets
  private let now: Double

  /// - Parameter evaluator: Whoever knows what is enrolled.
  /// - Throws: What ``ItemContent/stored(_:in:)``, ``Caller/groups(named:writes:)``, ``ItemSecrets`` and
  ///   ``PolicyEvaluator/enrolmentHash(for:)`` throw.
  init(
    _ change: ItemChange, of itemClass: ItemClass, _ caller: Caller, now: Double,
    _ evaluator: (any PolicyEvaluator)? = nil
  ) throws(KeychainError) {
    var attributes = try ItemContent.stored(change.attributes, in: itemClass)
    if let named = attributes[.accessGroup] { _ = try caller.groups(named: named, writes: true) }
    if let isSynchronizable = change.isSynchronizable { try caller.checkSynchronizable(isSynchronizable) }
    attributes[.modificationDate] = nil
    self.attributes = attributes
    protectionClass = change.accessControl?.protectionClass ?? change.protectionClass
    accessControl = change.isConstrained ? change.accessControl : nil
    isSynchronizable = change.isSynchronizable
    isOfDataOnly =
      change.secret != nil && change.extraSecrets.isEmpty && change.attributes.isEmpty && isSynchronizable == nil
      && protectionClass == nil
    secrets = try ItemSecrets(change.secret, change.extraSecrets, of: itemClass)
    self.now = now
    guard let evaluator, let accessControl else {
      enrolmentHash = []
      return
    }
    enrolmentHash = try evaluator.enrolmentHash(for: accessControl)
  }

  /// The item as it is to be.
  func changed(_ old: ItemContent) -> ItemContent {
    var item = old
    item.attributes.merge(attributes) { $1 }
    item.attributes[.modificationDate] = .date(Self.modification(after: old, now: now))
    if let protectionClass {
      item.protectionClass = protectionClass
      item.accessControl = accessControl
      item.enrolmentHash = enrolmentHash
    }
    if let isSynchronizable { item.isSynchronizable = isSynchronizable }
    return item
  }

  /// Whether it may change an item now.
  ///
  /// - Parameter hasPasscode: Whether one is set in the vault.
  func answer(about old: ItemContent, _ consent: CallConsent, hasPasscode: Bool) -> CallConsent.Answer {
    guard let question = old.question, !isOfDataOnly else { return .free }
    return consent.answer(question, hasPasscode: hasPasscode)
  }

  /// Changes one item.
  ///
  /// - Parameter release: Proof that its access control holds, for what needs that.
  func apply(
    to uuid: Identifier, _ old: ItemContent, _ writer: RecordWriter, _ release: PolicyRelease? = nil
  ) throws(VaultError) {
    let item = changed(old)
    try writer.reader.keys.require(item)
    let draft = try item.draft(writer.reader.keys)
    let secret = secrets.fields.isEmpty ? nil : secrets.fields
    let keepsOthers = !AttributeDefinition.extraSecrets(of: item.itemClass).isEmpty
    do throws(VaultError) {
      try writer.replace(uuid, with: draft, secret: secret, keepsOthers: keepsOthers, release)
    } catch {
      // What has the new key may be a damaged record, which is as good as none.
      guard error.code == .duplicate, try writer.makeWay(for: draft.primaryKey) else { throw error }
      try writer.replace(uuid, with: draft, secret: secret, keepsOthers: keepsOthers, release)
    }
  }

  /// A change is never dated before the one before it, whatever the clock says.
  static func modification(after item: ItemContent, now: Double) -> Double {
    guard case .date(let last) = item.attributes[.modificationDate] else { return now }
    return max(now, last + 0.001)
  }
}

extension RecordKeys {
  /// Refuses an item that cannot be stored now.
  ///
  /// - Throws: As ``require(_:)`` for its protection class, and as ``requirePolicy()`` when it has an access control.
  func require(_ item: ItemContent) throws(VaultError) {
    try require(item.protectionClass)
    if item.accessControl != nil { try requirePolicy() }
  }
}
