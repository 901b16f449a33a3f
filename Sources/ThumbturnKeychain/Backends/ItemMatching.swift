internal import ThumbturnCrypto
internal import ThumbturnVault

/// A query of one item class that was checked, with the groups in which it may look.
struct ItemMatching: Sendable {
  let itemClass: ItemClass
  /// What must be equal, without the access group.
  var attributes: [Attribute: AttributeValue]
  let groups: [String]
  let synchronizable: ItemQuery.Synchronizable
  let protectionClass: ProtectionClass?
  let reference: Identifier?
  let filter: ItemFilter
  /// Whether the filter leaves anything out; asked for every record.
  let hasFilter: Bool
  /// The names that ``ItemFilter/issuers`` stands for, once the other certificates were looked at.
  var issuers: Set<[UInt8]>?

  /// - Throws: What ``Caller/groups(named:writes:)`` and ``ItemContent/stored(_:in:)`` throw.
  init(_ query: ItemQuery, _ caller: Caller, writes: Bool) throws(KeychainError) {
    itemClass = query.itemClass
    var attributes = try ItemContent.stored(query.attributes, in: query.itemClass)
    groups = try caller.groups(named: attributes.removeValue(forKey: .accessGroup), writes: writes)
    self.attributes = attributes
    if let reference = query.reference {
      guard reference.count == Identifier.count else { throw KeychainError(.parameter) }
      self.reference = Identifier(reference.span)
    } else {
      reference = nil
    }
    synchronizable = query.synchronizable
    protectionClass = query.protectionClass
    filter = query.filter
    hasFilter = !query.filter.isEmpty
  }

  /// The candidates by their tags.
  func candidates(_ keys: RecordKeys) throws(VaultError) -> RecordQuery {
    var groupTags: [RecordTag] = []
    for group in groups { groupTags.append(try keys.tag(itemClass, .accessGroup, .text(group))) }
    var out = RecordQuery(table: itemClass.rawValue, groups: groupTags)
    let indexed = PrimaryKey.indexed(itemClass)
    for (attribute, value) in attributes {
      if attribute == indexed.first {
        out.first = try keys.tag(itemClass, attribute, value)
      } else if attribute == indexed.second {
        out.second = try keys.tag(itemClass, attribute, value)
      } else if let definition = AttributeDefinition.of(attribute),
        !definition.isKey || definition.kind.absentKeyBytes != value.canonicalBytes
      {
        // A key attribute that is absent has no sealed tag, and still matches its default.
        out.sealed.append(.init(number: attribute.rawValue, tag: try keys.tag(itemClass, attribute, value)))
      }
    }
    out.sync =
      switch synchronizable {
      case .no: false
      case .yes: true
      case .any: nil
      }
    out.protection = protectionClass
    out.uuid = reference
    return out
  }

  /// The one record `uuid`, when it is in the groups.
  func candidate(_ uuid: Identifier, _ keys: RecordKeys) throws(VaultError) -> RecordQuery {
    var groupTags: [RecordTag] = []
    for group in groups { groupTags.append(try keys.tag(itemClass, .accessGroup, .text(group))) }
    var out = RecordQuery(table: itemClass.rawValue, groups: groupTags)
    out.uuid = uuid
    return out
  }
}

extension Identifier {
  /// The 16 bytes.
  var array: [UInt8] {
    let bytes = bytes
    return bytes.span.copied()
  }
}
