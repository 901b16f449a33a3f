internal import ThumbturnVault

/// A query that was checked, with the groups in which it may look.
struct ItemMatching: Sendable {
  let query: ItemQuery
  let attributes: [Attribute: AttributeValue]
  let groups: [String]

  /// - Throws: ``KeychainError/Code/missingEntitlement`` for a caller without groups or a foreign group, and what
  ///   ``ItemContent/stored(_:in:)`` throws.
  init(_ query: ItemQuery, _ caller: Caller) throws(KeychainError) {
    self.query = query
    var attributes = try ItemContent.stored(query.attributes, in: query.itemClass)
    groups =
      if let named = attributes.removeValue(forKey: .accessGroup) {
        [try AccessGroups.own(named, caller)]
      } else {
        try AccessGroups.all(caller)
      }
    if let reference = query.reference, reference.count != Identifier.count { throw KeychainError(.parameter) }
    self.attributes = attributes
  }

  /// The candidates by their tags.
  func candidates(_ keys: RecordKeys) throws(VaultError) -> RecordQuery {
    let itemClass = query.itemClass
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
      switch query.synchronizable {
      case .no: query.reference == nil ? false : nil
      case .yes: true
      case .any: nil
      }
    out.protection = query.protectionClass
    if let reference = query.reference { out.uuid = Identifier(reference.span) }
    return out
  }

  /// Whether the true values say so too: with the class open a tag never answers.
  func accepts(_ item: ItemContent) -> Bool {
    groups.contains(item.group) && attributes.allSatisfy { item.matches($0.key, $0.value) }
  }
}

/// The caller's access groups (SECITEM.md §6, VAULT.md §8).
enum AccessGroups {
  static func all(_ caller: Caller) throws(KeychainError) -> [String] {
    guard !caller.accessGroups.isEmpty else { throw KeychainError(.missingEntitlement) }
    return caller.accessGroups
  }

  /// A group that a dictionary names; it must be one of the caller's.
  static func own(_ named: AttributeValue, _ caller: Caller) throws(KeychainError) -> String {
    guard case .text(let group) = named, try all(caller).contains(group) else {
      throw KeychainError(.missingEntitlement)
    }
    return group
  }
}
