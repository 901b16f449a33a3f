internal import ThumbturnKeychain

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
