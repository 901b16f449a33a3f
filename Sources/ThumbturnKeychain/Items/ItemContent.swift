package import ThumbturnVault

/// An item without its secret, as it is in the vault or is to be.
package struct ItemContent: Sendable {
  package let itemClass: ItemClass
  /// Everything that stands in the metadata box, access group and dates included.
  package var attributes: [Attribute: AttributeValue]
  package var protectionClass: ProtectionClass
  package var isSynchronizable: Bool
  /// What must hold before it is read, in a vault; nil without conditions.
  var accessControl: AccessControl?
  /// What was enrolled when the access control was set.
  var enrolmentHash: [UInt8] = []

  /// What the vault keeps of the last two.
  var policy: RecordPolicy? {
    accessControl.map { RecordPolicy(accessControl: $0.canonicalBytes, enrolmentHash: enrolmentHash) }
  }

  /// What has to be verified before its secret is read; nil when nothing has.
  var question: PolicyQuestion? {
    accessControl.map { PolicyQuestion(accessControl: $0, enrolmentHash: enrolmentHash) }
  }

  /// The access group; every stored item has one.
  package var group: String {
    if case .text(let group) = attributes[.accessGroup] { group } else { "" }
  }

  /// The canonical bytes of a key attribute, or of its default when it is absent.
  func canonicalKeyBytes(_ attribute: Attribute) -> [UInt8] {
    if attribute == .synchronizable { return AttributeValue.number(isSynchronizable ? 1 : 0).canonicalBytes }
    if let value = attributes[attribute] { return value.canonicalBytes }
    return AttributeDefinition.of(attribute)?.kind.absentKeyBytes ?? []
  }

  /// Whether the item has this value: a key attribute that is absent has its default, any other has none.
  package func matches(_ attribute: Attribute, _ wanted: AttributeValue) -> Bool {
    if let value = attributes[attribute] { return value.hasSameBytes(as: wanted) }
    guard let definition = AttributeDefinition.of(attribute) else { return false }
    return definition.isKey && definition.kind.absentKeyBytes == wanted.canonicalBytes
  }
}

extension ItemContent {
  /// The content of a new item, with the defaults of its class (SECITEM.md §5.2).
  ///
  /// - Throws: What ``stored(_:in:)`` and ``Caller/groups(named:writes:)`` throw.
  package init(_ item: NewItem, _ caller: Caller, now: Double) throws(KeychainError) {
    var attributes = try Self.stored(item.attributes, in: item.itemClass)
    try caller.checkSynchronizable(item.isSynchronizable)
    attributes[.accessGroup] = .text(try caller.groups(named: attributes[.accessGroup], writes: true)[0])
    attributes[.creationDate] = .date(now)
    attributes[.modificationDate] = .date(now)
    self.init(
      itemClass: item.itemClass, attributes: attributes, protectionClass: item.effectiveProtectionClass,
      isSynchronizable: item.isSynchronizable)
  }

  /// Checks attributes that come from outside and gives each the form in which it is stored.
  ///
  /// - Throws: ``KeychainError/Code/noSuchAttribute`` for one of another class, ``KeychainError/Code/parameter`` for a value
  ///   that it does not take, and for what has a place of its own in the call.
  package static func stored(
    _ attributes: [Attribute: AttributeValue], in itemClass: ItemClass
  ) throws(KeychainError) -> [Attribute: AttributeValue] {
    // Nearly always every value is in its form already, and the dictionary stays what it is.
    var out = attributes
    for (attribute, value) in attributes {
      guard let definition = AttributeDefinition.of(attribute), definition.classes.contains(itemClass) else {
        throw KeychainError(.noSuchAttribute)
      }
      guard definition.place == .metadata, let stored = definition.kind.stored(value) else {
        throw KeychainError(.parameter)
      }
      // Negative zero is equal to zero.
      if case .date = stored { out[attribute] = stored } else if stored != value { out[attribute] = stored }
    }
    return out
  }
}
