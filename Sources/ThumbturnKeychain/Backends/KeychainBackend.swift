/// What serves the four calls: the vault in this process, or an agent. One conformance suite runs over all of them.
///
/// Every call is synchronous, may come from any thread, and ends in bounded time: a writer that waits for another process
/// gives up after 5 seconds with ``KeychainError/Code/notAvailable``.
public protocol KeychainBackend: Sendable {
  /// Adds an item; durable when it returns.
  ///
  /// - Throws: ``KeychainError/Code/duplicateItem`` when the primary key exists, and the codes of the vault's state. An item
  ///   that another set of fingers has ended is replaced, where there is somebody who can tell.
  /// - Returns: The item as stored.
  func add(_ item: NewItem, for caller: Caller) throws(KeychainError) -> FoundItem

  /// Finds items in the order in which they were added.
  ///
  /// - Throws: ``KeychainError/Code/itemNotFound`` when nothing matches.
  func find(_ query: ItemQuery, for caller: Caller) throws(KeychainError) -> [FoundItem]

  /// Changes every match in one transaction, or nothing; durable when it returns.
  ///
  /// - Throws: ``KeychainError/Code/itemNotFound``, ``KeychainError/Code/duplicateItem``.
  func update(_ query: ItemQuery, with change: ItemChange, for caller: Caller) throws(KeychainError)

  /// Deletes every match in one transaction; durable when it returns.
  ///
  /// - Throws: ``KeychainError/Code/itemNotFound``.
  func delete(_ query: ItemQuery, for caller: Caller) throws(KeychainError)
}
