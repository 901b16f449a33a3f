internal import ThumbturnVault

/// What one call may read: what its query says, and what was verified for it so far.
struct CallConsent: Sendable {
  /// How often a call asks (SECACCESS.md §2).
  static let roundCountMax = 20

  private let consent: ItemQuery.Consent
  /// Without an evaluator nothing can ask a person (VAULT.md §3).
  private let canAsk: Bool
  private(set) var release: PolicyRelease?

  init(_ consent: ItemQuery.Consent, canAsk: Bool) {
    self.consent = consent
    self.canAsk = canAsk
  }

  /// What a call does with an item under an access control.
  enum Answer: Sendable {
    case free
    /// As if it were not there.
    case leaveOut
    case ask(PolicyQuestion)
    case refusal(KeychainError)
  }

  /// - Parameter hasPasscode: Without a passcode nothing can be fulfilled, whoever asks (SECACCESS.md §2).
  func answer(_ question: PolicyQuestion, hasPasscode: Bool) -> Answer {
    if question.accessControl.reading == .forbidden { return .refusal(KeychainError(.authenticationFailed)) }
    if consent == .leaveOut { return .leaveOut }
    guard hasPasscode else { return .refusal(KeychainError(.authenticationFailed)) }
    if let release, release.isDead(question.policy) { return .leaveOut }
    if let release, release.covers(question.policy) { return .free }
    return consent == .ask && canAsk ? .ask(question) : .refusal(KeychainError(.interactionNotAllowed))
  }

  /// Has questions verified. With no lock held and no transaction open.
  mutating func ask(
    _ questions: Set<PolicyQuestion>, _ evaluator: any PolicyEvaluator
  ) throws(KeychainError) {
    let next = try evaluator.release(questions)
    release = release?.adding(next) ?? next
  }
}
