/// Which attributes make an item unique, in the order in which they enter its key (SECITEM.md §5.1, VAULT.md §3).
package enum PrimaryKey {
  /// Of every class, after its own.
  private static let common: [Attribute] = [
    .accessGroup, .synchronizable, .syncViewHint, .tokenID, .multiUser, .sharingGroup,
  ]

  private static func own(_ itemClass: ItemClass) -> [Attribute] {
    switch itemClass {
    case .genericPassword: [.account, .service]
    case .internetPassword:
      [.account, .securityDomain, .server, .protocol, .authenticationType, .port, .path]
    case .certificate: [.certificateType, .issuer, .serialNumber]
    case .key:
      [
        .keyClass, .applicationLabel, .applicationTag, .keyCreator, .keyType, .keySizeInBits, .effectiveKeySize,
        .startDate, .endDate,
      ]
    }
  }

  /// The attributes of the key of a class.
  static func attributes(of itemClass: ItemClass) -> [Attribute] { own(itemClass) + common }

  /// Length (4, lowest byte first) and canonical bytes of each; absent ones count as their default.
  package static func bytes(of item: ItemContent) -> [UInt8] {
    var out: [UInt8] = []
    for attribute in attributes(of: item.itemClass) {
      let bytes = item.canonicalKeyBytes(attribute)
      for index in 0..<4 { out.append(UInt8(truncatingIfNeeded: bytes.count >> (8 * index))) }
      out += bytes
    }
    return out
  }

  /// The two attributes that are asked most, which have a column each.
  static func indexed(_ itemClass: ItemClass) -> (first: Attribute, second: Attribute) {
    switch itemClass {
    case .genericPassword: (.service, .account)
    case .internetPassword: (.server, .account)
    case .certificate: (.issuer, .publicKeyHash)
    case .key: (.applicationLabel, .applicationTag)
    }
  }
}
