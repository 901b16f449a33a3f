internal import ThumbturnKeychain
internal import ThumbturnVault

/// Which items a query means (SECITEM.md §4, 6, 8, 11).
struct Selection {
  /// Places in the list of items.
  struct Match {
    let item: Int
    /// The private key, where identities are meant.
    var identityKey: Int?
  }

  private let query: ItemQuery
  private let attributes: [Attribute: AttributeValue]
  /// The groups in which the items may be; of identities, the certificates.
  private let groups: [String]
  /// What the keys of identities must have, and their groups.
  private let key: (attributes: [Attribute: AttributeValue], groups: [String])?

  init(_ query: ItemQuery, _ caller: Caller, writes: Bool) throws(KeychainError) {
    self.query = query
    (attributes, groups) = try Self.split(query.attributes, of: query.itemClass, caller, writes)
    key = try query.identityKey.map { (wanted) throws(KeychainError) in
      try Self.split(wanted, of: .key, caller, writes)
    }
    if let reference = query.reference, reference.count != 16 { throw KeychainError(.parameter) }
  }

  private static func split(
    _ attributes: [Attribute: AttributeValue], of itemClass: ItemClass, _ caller: Caller, _ writes: Bool
  ) throws(KeychainError) -> (attributes: [Attribute: AttributeValue], groups: [String]) {
    var attributes = try ItemContent.stored(attributes, in: itemClass)
    let groups = try caller.groups(named: attributes.removeValue(forKey: .accessGroup), writes: writes)
    return (attributes, groups)
  }

  /// In the order in which the items were added.
  func matches(in items: [MemoryState.Item]) -> [Match] {
    let issuers = issuers(in: items)
    let found = items.indices.filter { index in
      let item = items[index]
      return item.content.itemClass == query.itemClass && Self.isIn(groups, item)
        && attributes.allSatisfy { item.content.matches($0.key, $0.value) }
        && (query.reference ?? item.reference) == item.reference
        && query.filter.accepts(item.content.attributes, reference: item.reference)
        && issuers?.contains(Self.bytes(item.content.attributes[.issuer])) ?? true
        && (key != nil || isPlaced(item))
    }
    guard let key else { return found.map { Match(item: $0) } }
    return found.flatMap { certificate in
      items.indices.filter { index in
        Self.isIn(key.groups, items[index]) && isPlaced(items[index])
          && key.attributes.allSatisfy { items[index].content.matches($0.key, $0.value) }
          && Self.isPrivateKey(items[index], of: items[certificate])
      }.map { Match(item: certificate, identityKey: $0) }
    }
  }

  /// Whether the certificate `hash` is of is still among `items`, in the caller's groups.
  func isUsed(_ key: MemoryState.Item, in items: [MemoryState.Item]) -> Bool {
    items.contains {
      $0.content.itemClass == .certificate && Self.isIn(groups, $0) && Self.isPrivateKey(key, of: $0)
    }
  }

  private static func isIn(_ groups: [String], _ item: MemoryState.Item) -> Bool {
    groups.contains { $0.utf8.elementsEqual(item.content.group.utf8) }
  }

  private static func isPrivateKey(_ key: MemoryState.Item, of certificate: MemoryState.Item) -> Bool {
    guard let hash = certificate.content.attributes[.publicKeyHash] else { return false }
    return key.content.itemClass == .key && key.content.matches(.keyClass, .number(1))
      && key.content.matches(.isPrivate, .number(1)) && key.content.matches(.applicationLabel, hash)
  }

  private func isPlaced(_ item: MemoryState.Item) -> Bool {
    if let protection = query.protectionClass, protection != item.content.protectionClass { return false }
    return switch query.synchronizable {
    case .any: true
    case .yes: item.content.isSynchronizable
    case .no: !item.content.isSynchronizable
    }
  }

  /// The names that the wanted issuers stand for, by the caller's certificates.
  private func issuers(in items: [MemoryState.Item]) -> Set<[UInt8]>? {
    guard let issuers = query.filter.issuers else { return nil }
    let certificates = items.filter { $0.content.itemClass == .certificate && Self.isIn(groups, $0) }
    return ItemFilter.names(below: issuers, in: certificates.compactMap { .init($0.content.attributes) })
  }

  private static func bytes(_ value: AttributeValue?) -> [UInt8] {
    if case .data(let bytes)? = value { bytes } else { [] }
  }
}
