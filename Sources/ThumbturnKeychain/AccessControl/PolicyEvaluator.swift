package import ThumbturnAuthentication
package import ThumbturnCrypto
package import ThumbturnVault

/// Whoever can verify that an access control holds, for one call: the agent, after it has itself asked for a finger or the
/// passcode. A call without one refuses everything that would need it.
///
/// Called with no lock held, neither of this process nor of a file, with no transaction open, and before any secret of the
/// call is opened; on the thread of the call. It ends in bounded time: nothing here limits it.
///
/// What is needed and was not shown yet has no code of its own, so that no face can see one: an evaluator that cannot ask
/// keeps the questions in mind, throws ``KeychainError/Code/interactionNotAllowed``, and whoever made it looks there.
package protocol PolicyEvaluator: Sendable {
  /// Verifies all of these, for one call. A question whose set of fingers is not the one that is enrolled any more, and that
  /// nothing else fulfils, is dead: see ``PolicyQuestion/remainingRequirement``.
  ///
  /// - Throws: What the call is to answer (SECACCESS.md §2): ``KeychainError/Code/userCanceled``,
  ///   ``KeychainError/Code/authenticationFailed``, also when the reader cannot tell what is enrolled,
  ///   ``KeychainError/Code/interactionNotAllowed``.
  func release(_ questions: Set<PolicyQuestion>) throws(KeychainError) -> PolicyRelease

  /// Whether nothing fulfils this any more, as in ``release(_:)``; false while the reader cannot tell what is enrolled. Asks
  /// nobody.
  ///
  /// - Throws: ``KeychainError/Code/interactionNotAllowed`` where the reader cannot be asked now: the call is to come again.
  func isDead(_ question: PolicyQuestion) throws(KeychainError) -> Bool

  /// What is enrolled now, for an item that is about to get this access control; at most ``RecordPolicy/countMax`` bytes,
  /// and none where it does not matter. Asks nobody.
  ///
  /// - Throws: ``KeychainError/Code/authenticationFailed`` for one that could not be fulfilled.
  func enrolmentHash(for control: AccessControl) throws(KeychainError) -> [UInt8]

  /// The application password that goes into the key of an item. It is asked for after everything else.
  ///
  /// - Parameter wrongBefore: Whether the last one that this call got opened not all that it was to open: that one is to be
  ///   forgotten.
  /// - Throws: As ``release(_:)``.
  func applicationPassword(wrongBefore: Bool) throws(KeychainError) -> SharedSecret
}

/// What has to be verified before a secret is opened.
package struct PolicyQuestion: Hashable, Sendable {
  package let accessControl: AccessControl
  /// What was enrolled when the access control was set.
  package let enrolmentHash: [UInt8]

  package init(accessControl: AccessControl, enrolmentHash: [UInt8]) {
    self.accessControl = accessControl
    self.enrolmentHash = enrolmentHash
  }

  /// The bytes that the secret authenticates: what a release must name.
  package var policy: RecordPolicy {
    RecordPolicy(accessControl: accessControl.canonicalBytes, enrolmentHash: enrolmentHash)
  }

  /// What has to be shown.
  package var requirement: Requirement { accessControl.requirement }

  /// Whether a finger counts only while ``enrolmentHash`` is what is enrolled.
  package var needsCurrentSet: Bool { accessControl.conditions.contains(.biometryCurrentSet) }

  /// What has to be shown when something else is enrolled by now; nil when nothing fulfils it any more: it is dead then.
  package var remainingRequirement: Requirement? {
    guard needsCurrentSet else { return requirement }
    let factors = requirement.factors.subtracting([.finger])
    guard !requirement.needsAll, !factors.isEmpty else { return nil }
    return Requirement(factors, needsApplicationPassword: requirement.needsApplicationPassword)
  }
}
