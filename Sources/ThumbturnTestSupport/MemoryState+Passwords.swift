internal import ThumbturnAuthentication
internal import ThumbturnCrypto
internal import ThumbturnKeychain

// Application passwords (SECACCESS.md §1, 2). They are compared as bytes and not wiped: only tests have their items here.

extension MemoryState {
  /// How often a call asks (SECACCESS.md §2).
  private static let roundCountMax = 20
  /// Of so many prompts it is known what was typed.
  private static let typedCountMax = 64

  /// Remembers what was typed in a session.
  mutating func keepTyped(in session: [UInt8]) {
    typed.append((session, Array(applicationPassword.utf8)))
    if typed.count > Self.typedCountMax { typed.removeFirst() }
  }

  /// What there is to be tried: the credential of a context, then what was typed in it, the last first.
  private func passwords(of context: AuthenticationContext) -> [[UInt8]] {
    let given = context.credential?.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    let sessions = Set(context.sessionIDs)
    return (given.map { [$0] } ?? []) + typed.reversed().filter { sessions.contains($0.session) }.map(\.password)
  }

  /// What a context lacks; nil when it has all.
  ///
  /// - Parameter password: The application password that is needed, where one is.
  func missing(
    of requirement: Requirement, _ password: [UInt8]?, _ context: AuthenticationContext
  ) -> Requirement? {
    let isShown = requirement.factors.isEmpty || requirement.isFulfilled(by: context.shown)
    let isOpen = password.map(passwords(of: context).contains) ?? true
    guard !isShown || !isOpen else { return nil }
    return Requirement(
      isShown ? [] : requirement.factors, needsAll: requirement.needsAll, needsApplicationPassword: !isOpen)
  }

  /// Asks for what a context lacks. An application password that is wrong is asked for again.
  mutating func show(
    _ requirement: Requirement, _ password: [UInt8]?, _ session: Session
  ) throws(KeychainError) {
    for _ in 0..<Self.roundCountMax {
      guard let missing = missing(of: requirement, password, session.context) else { return }
      guard session.consent == .ask, !session.context.forbidsPrompts else {
        throw KeychainError(.interactionNotAllowed)
      }
      // The one that the program gave is wrong, and not tried again.
      if missing.needsApplicationPassword { session.context.credential = nil }
      try prompt(missing, session.context)
    }
    guard missing(of: requirement, password, session.context) == nil else { throw KeychainError(.authenticationFailed) }
  }

  /// Has the application password of an item given before its secret is replaced, which needs nothing else.
  mutating func open(_ item: Item, _ session: Session) throws(KeychainError) {
    guard let password = item.applicationPassword else { return }
    guard hasPasscode, !session.context.isInvalidated else { throw KeychainError(.authenticationFailed) }
    try show(Requirement([]), password, session)
  }

  /// The application password of an item that is to get one: what there is, or else what is typed.
  mutating func newPassword(_ session: Session) throws(KeychainError) -> [UInt8] {
    guard !session.context.isInvalidated else { throw KeychainError(.authenticationFailed) }
    if let known = passwords(of: session.context).first { return known }
    guard session.consent == .ask else { throw KeychainError(.interactionNotAllowed) }
    try prompt(Requirement([], needsApplicationPassword: true), session.context)
    return Array(applicationPassword.utf8)
  }
}
