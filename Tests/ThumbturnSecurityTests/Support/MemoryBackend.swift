internal import Synchronization
internal import ThumbturnCrypto
@testable internal import ThumbturnKeychain
internal import ThumbturnVault

/// Items in an array, by the rules of SECITEM.md §4, 5.1 and 6: enough to test what the face makes of them, in no time.
final class MemoryBackend: KeychainBackend {
  private struct State {
    var items: [FoundItem] = []
    var nextReference: UInt8 = 1
    var clock = 1000.0
  }
  private let state = Mutex(State())
  private let hasPasscode: Bool

  /// With a passcode an access control with conditions is stored, and never asked for.
  init(hasPasscode: Bool = false) { self.hasPasscode = hasPasscode }

  func add(_ item: NewItem, for caller: Caller) throws(KeychainError) -> FoundItem {
    guard hasPasscode || !item.isConstrained else { throw KeychainError(.authenticationFailed) }
    return try state.withLock { (state: inout State) throws(KeychainError) -> FoundItem in
      var attributes = item.attributes
      if attributes[.accessGroup] == nil, let first = caller.accessGroups.first {
        attributes[.accessGroup] = .text(first)
      }
      state.clock += 1
      attributes[.creationDate] = .date(state.clock)
      attributes[.modificationDate] = .date(state.clock)
      let made = FoundItem(
        itemClass: item.itemClass, attributes: attributes, protectionClass: item.effectiveProtectionClass,
        isSynchronizable: item.isSynchronizable, reference: Array(repeating: state.nextReference, count: 16),
        secret: item.secret, accessControl: item.accessControl, extraSecrets: item.extraSecrets)
      state.nextReference += 1
      guard !state.items.contains(where: { key(of: $0) == key(of: made) }) else {
        throw KeychainError(.duplicateItem)
      }
      state.items.append(made)
      return made
    }
  }

  func find(_ query: ItemQuery, for caller: Caller) throws(KeychainError) -> [FoundItem] {
    let found = state.withLock { $0.items.filter { matches($0, query, caller) } }
    guard !found.isEmpty else { throw KeychainError(.itemNotFound) }
    guard case .count(let count) = query.limit else { return found }
    return Array(found.prefix(count))
  }

  func update(_ query: ItemQuery, with change: ItemChange, for caller: Caller) throws(KeychainError) {
    try state.withLock { (state: inout State) throws(KeychainError) in
      var items = state.items
      let indices = items.indices.filter { matches(items[$0], query, caller) }
      guard !indices.isEmpty else { throw KeychainError(.itemNotFound) }
      guard hasPasscode || !change.isConstrained else { throw KeychainError(.authenticationFailed) }
      for index in indices {
        let old = items[index]
        var attributes = old.attributes.merging(change.attributes) { _, new in new }
        state.clock += 1
        attributes[.modificationDate] = .date(state.clock)
        items[index] = FoundItem(
          itemClass: old.itemClass, attributes: attributes,
          protectionClass: change.protectionClass ?? old.protectionClass,
          isSynchronizable: change.isSynchronizable ?? old.isSynchronizable, reference: old.reference,
          secret: change.secret ?? old.secret,
          accessControl: change.protectionClass == nil ? old.accessControl : change.accessControl,
          extraSecrets: old.extraSecrets.merging(change.extraSecrets) { $1 })
      }
      guard Set(items.map(key)).count == items.count else { throw KeychainError(.duplicateItem) }
      state.items = items
    }
  }

  func delete(_ query: ItemQuery, for caller: Caller) throws(KeychainError) {
    try state.withLock { (state: inout State) throws(KeychainError) in
      let count = state.items.count
      state.items.removeAll { matches($0, query, caller) }
      guard state.items.count < count else { throw KeychainError(.itemNotFound) }
    }
  }

  private func matches(_ item: FoundItem, _ query: ItemQuery, _ caller: Caller) -> Bool {
    guard item.itemClass == query.itemClass, case .text(let group)? = item.attributes[.accessGroup],
      caller.accessGroups.contains(group)
    else { return false }
    switch query.synchronizable {
    case .no: guard !item.isSynchronizable else { return false }
    case .yes: guard item.isSynchronizable else { return false }
    case .any: break
    }
    if let protection = query.protectionClass, protection != item.protectionClass { return false }
    if let reference = query.reference, reference != item.reference { return false }
    guard query.filter.accepts(item.attributes, reference: item.reference) else { return false }
    return query.attributes.allSatisfy { attribute, wanted in
      if let held = item.attributes[attribute] { return bytes(held) == bytes(wanted) }
      guard let definition = AttributeDefinition.of(attribute), definition.isKey else { return false }
      return definition.kind.absentKeyBytes == bytes(wanted)
    }
  }

  private func key(of item: FoundItem) -> [[UInt8]] {
    let attributes = AttributeDefinition.table.filter { $0.isKey && $0.classes.contains(item.itemClass) }
    let own = [Array(item.itemClass.code.utf8), [item.isSynchronizable ? 1 : 0]]
    return own + attributes.map { item.attributes[$0.attribute].map(bytes) ?? $0.kind.absentKeyBytes }
  }

  private func bytes(_ value: AttributeValue) -> [UInt8] {
    switch value {
    case .text(let text): Array(text.utf8)
    case .data(let bytes): bytes
    case .number(let number): Array(String(number).utf8)
    case .date: value.canonicalBytes
    }
  }
}

/// A backend in which every call fails with one code.
struct FailingBackend: KeychainBackend {
  let code: KeychainError.Code
  func add(_ item: NewItem, for caller: Caller) throws(KeychainError) -> FoundItem { throw KeychainError(code) }
  func find(_ query: ItemQuery, for caller: Caller) throws(KeychainError) -> [FoundItem] { throw KeychainError(code) }
  func update(_ query: ItemQuery, with change: ItemChange, for caller: Caller) throws(KeychainError) {
    throw KeychainError(code)
  }
  func delete(_ query: ItemQuery, for caller: Caller) throws(KeychainError) { throw KeychainError(code) }
}
