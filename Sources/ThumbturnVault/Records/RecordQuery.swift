package import ThumbturnCrypto

/// Which records are candidates. Tags decide here; the caller compares true values afterwards.
package struct RecordQuery: Sendable {
  /// A condition on an attribute whose tag stands in the sealed blob.
  package struct Sealed: Sendable {
    package let number: UInt16
    package let tag: RecordTag
    package init(number: UInt16, tag: RecordTag) {
      self.number = number
      self.tag = tag
    }
  }

  package var table: UInt8
  /// Any of these groups; empty matches nothing.
  package var groups: [RecordTag]
  /// Whether the group does not matter, whatever ``groups`` says.
  package var isOfAnyGroup = false
  package var first: RecordTag?
  package var second: RecordTag?
  package var sync: Bool?
  package var protection: ProtectionClass?
  /// The 16 bytes that name one record.
  package var uuid: Identifier?
  package var sealed: [Sealed] = []

  package init(table: UInt8, groups: [RecordTag]) {
    self.table = table
    self.groups = groups
  }
}

/// What a record is to hold. Plaintexts and tags come from the keychain, which alone knows what they mean.
package struct RecordDraft: Sendable {
  package let table: UInt8
  package let protection: ProtectionClass
  package let sync: Bool
  package let primaryKey: RecordTag
  package let group: RecordTag
  package let first: RecordTag
  package let second: RecordTag
  /// Tags of the other searchable attributes.
  package let sealed: [RecordQuery.Sealed]
  /// The encoded attributes in ascending order of their numbers, all above ``RecordField/ownNumberMax``, without that of
  /// the access control.
  package let fields: [UInt8]
  /// What must hold before the secret is opened.
  package let policy: RecordPolicy?

  package init(
    table: UInt8, protection: ProtectionClass, sync: Bool, primaryKey: RecordTag, group: RecordTag, first: RecordTag,
    second: RecordTag, sealed: [RecordQuery.Sealed], fields: [UInt8],
    policy: RecordPolicy? = nil
  ) {
    let lowest = fields.isEmpty ? UInt64.max : fields.span.number(at: 0, count: 2)
    precondition(lowest > RecordField.ownNumberMax, "the low numbers are the vault's")
    self.table = table
    self.protection = protection
    self.sync = sync
    self.primaryKey = primaryKey
    self.group = group
    self.first = first
    self.second = second
    self.sealed = sealed
    self.fields = fields
    self.policy = policy
  }
}

/// One field of a secret box.
package struct SecretField: Sendable {
  package let number: UInt16
  package let secret: SharedSecret
  package init(number: UInt16, secret: SharedSecret) {
    self.number = number
    self.secret = secret
  }
}
