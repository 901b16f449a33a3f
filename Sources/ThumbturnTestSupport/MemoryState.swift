internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

/// What a ``MemoryBackend`` holds.
struct MemoryState {
  /// A stored item.
  struct Item {
    var content: ItemContent
    let reference: [UInt8]
    var accessControl: AccessControl?
    var secret: SharedSecret?
    var extraSecrets: [Attribute: SharedSecret]
    /// The set of fingers when the access control was set.
    var enrolment: Int
    /// What was typed when it got an application password; nil for an item without one.
    var applicationPassword: String?
  }

  var items: [Item] = []
  var lockState = MemoryBackend.LockState.unlocked
  var hasPasscode = true
  var isBiometryEnrolled = true
  var answer = MemoryBackend.Answer.success
  var promptCount = 0
  var applicationPassword = "password"
  var plans: [Plan] = []
  /// The number of the set of fingers.
  private(set) var enrolment = 0

  mutating func setPasscode(_ isSet: Bool) {
    hasPasscode = isSet
    guard !isSet else { return }
    items.removeAll { $0.content.protectionClass == .whenPasscodeSetThisDeviceOnly }
    if isBiometryEnrolled { setBiometry(false) }
  }

  mutating func setBiometry(_ isEnrolled: Bool) {
    guard isEnrolled != isBiometryEnrolled else { return }
    isBiometryEnrolled = isEnrolled
    changeEnrolment()
  }

  mutating func changeEnrolment() {
    enrolment += 1
    items.removeAll { item in
      guard let conditions = item.accessControl?.conditions else { return false }
      // Where another constraint is enough, the item lives on behind that one.
      return conditions.contains(.biometryCurrentSet) && !conditions.contains(.or)
    }
  }

  /// Whether the key of a protection class is there.
  func requireKey(of protection: ProtectionClass) throws(KeychainError) {
    let isThere =
      switch protection {
      case .always, .alwaysThisDeviceOnly: true
      case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: lockState != .beforeFirstUnlock
      case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: lockState == .unlocked
      }
    guard isThere else { throw KeychainError(.interactionNotAllowed) }
  }
}

// MARK: Access controls (SECACCESS.md §1, 2)

extension MemoryState {
  /// One call: what was authenticated in it is not asked again.
  struct Session {
    let consent: ItemQuery.Consent
    var isAuthenticated = false
    var hasTyped = false
  }

  /// Whether a person could fulfil the constraints now; `enrolment` is the set of fingers when the item was stored.
  func canFulfil(_ control: AccessControl, enrolment: Int) -> Bool {
    let rows: [(AccessControl.Conditions, Bool)] = [
      (.userPresence, hasPasscode),
      (.biometryAny, hasPasscode && isBiometryEnrolled),
      (.biometryCurrentSet, hasPasscode && isBiometryEnrolled && enrolment == self.enrolment),
      (.devicePasscode, hasPasscode),
      (.companion, false),
    ]
    let asked = rows.filter { control.conditions.contains($0.0) }
    // As in the vault: what needs no person needs a passcode too, an application password or the use of a key.
    guard !asked.isEmpty else { return hasPasscode || !control.isConstrained }
    return control.conditions.contains(.or) ? asked.contains { $0.1 } : asked.allSatisfy { $0.1 }
  }

  /// Refuses what could never be read.
  func checkStorable(_ protection: ProtectionClass, _ control: AccessControl?) throws(KeychainError) {
    if protection == .whenPasscodeSetThisDeviceOnly, !hasPasscode { throw KeychainError(.authenticationFailed) }
    if let control, !canFulfil(control, enrolment: enrolment) { throw KeychainError(.authenticationFailed) }
    try requireKey(of: protection)
  }

  /// Gets the consent that reading an item needs; false when it is to be left out.
  ///
  /// - Parameter opens: Whether the secret itself is wanted, for which an application password is needed too.
  mutating func mayRead(_ item: Item, _ session: inout Session, opens: Bool = true) throws(KeychainError) -> Bool {
    guard let control = item.accessControl, control.isConstrained else { return true }
    guard control.reading != .forbidden else { throw KeychainError(.authenticationFailed) }
    let needsPrompt = control.reading == .constrained && !session.isAuthenticated
    let needsPassword = opens && item.applicationPassword != nil
    guard needsPrompt || needsPassword else { return true }
    if session.consent == .leaveOut { return false }
    guard canFulfil(control, enrolment: item.enrolment) else { throw KeychainError(.authenticationFailed) }
    if needsPrompt {
      guard session.consent == .ask else { throw KeychainError(.interactionNotAllowed) }
      try prompt()
      session.isAuthenticated = true
    }
    if needsPassword { try checkPassword(of: item, &session) }
    return true
  }

  /// Asks for the application password of an item. One that is wrong is typed again, twenty times in all.
  mutating func checkPassword(of item: Item, _ session: inout Session) throws(KeychainError) {
    guard let wanted = item.applicationPassword else { return }
    try type(&session)
    guard applicationPassword != wanted else { return }
    for _ in 1..<20 { try prompt() }
    throw KeychainError(.authenticationFailed)
  }

  /// Has an application password typed, once in a call.
  mutating func type(_ session: inout Session) throws(KeychainError) {
    guard session.consent == .ask else { throw KeychainError(.interactionNotAllowed) }
    guard !session.hasTyped else { return }
    try prompt()
    session.hasTyped = true
  }

  mutating func prompt() throws(KeychainError) {
    promptCount += 1
    switch answer {
    case .success: return
    case .cancel: throw KeychainError(.userCanceled)
    case .failure: throw KeychainError(.authenticationFailed)
    }
  }
}
