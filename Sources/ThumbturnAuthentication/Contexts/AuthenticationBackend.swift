/// Whoever can ask a person: an agent, or what stands in for one in tests.
///
/// From any thread.
public protocol AuthenticationBackend: Sendable {
  /// What can be asked for now. Nobody is asked; it takes at most 12 seconds.
  ///
  /// - Throws: ``AuthenticationFailure`` when nobody can say it, with the reason: no agent, no vault.
  func authenticationStatus() throws(AuthenticationFailure) -> AuthenticationStatus

  /// Has a person asked, unless what was verified in the context is enough already and still holds.
  ///
  /// It never waits: the answer comes by `reply`, on a thread of the backend's, within 130 seconds. A context that is
  /// invalidated meanwhile ends it at once with ``AuthenticationFailure/Code/appCancel``; one that was before, or that forbids
  /// prompts, is refused. Equal requests of one process that run at the same time are one prompt.
  ///
  /// - Parameters:
  ///   - requirement: What has to be shown.
  ///   - texts: What the prompt says.
  ///   - context: Keeps what was verified.
  ///   - anew: Whether the person is asked even though the context has enough.
  ///   - reply: Called once.
  func evaluate(
    _ requirement: Requirement, _ texts: AuthenticationTexts, in context: AuthenticationContext, anew: Bool,
    reply: @escaping @Sendable (Result<Set<Factor>, AuthenticationFailure>) -> Void)
}
