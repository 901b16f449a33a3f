internal import ThumbturnAuthentication
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
    /// What was given when it got an application password; nil for an item without one.
    var applicationPassword: [UInt8]?
  }

  var items: [Item] = []
  var lockState = MemoryBackend.LockState.unlocked
  var hasPasscode = true
  var isBiometryEnrolled = true
  var answer = MemoryBackend.Answer.success
  var promptCount = 0
  var applicationPassword = "password"
  /// What was typed in the last prompts, by the session of each: whoever shows that has typed it.
  var typed: [(session: [UInt8], password: [UInt8])] = []
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

  mutating func changeEnrolment() { enrolment += 1 }

  /// Whether the key of a protection class is there.
  func isOpen(_ protection: ProtectionClass) -> Bool {
    switch protection {
    case .always, .alwaysThisDeviceOnly: true
    case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: lockState != .beforeFirstUnlock
    case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: lockState == .unlocked
    }
  }

  func requireKey(of protection: ProtectionClass) throws(KeychainError) {
    guard isOpen(protection) else { throw KeychainError(.interactionNotAllowed) }
  }
}

// MARK: Access controls (SECACCESS.md §1, 2)

extension MemoryState {
  /// One call: what was authenticated in it is not asked again.
  struct Session {
    let consent: ItemQuery.Consent
    /// What was shown before this call; what is shown in it stays there.
    let context: AuthenticationContext

    init(_ consent: ItemQuery.Consent, _ context: AuthenticationContext?) {
      self.consent = consent
      self.context = context ?? AuthenticationContext()
    }
  }

  /// What has to be shown for an item now; nil when another set of fingers is enrolled by now and nothing else fulfils its
  /// access control: it is dead then.
  func requirement(of item: Item, _ control: AccessControl) -> Requirement? {
    guard item.enrolment != enrolment else { return control.requirement }
    return PolicyQuestion(accessControl: control, enrolmentHash: []).remainingRequirement
  }

  /// Whether an item is gone for who wants its secret.
  func isDead(_ item: Item) -> Bool { item.accessControl.map { requirement(of: item, $0) == nil } ?? false }

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
  mutating func mayRead(_ item: Item, _ session: Session, opens: Bool = true) throws(KeychainError) -> Bool {
    guard let control = item.accessControl, control.isConstrained else { return true }
    guard control.reading != .forbidden else { throw KeychainError(.authenticationFailed) }
    let password = opens ? item.applicationPassword : nil
    if session.consent == .leaveOut, missing(of: control.requirement, password, session.context) != nil { return false }
    guard !session.context.isInvalidated, hasPasscode else { throw KeychainError(.authenticationFailed) }
    guard let requirement = requirement(of: item, control) else { return false }
    guard canFulfil(control, enrolment: item.enrolment) else { throw KeychainError(.authenticationFailed) }
    try show(requirement, password, session)
    return true
  }

  /// Asks the person.
  mutating func prompt(_ requirement: Requirement, _ context: AuthenticationContext) throws(KeychainError) {
    guard case .failure(let failure) = ask(requirement, context) else { return }
    switch failure.code {
    case .userCancel: throw KeychainError(.userCanceled)
    case .notInteractive: throw KeychainError(.interactionNotAllowed)
    default: throw KeychainError(.authenticationFailed)
    }
  }
}
