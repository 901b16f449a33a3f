public import ThumbturnCrypto
public import ThumbturnVault

/// What serves the four calls: the vault in this process, or later an agent. One conformance suite runs over all of them.
///
/// Every call is synchronous, may come from any thread, and ends in bounded time: a writer that waits for another process
/// gives up after 5 seconds with ``KeychainError/Code/notAvailable``.
public protocol KeychainBackend: Sendable {
  /// Adds an item; durable when it returns.
  ///
  /// - Throws: ``KeychainError/Code/duplicateItem`` when the primary key exists, and the codes of the vault's state.
  /// - Returns: The item as stored.
  func add(_ item: NewItem, for caller: Caller) throws(KeychainError) -> FoundItem

  /// Finds items in the order in which they were added.
  ///
  /// - Throws: ``KeychainError/Code/itemNotFound`` when nothing matches.
  func find(_ query: ItemQuery, for caller: Caller) throws(KeychainError) -> [FoundItem]

  /// Changes every match in one transaction, or nothing; durable when it returns.
  ///
  /// - Throws: ``KeychainError/Code/itemNotFound``, ``KeychainError/Code/duplicateItem``.
  func update(_ query: ItemQuery, with change: ItemChange, for caller: Caller) throws(KeychainError)

  /// Deletes every match in one transaction; durable when it returns.
  ///
  /// - Throws: ``KeychainError/Code/itemNotFound``.
  func delete(_ query: ItemQuery, for caller: Caller) throws(KeychainError)
}

/// The program that calls: its access groups, in order (VAULT.md §8).
public struct Caller: Hashable, Sendable {
  /// The groups whose items the program may see; the first is where its new items go.
  public let accessGroups: [String]

  /// A caller with these groups; without configuration every program has `["default"]`.
  public init(accessGroups: [String] = ["default"]) { self.accessGroups = accessGroups }
}

/// An item to be added.
public struct NewItem: Sendable {
  /// The kind of item.
  public var itemClass: ItemClass
  /// Its attributes; dates of creation and modification in here are replaced by now.
  public var attributes: [Attribute: AttributeValue]
  /// When it may be read; nil is the item class's default (`ak`, certificates `dk`).
  public var protectionClass: ProtectionClass?
  /// The synchronizable flag, which is stored and matched but sends nothing anywhere.
  public var isSynchronizable = false
  /// Whether an access control with constraints hangs on it: refused with -25293 until a passcode can be set.
  public var isConstrained = false
  /// The secret; nil is an item without data, which is not the same as empty data.
  public var secret: SharedSecret?

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

  /// The kind of item.
  public var itemClass: ItemClass
  /// Attributes that must be equal.
  public var attributes: [Attribute: AttributeValue]
  /// The protection class that the item must have.
  public var protectionClass: ProtectionClass?
  /// The synchronizable flag that it must have.
  public var synchronizable = Synchronizable.no
  /// The 16 bytes of a persistent reference.
  public var reference: [UInt8]?
  /// How many at most; ignored by update and delete, which take every match.
  public var limit: Limit
  /// Whether the secrets are wanted too; without it they are not even opened.
  public var wantsSecret: Bool

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

/// What to change in every match.
public struct ItemChange: Sendable {
  /// Attributes to set; none can be removed. An access group is in here too.
  public var attributes: [Attribute: AttributeValue]
  /// The new protection class.
  public var protectionClass: ProtectionClass?
  /// The new synchronizable flag.
  public var isSynchronizable: Bool?
  /// Whether an access control with constraints is to hang on it: refused with -25293 until a passcode can be set.
  public var isConstrained = false
  /// The new secret.
  public var secret: SharedSecret?

  /// Makes a change.
  public init(_ attributes: [Attribute: AttributeValue] = [:], secret: SharedSecret? = nil) {
    self.attributes = attributes
    self.secret = secret
  }
}

/// An item that was found.
public struct FoundItem: Sendable {
  /// The kind of item.
  public let itemClass: ItemClass
  /// All its attributes, access group and dates included.
  public let attributes: [Attribute: AttributeValue]
  /// When it may be read.
  public let protectionClass: ProtectionClass
  /// The synchronizable flag.
  public let isSynchronizable: Bool
  /// The 16 bytes of its persistent reference, the same for its whole life.
  public let reference: [UInt8]
  /// The secret, when it was asked for and the item has one.
  public let secret: SharedSecret?

  package init(
    itemClass: ItemClass, attributes: [Attribute: AttributeValue], protectionClass: ProtectionClass,
    isSynchronizable: Bool, reference: [UInt8], secret: SharedSecret?
  ) {
    self.itemClass = itemClass
    self.attributes = attributes
    self.protectionClass = protectionClass
    self.isSynchronizable = isSynchronizable
    self.reference = reference
    self.secret = secret
  }
}
