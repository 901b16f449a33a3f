internal import ThumbturnAuthentication
internal import ThumbturnVault

/// The sizes that messages and what is in them may have; each is checked before memory is taken.
package enum FrameLimits {
  /// The version of the protocol. Another one is no agent of ours, or no client.
  package static let version: UInt16 = 1
  /// One packet in bytes: 64 KiB always fits into a socket's buffer (208 KiB by default), and a buffer of that size per
  /// thread may be locked where little memory may be.
  package static let packetCountMax = 65_536
  /// The body of a request in bytes: the largest secret (16 MiB), the largest attributes (1 MiB), and room for a query.
  package static let requestCountMax = 20 * 1_048_576
  /// The body of a reply in bytes: the secrets of one find (256 MiB), and 64 MiB for the attributes beside them.
  package static let replyCountMax = RecordLimits.foundSecretsCountMax + 64 * 1_048_576
  /// The attributes of an item or a query in bytes, as encoded: twice what a record takes, so that it is the vault that
  /// says what is too much.
  package static let attributesCountMax = 2 * RecordLimits.attributesCountMax
  /// One secret in bytes: 17 MiB, so that it is the vault that refuses the first byte above 16 MiB.
  package static let secretCountMax = 17 * 1_048_576
  /// A passcode in bytes: nobody types more than 1 KiB.
  package static let passcodeCountMax = 1_024
  /// The further secrets of one item: an internet password has six attributes for them.
  package static let extraSecretsCountMax = 16
  /// The access groups of one caller: far above what an entitlement lists.
  package static let groupsCountMax = 4_096
  /// A text of ours in bytes: a group, a host, a path.
  package static let textCountMax = 4_096
  /// A persistent reference in bytes: 16; others are refused by the keychain, which says so.
  package static let referenceCountMax = 64
  /// The items that a query lists by their references.
  package static let referencesCountMax = 262_144
  /// The issuers that a query lists: what a server's list of authorities has, many times over.
  package static let issuersCountMax = 4_096
  /// One issuer's name in bytes.
  package static let issuerCountMax = 65_536
  /// The items of one reply: what fits in a reply's size with the smallest item.
  package static let itemsCountMax = 4_194_304
  /// The sessions that go with a call: what a context holds.
  package static let sessionsCountMax = AuthenticationContext.sessionsCountMax
  /// What a call may need, each another requirement: there are no more than 4 sets of factors, all or one, with a password
  /// and without.
  package static let requirementsCountMax = 16
  /// A program's password in bytes: what a prompt takes.
  package static let credentialCountMax = 1_024
  /// A vault's UUID in bytes.
  package static let vaultIDCount = 16
}
