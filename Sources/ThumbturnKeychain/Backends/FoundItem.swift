public import ThumbturnCrypto
public import ThumbturnVault

/// An item that was found.
public struct FoundItem: Sendable {
  /// The kind of item.
  public let itemClass: ItemClass
  /// All its attributes, access group and dates included.
  public let attributes: ItemAttributes
  /// When it may be read.
  public let protectionClass: ProtectionClass
  /// The synchronizable flag.
  public let isSynchronizable: Bool
  /// The 16 bytes of its persistent reference, the same for its whole life.
  public let reference: [UInt8]
  /// What must hold before it can be read; nil when nothing was ever asked for beyond the protection class.
  public let accessControl: AccessControl?
  /// The secret, when it was asked for and the item has one.
  public let secret: SharedSecret?
  /// The further secrets of an internet password, when they were asked for.
  public let extraSecrets: [Attribute: SharedSecret]
  /// The private key, when identities were asked for; the item itself is the certificate then.
  public var identityKey: FoundItem? { identityKeys.first }
  // An array, because a value cannot hold one of its own type.
  private let identityKeys: [FoundItem]

  package init(
    itemClass: ItemClass, attributes: ItemAttributes, protectionClass: ProtectionClass,
    isSynchronizable: Bool, reference: [UInt8], secret: SharedSecret?, accessControl: AccessControl? = nil,
    extraSecrets: [Attribute: SharedSecret] = [:], identityKey: FoundItem? = nil
  ) {
    self.itemClass = itemClass
    self.attributes = attributes
    self.protectionClass = protectionClass
    self.isSynchronizable = isSynchronizable
    self.reference = reference
    self.accessControl = accessControl
    self.secret = secret
    self.extraSecrets = extraSecrets
    identityKeys = identityKey.map { [$0] } ?? []
  }

  // The one above is for literals.
  @_disfavoredOverload
  package init(
    itemClass: ItemClass, attributes: [Attribute: AttributeValue], protectionClass: ProtectionClass,
    isSynchronizable: Bool, reference: [UInt8], secret: SharedSecret?, accessControl: AccessControl? = nil,
    extraSecrets: [Attribute: SharedSecret] = [:], identityKey: FoundItem? = nil
  ) {
    self.init(
      itemClass: itemClass, attributes: ItemAttributes(attributes), protectionClass: protectionClass,
      isSynchronizable: isSynchronizable, reference: reference, secret: secret, accessControl: accessControl,
      extraSecrets: extraSecrets, identityKey: identityKey)
  }
}
