internal import Foundation
internal import ThumbturnKeychain

/// Turns a dictionary into a ``CheckedQuery``.
///
/// Where a dictionary holds several mistakes, Apple's answer depends on the order in which it happens to be walked.
/// Here the order is fixed: class, key names, value types, access groups, combinations; names in ascending order.
struct QueryChecker {
  /// The most keys of a dictionary, as with Apple's server.
  static let keyCountMax = 128
  /// The most bytes that the attributes of one item or query have together: 1 MiB, less a page for the vault's own
  /// fields and the lengths. A record is sealed and opened as a whole for every look at its attributes, so that an item
  /// with megabytes of names would make every list slow.
  static let attributeBytesMax = 1_044_480
  /// A group whose items programs only read.
  private static let tokenGroup = "com.apple.token"

  let call: QueryCall
  let caller: Caller

  /// Checks what a program says of the items that it means, or of the one that it adds.
  ///
  /// - Throws: ``KeychainError`` with the code of the first mistake.
  func check(_ dictionary: NSDictionary) throws(KeychainError) -> CheckedQuery {
    guard dictionary.count <= Self.keyCountMax else { throw KeychainError(.parameter) }
    return try check(dictionary, of: try itemClass(of: dictionary))
  }

  /// Checks what an update sets in items of a class.
  func check(_ dictionary: NSDictionary, of itemClass: ItemClass) throws(KeychainError) -> CheckedQuery {
    guard dictionary.count <= Self.keyCountMax else { throw KeychainError(.parameter) }
    var checked = CheckedQuery(itemClass)
    for (key, value) in try keys(of: dictionary, itemClass) { try checked.take(key, value, in: call) }
    try checkGroups(of: &checked)
    try checkCombinations(of: checked)
    return checked
  }

  /// The class, by name or by a persistent reference.
  private func itemClass(of dictionary: NSDictionary) throws(KeychainError) -> ItemClass {
    let named: String? =
      switch dictionary.object(forKey: kSecClass).map(QueryValue.init) {
      case nil: nil
      case .text(let code): code
      default: throw KeychainError(.parameter)
      }
    var referenced: String?
    // Add takes no reference, so that it gives no class either.
    if call != .add, case .data(let bytes)? = dictionary.object(forKey: kSecValuePersistentRef).map(QueryValue.init) {
      referenced = PersistentReference(bytes)?.classCode
    }
    guard let code = named ?? referenced else { throw KeychainError(.parameter) }
    if let referenced, referenced != code { throw KeychainError(.noSuchClass) }
    switch code {
    case "genp": return .genericPassword
    case "inet", "cert", "keys", "idnt": throw KeychainError(.unimplemented)
    default: throw KeychainError(.noSuchClass)
    }
  }

  private func keys(
    of dictionary: NSDictionary, _ itemClass: ItemClass
  ) throws(KeychainError) -> [(QueryKey, QueryValue)] {
    var entries: [(name: String, value: Any)] = []
    for (key, value) in dictionary {
      guard let name = key as? String else { throw KeychainError(.parameter) }
      entries.append((name, value))
    }
    entries.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    var keys: [(QueryKey, QueryValue)] = []
    for entry in entries {
      keys.append((try QueryKey(entry.name, of: itemClass, in: call), QueryValue(entry.value)))
    }
    return keys
  }

  private func checkGroups(of checked: inout CheckedQuery) throws(KeychainError) {
    // Token items are written by token drivers only.
    let groups = call == .find ? caller.accessGroups : caller.accessGroups.filter { $0 != Self.tokenGroup }
    guard !groups.isEmpty, !checked.hasGroupOfOtherKind else { throw KeychainError(.missingEntitlement) }
    guard case .text(let group)? = checked.attributes[.accessGroup] else { return }
    guard groups.contains(where: { $0.utf8.elementsEqual(group.utf8) }) else {
      throw KeychainError(.missingEntitlement)
    }
  }

  private func checkCombinations(of checked: CheckedQuery) throws(KeychainError) {
    guard Self.size(of: checked.attributes) <= Self.attributeBytesMax else { throw KeychainError(.parameter) }
    if let control = checked.accessControl, let named = checked.protectionClass {
      guard !control.isExplicit, control.protectionClass == named else { throw KeychainError(.parameter) }
    }
    switch call {
    case .add, .change: try checkStored(checked)
    case .find: try checkFind(checked)
    case .update, .delete:
      guard !checked.hasMatchKey, !checked.skipsPrompts else { throw KeychainError(.parameter) }
      if call == .update, !checked.wanted.isEmpty { throw KeychainError(.parameter) }
      // The old form of a reference stands alone.
      if let reference = checked.reference, reference.identity == nil, checked.attributeCount > 0 {
        throw KeychainError(.parameter)
      }
    }
  }

  private func checkStored(_ checked: CheckedQuery) throws(KeychainError) {
    // Apple's server reports success for an add with a match key and stores nothing; we refuse.
    guard !checked.hasMatchKey, !checked.skipsPrompts, checked.reference == nil, !checked.wantsTombstone else {
      throw KeychainError(.parameter)
    }
    if let control = checked.accessControl, control.isExplicit, checked.synchronizable == .yes {
      throw KeychainError(.parameter)
    }
    guard checked.secret?.count ?? 0 <= secretBytesMax else { throw KeychainError(.dataTooLarge) }
  }

  private func checkFind(_ checked: CheckedQuery) throws(KeychainError) {
    if checked.reference != nil, checked.attributeCount > 0 { throw KeychainError(.parameter) }
    if checked.hasMatchKeyOfOtherClass { throw KeychainError(.unimplemented) }
  }

  private static func size(of attributes: [Attribute: AttributeValue]) -> Int {
    attributes.values.reduce(0) { sum, value in
      switch value {
      case .text(let text): sum + text.utf8.count
      case .data(let bytes): sum + bytes.count
      case .number, .date: sum + 8
      }
    }
  }
}

/// The largest secret, in bytes.
///
/// Apple names none; the vault seals a secret as a whole, so it needs one.
let secretBytesMax = 16_777_216
