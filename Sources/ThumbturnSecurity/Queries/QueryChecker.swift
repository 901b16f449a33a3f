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

  let call: QueryCall
  let caller: Caller

  /// Checks what a program says of the items that it means, or of the one that it adds.
  ///
  /// - Throws: ``KeychainError`` with the code of the first mistake.
  func check(_ dictionary: NSDictionary) throws(KeychainError) -> CheckedQuery {
    let entries = try Self.entries(of: dictionary)
    return try check(entries, of: try queryClass(of: entries))
  }

  /// Checks what an update sets in items of a class.
  func check(_ dictionary: NSDictionary, of queryClass: QueryClass) throws(KeychainError) -> CheckedQuery {
    try check(try Self.entries(of: dictionary), of: queryClass)
  }

  private func check(_ entries: [Entry], of queryClass: QueryClass) throws(KeychainError) -> CheckedQuery {
    var checked = CheckedQuery(queryClass)
    var keys: [(QueryKey, QueryValue)] = []
    for entry in entries { keys.append((try QueryKey(entry.name, of: queryClass, in: call), entry.value)) }
    for (key, value) in keys { try checked.take(key, value, in: call) }
    try checkGroups(of: checked)
    try checkCombinations(of: checked)
    return checked
  }

  private typealias Entry = (name: String, value: QueryValue)

  /// The entries in ascending order of their names.
  private static func entries(of dictionary: NSDictionary) throws(KeychainError) -> [Entry] {
    guard dictionary.count <= keyCountMax else { throw KeychainError(.parameter) }
    var entries: [Entry] = []
    for (key, value) in dictionary.objects {
      guard let name = key as? NSString else { throw KeychainError(.parameter) }
      entries.append((name as String, QueryValue(value)))
    }
    return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// The class, by name or by a persistent reference.
  private func queryClass(of entries: [Entry]) throws(KeychainError) -> QueryClass {
    var named: String?
    var referenced: String?
    for entry in entries {
      switch (entry.name, entry.value) {
      case ("class", .text(let code)): named = code
      case ("class", _): throw KeychainError(.parameter)
      // Add takes no reference, so that it gives no class either.
      case ("v_PersistentRef", .data(let bytes)) where call != .add: referenced = PersistentReference(bytes)?.classCode
      default: break
      }
    }
    guard let code = named ?? referenced else { throw KeychainError(.parameter) }
    if let referenced, referenced != code { throw KeychainError(.noSuchClass) }
    guard let found = QueryClass(code: code) else { throw KeychainError(.noSuchClass) }
    return found
  }

  private func checkGroups(of checked: CheckedQuery) throws(KeychainError) {
    _ = try caller.groups(named: checked.attributes[.accessGroup], writes: call != .find)
    guard !checked.hasGroupOfOtherKind else { throw KeychainError(.missingEntitlement) }
    if call == .add || call == .change { try caller.checkSynchronizable(checked.synchronizable == .yes) }
  }

  private func checkCombinations(of checked: CheckedQuery) throws(KeychainError) {
    guard Self.size(of: checked) <= Self.attributeBytesMax else { throw KeychainError(.parameter) }
    if let control = checked.accessControl, let named = checked.protectionClass {
      guard !control.isExplicit, control.protectionClass == named else { throw KeychainError(.parameter) }
    }
    switch call {
    case .add, .change: try checkStored(checked)
    case .find: try checkFind(checked)
    case .update, .delete:
      guard !checked.hasMatchKey, checked.consent != .leaveOut else { throw KeychainError(.parameter) }
      if call == .update, !checked.wanted.isEmpty { throw KeychainError(.parameter) }
      // The old form of a reference stands alone.
      if let reference = checked.reference, reference.identity == nil, checked.attributeCount > 0 {
        throw KeychainError(.parameter)
      }
    }
  }

  private func checkStored(_ checked: CheckedQuery) throws(KeychainError) {
    // Apple's server reports success for an add with a match key and stores nothing; we refuse.
    guard !checked.hasMatchKey, checked.consent != .leaveOut, checked.reference == nil, !checked.wantsTombstone else {
      throw KeychainError(.parameter)
    }
    if let control = checked.accessControl, control.isExplicit, checked.synchronizable == .yes {
      throw KeychainError(.parameter)
    }
    // A secret of which half would it be?
    if checked.itemClass == .identities, checked.secret != nil { throw KeychainError(.parameter) }
    let secretBytes = checked.extraSecrets.values.reduce(checked.secret?.count ?? 0) { $0 + $1.count }
    guard secretBytes <= secretBytesMax else { throw KeychainError(.dataTooLarge) }
    try checkReferenceObjects(checked)
  }

  private func checkFind(_ checked: CheckedQuery) throws(KeychainError) {
    if checked.reference != nil, checked.attributeCount > 0 { throw KeychainError(.parameter) }
    if checked.hasMatchKeyOfOtherClass || checked.hasUnservedMatchKey { throw KeychainError(.unimplemented) }
    try checkReferenceObjects(checked)
  }

  /// There is no object yet for certificates, keys and identities, and nil would say that the item has none.
  private func checkReferenceObjects(_ checked: CheckedQuery) throws(KeychainError) {
    if checked.wanted.contains(.reference), checked.itemClass.hasReferenceObjects {
      throw KeychainError(.unimplemented)
    }
  }

  private static func size(of checked: CheckedQuery) -> Int {
    let match = (checked.filter.host?.utf8.count ?? 0) + (checked.subjectPart?.utf8.count ?? 0)
    let issuers = checked.filter.issuers?.reduce(0) { $0 + $1.count } ?? 0
    return checked.attributes.values.reduce(match + issuers) { sum, value in
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
