internal import ThumbturnCrypto

/// What must hold before the secret of a record is opened (VAULT.md §3): bytes that the vault keeps, authenticates with the
/// secret, and does not read.
package struct RecordPolicy: Hashable, Sendable {
  /// Far above an access control or a hash of anything.
  package static let countMax = 255

  /// The canonical access control; at least one byte.
  package let accessControl: [UInt8]
  /// What was enrolled when the secret was sealed; may be empty.
  package let enrolmentHash: [UInt8]

  /// A policy; each part has at most ``countMax`` bytes.
  package init(accessControl: [UInt8], enrolmentHash: [UInt8]) {
    precondition(!accessControl.isEmpty && accessControl.count <= Self.countMax, "an access control has some bytes")
    precondition(enrolmentHash.count <= Self.countMax, "a hash is short")
    self.accessControl = accessControl
    self.enrolmentHash = enrolmentHash
  }
}

/// A policy as it stands in a record: with the wrapped key of the secret box.
struct SealedPolicy: Sendable {
  let policy: RecordPolicy
  /// See ``RecordKeys/wrap(itemKey:_:uuid:version:)``.
  let itemKey: [UInt8]

  init(_ policy: RecordPolicy, itemKey: [UInt8]) {
    self.policy = policy
    self.itemKey = itemKey
  }

  /// That of a record's metadata; nil when none of its fields is there.
  ///
  /// - Throws: ``VaultError/Code/damagedRecord`` when some of them are there and others are not, or have a wrong size.
  init?(in fields: Span<UInt8>) throws(VaultError) {
    func bytes(_ own: RecordField.Own) throws(VaultError) -> [UInt8]? {
      guard let place = try RecordFieldWalk.find(own.rawValue, in: fields) else { return nil }
      guard place.kind == .data, place.range.count <= RecordPolicy.countMax else { throw Self.isMalformed }
      return fields.extracting(place.range).copied()
    }
    let (hash, itemKey, control) = (try bytes(.enrolmentHash), try bytes(.itemKey), try bytes(.policy))
    if hash == nil, itemKey == nil, control == nil { return nil }
    guard let hash, let itemKey, let control, !control.isEmpty, itemKey.count == RecordKeys.wrappedItemKeyCount else {
      throw Self.isMalformed
    }
    self.init(RecordPolicy(accessControl: control, enrolmentHash: hash), itemKey: itemKey)
  }

  private static var isMalformed: VaultError { VaultError(.damagedRecord, "the policy of a record is not whole") }
}

/// Proof that policies hold now. Only with it a secret under one of them is handed out.
///
/// **The agent constructs this, after its own verification of a finger or passcode, and nothing else does.** That is a rule
/// of our code, not of cryptography: a process that has the policy key in memory could open what is under it.
package struct PolicyRelease: Sendable {
  private let policies: Set<RecordPolicy>
  private let dead: Set<RecordPolicy>

  /// A release of secrets under these policies, which were verified for one call.
  ///
  /// - Parameter dead: Those that nothing fulfils any more, since another set of fingers is enrolled: their records are as if
  ///   they were not there.
  package init(verified policies: Set<RecordPolicy>, dead: Set<RecordPolicy> = []) {
    self.policies = policies
    self.dead = dead
  }

  /// This one and another, of the same call.
  package func adding(_ other: PolicyRelease) -> PolicyRelease {
    PolicyRelease(verified: policies.union(other.policies), dead: dead.union(other.dead))
  }

  /// Whether it is one for this policy: the bytes that are compared are those that the secret box authenticates.
  package func covers(_ policy: RecordPolicy) -> Bool { policies.contains(policy) && !dead.contains(policy) }

  /// Whether nothing fulfils this policy any more.
  package func isDead(_ policy: RecordPolicy) -> Bool { dead.contains(policy) }
}
