internal import ThumbturnCrypto
internal import ThumbturnVault

/// What one call may read: what its query says, and what was verified for it so far.
struct CallConsent: Sendable {
  /// How often a call asks (SECACCESS.md §2).
  static let roundCountMax = 20
  /// Items of one call whose secrets stand under an application password: each costs a derivation, a tenth of a second and
  /// more, at each password that is tried.
  static let lockCountMax = 16

  /// Whether somebody may be asked. Without an evaluator nothing can ask a person (VAULT.md §3).
  private let mayAsk: Bool
  private let hasEvaluator: Bool
  private let leavesOut: Bool
  private var release: PolicyRelease?
  /// Where a call sets an application password, that one.
  private(set) var newPassword: StretchedPassword?
  private var wasWrong = false
  /// Whether nothing fulfils these any more.
  private var isDead: [PolicyQuestion: Bool] = [:]

  init(_ consent: ItemQuery.Consent, canAsk: Bool) {
    mayAsk = canAsk && consent == .ask
    hasEvaluator = canAsk
    leavesOut = consent == .leaveOut
  }

  /// What a call does with an item under an access control.
  enum Answer: Sendable {
    case free
    /// As if it were not there.
    case leaveOut
    case ask(PolicyQuestion)
    /// Nobody is asked, but what is enrolled matters.
    case askWhetherDead(PolicyQuestion)
    /// An application password has to open this; nil is a new one.
    case askPassword(PasswordLock?)
    case refusal(KeychainError)
  }

  /// Whether the secret of an item may be read.
  ///
  /// - Parameters:
  ///   - lock: What an application password has to open, where one goes into the key.
  ///   - hasPasscode: Without a passcode nothing can be fulfilled, whoever asks (SECACCESS.md §2).
  func answer(_ question: PolicyQuestion, _ lock: PasswordLock?, hasPasscode: Bool) -> Answer {
    if question.accessControl.reading == .forbidden { return .refusal(KeychainError(.authenticationFailed)) }
    if leavesOut { return .leaveOut }
    guard hasPasscode else { return .refusal(KeychainError(.authenticationFailed)) }
    if question.accessControl.reading == .constrained {
      if let release, release.isDead(question.policy) { return .leaveOut }
      guard let release, release.covers(question.policy) else { return asked(.ask(question)) }
    }
    guard let lock else { return .free }
    return answer(lock)
  }

  /// Whether the secret of an item may be replaced unread: not that of one that is as if it were not there, because what
  /// replaces it could never be read.
  func answerToReplacing(_ question: PolicyQuestion) -> Answer {
    guard hasEvaluator, question.needsCurrentSet else { return .free }
    guard let isDead = isDead[question] else { return .askWhetherDead(question) }
    return isDead ? .leaveOut : .free
  }

  /// Whether an application password has opened this.
  func answer(_ lock: PasswordLock) -> Answer {
    release?.contentKey(lock) == nil ? asked(.askPassword(lock)) : .free
  }

  /// Whether there is an application password for an item that is to get one.
  func answerToNewPassword(hasPasscode: Bool) -> Answer {
    guard hasPasscode else { return .refusal(KeychainError(.authenticationFailed)) }
    return newPassword == nil ? asked(.askPassword(nil)) : .free
  }

  private func asked(_ question: Answer) -> Answer {
    mayAsk ? question : .refusal(KeychainError(.interactionNotAllowed))
  }

  /// What was verified, for one item: reading under an application password alone is free.
  func release(for question: PolicyQuestion?) -> PolicyRelease? {
    guard let question, question.accessControl.reading == .free else { return release }
    let free = PolicyRelease(verified: [question.policy])
    return release?.adding(free) ?? free
  }

  /// Has something verified. With no lock held and no transaction open.
  ///
  /// - Throws: What the evaluator throws; ``KeychainError/Code/parameter`` for more than ``lockCountMax`` items under
  ///   application passwords.
  mutating func ask(_ needed: Needed, _ evaluator: any PolicyEvaluator) throws(KeychainError) {
    guard needed.mortals.isEmpty else {
      for question in needed.mortals { isDead[question] = try evaluator.isDead(question) }
      return
    }
    guard needed.questions.isEmpty else {
      // The application password is asked for last.
      let next = try evaluator.release(needed.questions)
      release = release?.adding(next) ?? next
      return
    }
    guard needed.locks.count <= Self.lockCountMax else { throw KeychainError(.parameter) }
    let password = try evaluator.applicationPassword(wrongBefore: wasWrong)
    do throws(VaultError) { try open(needed, password) } catch { throw KeychainError(error) }
  }

  private mutating func open(_ needed: Needed, _ password: SharedSecret) throws(VaultError) {
    var keys: [PasswordLock: SharedSecret] = [:]
    for lock in needed.locks { if let key = try lock.opened(by: password) { keys[lock] = key } }
    release = (release ?? PolicyRelease(verified: [])).adding(keys)
    wasWrong = keys.count < needed.locks.count
    if needed.needsNewPassword, !wasWrong {
      newPassword = try StretchedPassword(new: password)
      wasWrong = newPassword == nil
    }
  }
}

/// What a call has to have verified before it goes on.
struct Needed: Sendable {
  var questions: Set<PolicyQuestion> = []
  /// Of which it has to be known whether anything fulfils them still.
  var mortals: Set<PolicyQuestion> = []
  var locks: Set<PasswordLock> = []
  var needsNewPassword = false

  var isEmpty: Bool { questions.isEmpty && mortals.isEmpty && locks.isEmpty && !needsNewPassword }

  /// Takes over what one item needs; false for an item that is left out.
  ///
  /// - Throws: The refusal of the call.
  mutating func take(_ answer: CallConsent.Answer) throws(KeychainError) -> Bool {
    switch answer {
    case .free: return true
    case .leaveOut: return false
    case .ask(let question): questions.insert(question)
    case .askWhetherDead(let question): mortals.insert(question)
    case .askPassword(let lock?): locks.insert(lock)
    case .askPassword(nil): needsNewPassword = true
    case .refusal(let error): throw error
    }
    return true
  }
}
