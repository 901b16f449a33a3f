public import ThumbturnCrypto
public import ThumbturnVault

/// What to change in every match. Of an identity, each half takes the attributes that it has.
public struct ItemChange: Sendable {
  /// Attributes to set; none can be removed. An access group is in here too.
  public var attributes: [Attribute: AttributeValue]
  /// The new protection class.
  public var protectionClass: ProtectionClass?
  /// The new synchronizable flag.
  public var isSynchronizable: Bool?
  /// The new access control, which says the protection class too. A change that names only a protection class takes
  /// the item's access control away.
  public var accessControl: AccessControl?
  /// The new secret.
  public var secret: SharedSecret?
  /// Further secrets of an internet password to set; those that are not named stay.
  public var extraSecrets: [Attribute: SharedSecret] = [:]

  /// Whether an access control with conditions is to hang on it: a vault takes it only while a passcode is set.
  public var isConstrained: Bool { accessControl?.isConstrained ?? false }

  /// Makes a change.
  public init(_ attributes: [Attribute: AttributeValue] = [:], secret: SharedSecret? = nil) {
    self.attributes = attributes
    self.secret = secret
  }
}
