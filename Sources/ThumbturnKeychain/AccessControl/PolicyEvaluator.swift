package import ThumbturnVault

/// Whoever can verify that an access control holds: the agent, after it has itself asked for a finger or the passcode. A
/// ``LocalBackend`` has none unless one is given to it; then everything that would need one is refused.
///
/// Called with no lock held, neither of this process nor of a file, and before any secret of the call is opened; from any
/// thread. It ends in bounded time: nothing here limits it.
package protocol PolicyEvaluator: Sendable {
  /// Verifies all of these, for one call.
  ///
  /// - Throws: What the call is to answer (SECACCESS.md §2): ``KeychainError/Code/userCanceled``,
  ///   ``KeychainError/Code/authenticationFailed``, ``KeychainError/Code/interactionNotAllowed``.
  func release(_ questions: Set<PolicyQuestion>) throws(KeychainError) -> PolicyRelease

  /// What is enrolled now, for an item that is about to get this access control; at most ``RecordPolicy/countMax`` bytes,
  /// and none where it does not matter. Asks nobody.
  ///
  /// - Throws: ``KeychainError/Code/authenticationFailed`` for one that could not be fulfilled.
  func enrolmentHash(for control: AccessControl) throws(KeychainError) -> [UInt8]
}

/// What has to be verified before a secret is opened.
package struct PolicyQuestion: Hashable, Sendable {
  package let accessControl: AccessControl
  /// What was enrolled when the access control was set.
  package let enrolmentHash: [UInt8]
  /// The bytes that the secret authenticates: what a release must name.
  package var policy: RecordPolicy {
    RecordPolicy(accessControl: accessControl.canonicalBytes, enrolmentHash: enrolmentHash)
  }
}
