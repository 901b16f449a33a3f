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

  private var changesSecret: Bool { !secrets.fields.isEmpty }

  /// Whether an item gets an application password that it did not have.
  private func setsPassword(of old: ItemContent) -> Bool {
    old.passwordLock == nil && changed(old).accessControl?.needsApplicationPassword == true
  }

  /// Whether an item loses the application password that it has.
  private func takesPassword(of old: ItemContent) -> Bool {
    old.passwordLock != nil && changed(old).accessControl?.needsApplicationPassword != true
  }

  /// Whether it may change an item now.
  ///
  /// - Parameter hasPasscode: Whether one is set in the vault.
  func answer(about old: ItemContent, _ consent: CallConsent, hasPasscode: Bool) -> CallConsent.Answer {
    guard let question = old.question else {
      return setsPassword(of: old) ? consent.answerToNewPassword(hasPasscode: hasPasscode) : .free
    }
    // The password is needed where the secret is replaced or comes out from under it.
    let lock = changesSecret || takesPassword(of: old) ? old.passwordLock : nil
    if isOfDataOnly || question.accessControl.reading == .free && lock == nil {
      let answer = isOfDataOnly ? consent.answerToReplacing(question) : .free
      guard case .free = answer, let lock else { return answer }
      return hasPasscode ? consent.answer(lock) : .refusal(KeychainError(.authenticationFailed))
    }
    let answer = consent.answer(question, lock, hasPasscode: hasPasscode)
    guard case .free = answer, setsPassword(of: old) else { return answer }
    return consent.answerToNewPassword(hasPasscode: hasPasscode)
  }

  /// Changes one item.
  ///
  /// - Parameter consent: What was verified for it.
  func apply(
    to uuid: Identifier, _ old: ItemContent, _ writer: RecordWriter, _ consent: CallConsent
  ) throws(VaultError) {
    let item = changed(old)
    try writer.reader.keys.require(item)
    let release = consent.release(for: old.question)
    let password = try password(of: old, consent)
    let draft = try item.draft(writer.reader.keys)
    let secret = secrets.fields.isEmpty ? nil : secrets.fields
    let keepsOthers = !AttributeDefinition.extraSecrets(of: item.itemClass).isEmpty
    do throws(VaultError) {
      try writer.replace(uuid, with: draft, secret: secret, keepsOthers: keepsOthers, release, password: password)
    } catch {
      // What has the new key may be a damaged record, which is as good as none.
      guard error.code == .duplicate, try writer.makeWay(for: draft.primaryKey) else { throw error }
      try writer.replace(uuid, with: draft, secret: secret, keepsOthers: keepsOthers, release, password: password)
    }
  }

  private func password(of old: ItemContent, _ consent: CallConsent) throws(VaultError) -> PasswordChange {
    if takesPassword(of: old) { return .remove }
    guard setsPassword(of: old) else { return .keep }
    guard let password = consent.newPassword else { throw .isWithoutPassword }
    return .set(password)
  }

  /// A change is never dated before the one before it, whatever the clock says.
  static func modification(after item: ItemContent, now: Double) -> Double {
    guard case .date(let last) = item.attributes[.modificationDate] else { return now }
    return max(now, last + 0.001)
  }
}

extension VaultError {
  /// No item is stored without the application password that its access control asks for.
  static var isWithoutPassword: VaultError {
    VaultError(.classKeyLocked, "an item needs an application password, and there is none")
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
