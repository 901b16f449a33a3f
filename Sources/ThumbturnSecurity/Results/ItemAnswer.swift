internal import Foundation
internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

/// What a call hands back, in Apple's shapes (SECITEM.md §7).
enum ItemAnswer {
  /// No return key was given: the caller's variable is left as it is.
  case untouched
  /// The object that was asked for; nil where the item has none.
  case value(CFTypeRef?)

  /// The answer to an add.
  static func added(_ item: FoundItem, _ checked: CheckedQuery) -> ItemAnswer {
    let wanted = checked.wanted
    guard !wanted.isEmpty else { return .untouched }
    // The secret is the caller's own. Add gives empty data for an item without any; find gives nothing.
    if wanted == .data { return .value((checked.secret ?? Data()) as NSData) }
    let secrets = Secrets(data: checked.secret, extra: checked.extraSecrets)
    return .value(object(for: item, secrets, wanted, isAdded: true))
  }

  /// The answer to a find.
  static func found(_ items: [FoundItem], _ wanted: ReturnKinds, limit: ItemQuery.Limit) -> ItemAnswer {
    guard !wanted.isEmpty else { return .untouched }
    let objects = items.lazy.map { object(for: $0, Secrets(of: $0), wanted, isAdded: false) }
    if limit == .count(1) { return .value(objects.first ?? nil) }
    return .value(objects.compactMap { $0 } as NSArray)
  }

  /// Secrets as `Data`, copied once: Apple's API hands them out so, and wiping them is then the program's.
  private struct Secrets {
    var data: Data?
    var certificate: Data?
    var extra: [Attribute: Data]

    init(data: Data?, extra: [Attribute: Data]) {
      self.data = data
      self.extra = extra
    }

    /// Those of an item; the data of an identity is its private key.
    init(of item: FoundItem) {
      let own = item.secret?.makeData()
      data = item.identityKey == nil ? own : item.identityKey?.secret?.makeData()
      certificate = item.identityKey == nil ? nil : own
      extra = item.extraSecrets.mapValues { $0.makeData() }
    }
  }

  private static func object(
    for item: FoundItem, _ secrets: Secrets, _ wanted: ReturnKinds, isAdded: Bool
  ) -> CFTypeRef? {
    switch wanted {
    case .data: return secrets.data.map { $0 as NSData }
    case .persistentReference: return PersistentReference.data(of: item) as NSData
    case .reference: return nil  // Passwords have no reference objects, and others are refused before.
    default:
      // The attributes of the certificate stand over those of its key.
      var dictionary = item.identityKey?.attributeDictionary(isAdded: isAdded) ?? [:]
      dictionary.merge(item.attributeDictionary(isAdded: isAdded)) { $1 }
      if wanted.contains(.data) {
        if let data = secrets.data { dictionary["v_Data"] = data }
        if let certificate = secrets.certificate { dictionary["certdata"] = certificate }
        for (attribute, secret) in secrets.extra {
          if let definition = AttributeDefinition.of(attribute) { dictionary[definition.code] = secret }
        }
      }
      if wanted.contains(.persistentReference) { dictionary["v_PersistentRef"] = PersistentReference.data(of: item) }
      if wanted.contains(.reference) { dictionary["class"] = item.queryClass.code }
      return dictionary as NSDictionary
    }
  }
}

extension FoundItem {
  /// What a program would ask for to find it.
  var queryClass: QueryClass { identityKey == nil ? .items(itemClass) : .identities }

  /// The attributes under Apple's codes.
  ///
  /// A find adds an access control and two internal ones, an add does not.
  fileprivate func attributeDictionary(isAdded: Bool) -> [String: Any] {
    var dictionary: [String: Any] = [:]
    for (attribute, value) in attributes {
      guard let definition = AttributeDefinition.of(attribute) else { continue }
      dictionary[definition.code] = value.object
    }
    dictionary["pdmn"] = protectionClass.code
    dictionary["sync"] = NSNumber(value: isSynchronizable ? 1 : 0)
    guard !isAdded else { return dictionary }
    dictionary["accc"] = SecAccessControl(of: self)
    dictionary["tomb"] = NSNumber(value: 0)
    if dictionary["musr"] == nil { dictionary["musr"] = Data() }
    return dictionary
  }
}

extension AttributeValue {
  /// The value as the object that a program gets.
  ///
  /// Booleans come back as the numbers 0 and 1, as on iOS.
  fileprivate var object: Any {
    switch self {
    case .text(let text): text
    case .data(let bytes): Data(bytes)
    case .number(let number): NSNumber(value: number)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    }
  }
}

extension SharedSecret {
  fileprivate func makeData() -> Data { Data(copying: bytes) }
}

extension Data {
  fileprivate init(copying secret: borrowing SecretBytes) {
    self = unsafe secret.bytes.withUnsafeBytes { bytes in unsafe Data(bytes) }
  }
}
