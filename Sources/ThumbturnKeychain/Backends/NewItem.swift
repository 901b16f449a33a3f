public import ThumbturnAuthentication
public import ThumbturnCrypto
public import ThumbturnVault

/// An item to be added.
public struct NewItem: Sendable {
  /// The kind of item.
  public var itemClass: ItemClass
  /// Its attributes; dates of creation and modification in here are replaced by now.
  public var attributes: [Attribute: AttributeValue]
  /// When it may be read; nil is that of the access control, or the item class's default (`ak`, certificates `dk`).
  public var protectionClass: ProtectionClass?
  /// The synchronizable flag, which is stored and matched but sends nothing anywhere.
  public var isSynchronizable = false
  /// What must hold before it can be read, beside the protection class; it then says what that class is.
  public var accessControl: AccessControl?
  /// The secret; nil is an item without data, which is not the same as empty data.
  public var secret: SharedSecret?
  /// Further secrets of an internet password, by their attributes (`binn`, `bini`, `bin0` to `bin3`).
  public var extraSecrets: [Attribute: SharedSecret] = [:]

  /// How to ask for a password that enters its key; nil is a fresh one for this call.
  public var context: AuthenticationContext?

  /// Whether an access control with conditions hangs on it: a vault takes it only while a passcode is set.
  public var isConstrained: Bool { accessControl?.isConstrained ?? false }

  /// The protection class that it gets: that of the access control, or the named one, or the class's default.
  package var effectiveProtectionClass: ProtectionClass {
    accessControl?.protectionClass ?? protectionClass ?? (itemClass == .certificate ? .always : .whenUnlocked)
  }

  /// Makes an item.
  public init(
    _ itemClass: ItemClass, _ attributes: [Attribute: AttributeValue], secret: SharedSecret? = nil,
    protectionClass: ProtectionClass? = nil
  ) {
    self.itemClass = itemClass
    self.attributes = attributes
    self.secret = secret
    self.protectionClass = protectionClass
  }
}
