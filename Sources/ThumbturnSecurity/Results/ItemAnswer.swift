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
    return .value(object(for: item, secret: checked.secret, wanted, isAdded: true))
  }

  /// The answer to a find.
  static func found(_ items: [FoundItem], _ wanted: ReturnKinds, limit: ItemQuery.Limit) -> ItemAnswer {
    guard !wanted.isEmpty else { return .untouched }
    let objects = items.lazy.map { object(for: $0, secret: $0.secret?.makeData(), wanted, isAdded: false) }
    if limit == .count(1) { return .value(objects.first ?? nil) }
    return .value(objects.compactMap { $0 } as NSArray)
  }

  private static func object(
    for item: FoundItem, secret: Data?, _ wanted: ReturnKinds, isAdded: Bool
  ) -> CFTypeRef? {
    switch wanted {
    case .data: return secret.map { $0 as NSData }
    case .persistentReference: return PersistentReference.data(of: item) as NSData
    case .reference: return nil  // Passwords have no reference objects.
    default:
      var dictionary = item.attributeDictionary(isAdded: isAdded)
      if wanted.contains(.data), let secret { dictionary["v_Data"] = secret }
      if wanted.contains(.persistentReference) { dictionary["v_PersistentRef"] = PersistentReference.data(of: item) }
      if wanted.contains(.reference) { dictionary["class"] = item.itemClass.code }
      return dictionary as NSDictionary
    }
  }
}

extension FoundItem {
  /// The attributes under Apple's codes.
  ///
  /// A find adds an access control; an add does not.
  fileprivate func attributeDictionary(isAdded: Bool) -> [String: Any] {
    var dictionary: [String: Any] = [:]
    for (attribute, value) in attributes {
      guard let definition = AttributeDefinition.of(attribute) else { continue }
      dictionary[definition.code] = value.object
    }
    dictionary["pdmn"] = protectionClass.code
    dictionary["sync"] = NSNumber(value: isSynchronizable ? 1 : 0)
    if !isAdded { dictionary["accc"] = SecAccessControl(of: self) }
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
  /// The secret as `Data`, copied once: Apple's API hands it out so, and wiping it is then the program's.
  fileprivate func makeData() -> Data { Data(copying: bytes) }
}

extension Data {
  fileprivate init(copying secret: borrowing SecretBytes) {
    self = unsafe secret.bytes.withUnsafeBytes { bytes in unsafe Data(bytes) }
  }
}
