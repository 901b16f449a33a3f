internal import Foundation
internal import ThumbturnKeychain

/// The four calls over one backend, for one caller: check, convert, ask, shape the answer.
struct ItemCalls: Sendable {
  let backend: any KeychainBackend
  let caller: Caller

  func add(_ attributes: CFDictionary) throws(KeychainError) -> ItemAnswer {
    let checked = try QueryChecker(call: .add, caller: caller).check(attributes)
    return .added(try backend.add(try checked.newItem(), for: caller), checked)
  }

  func copyMatching(_ query: CFDictionary) throws(KeychainError) -> ItemAnswer {
    let checked = try QueryChecker(call: .find, caller: caller).check(query)
    guard let query = checked.itemQuery() else { throw KeychainError(.itemNotFound) }
    return .found(try backend.find(query, for: caller), checked.wanted, limit: query.limit)
  }

  func update(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) throws(KeychainError) {
    let checked = try QueryChecker(call: .update, caller: caller).check(query)
    let change = try QueryChecker(call: .change, caller: caller).check(attributesToUpdate, of: checked.itemClass)
    guard let query = checked.itemQuery() else { throw KeychainError(.itemNotFound) }
    try backend.update(query, with: try change.itemChange(), for: caller)
  }

  func delete(_ query: CFDictionary) throws(KeychainError) {
    let checked = try QueryChecker(call: .delete, caller: caller).check(query)
    guard let query = checked.itemQuery() else { throw KeychainError(.itemNotFound) }
    try backend.delete(query, for: caller)
  }
}
