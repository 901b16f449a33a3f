public import ThumbturnAuthentication
public import ThumbturnVault

/// What to find: the AND of everything that is set.
public struct ItemQuery: Sendable {
  /// How many items at most.
  public enum Limit: Hashable, Sendable {
    case all
    case count(Int)
  }
  /// Which items by their synchronizable flag; absent in Apple's query means ``no``.
  public enum Synchronizable: Hashable, Sendable {
    case no, yes, any
  }

  /// Which items by whether their secrets need a person's consent; it matters only where the secret is wanted, or an
  /// update has to read it.
  public enum Consent: Hashable, Sendable {
    /// A prompt may be shown.
    case ask
    /// An item that needs a prompt is ``KeychainError/Code/interactionNotAllowed``.
    case refuse
    /// Find only: an item that needs a prompt is left out.
    case leaveOut
  }

  /// The kind of item.
  public var itemClass: ItemClass
  /// Attributes that must be equal.
  public var attributes: [Attribute: AttributeValue]
  /// Not nil means identities: certificates of which the private key is there too, in the caller's groups. This is what
  /// the key must have, and ``itemClass`` is ``ItemClass/certificate``.
  ///
  /// A named access group, ``protectionClass`` and ``synchronizable`` are then about the key; ``reference``,
  /// ``filter`` and the other attributes about the certificate. Delete takes both halves, update changes both.
  public var identityKey: [Attribute: AttributeValue]?
  /// The protection class that the item must have.
  public var protectionClass: ProtectionClass?
  /// The synchronizable flag that it must have.
  public var synchronizable = Synchronizable.no
  /// The 16 bytes of a persistent reference, one more condition among the others: whoever means the item whatever its
  /// flag says so in ``synchronizable``.
  public var reference: [UInt8]?
  /// What else must hold.
  public var filter = ItemFilter()
  /// How many at most, after everything else; ignored by update and delete, which take every match.
  public var limit: Limit
  /// Whether the secrets are wanted too; without it they are not even opened.
  public var wantsSecret: Bool
  /// Whether the further secrets of internet passwords are wanted.
  public var wantsExtraSecrets = false
  /// What to do with an item that needs a person's consent.
  public var consent = Consent.ask
  /// What was verified before, and how to ask; nil is a fresh one for this call.
  public var context: AuthenticationContext?
  /// What a prompt says it is for, when the context does not say it.
  public var operationPrompt: String?

  /// Makes a query.
  public init(
    _ itemClass: ItemClass, _ attributes: [Attribute: AttributeValue] = [:], limit: Limit = .count(1),
    wantsSecret: Bool = false
  ) {
    self.itemClass = itemClass
    self.attributes = attributes
    self.limit = limit
    self.wantsSecret = wantsSecret
  }
}
