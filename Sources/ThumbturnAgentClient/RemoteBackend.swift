public import ThumbturnKeychain

/// The keychain behind the agent: the same calls, answers and errors as in process.
///
/// Every call may come from any thread and ends within 12 seconds. An agent that does not listen, does not answer or hangs
/// up is ``KeychainError/Code/notAvailable``, with a cause that says which; a call that was sent and not answered may
/// have been done. Secrets go from locked memory to locked memory, and nothing of a call is left when it ends.
public final class RemoteBackend: KeychainBackend {
  private let link: AgentLink

  /// A keychain over this link.
  public init(_ link: AgentLink) { self.link = link }

  private func call(_ request: AgentRequest) throws(KeychainError) -> AgentReply {
    do throws(AgentFailure) { return try link.call(request) } catch { throw error.error }
  }

  /// As ``KeychainBackend/add(_:for:)``.
  public func add(_ item: NewItem, for caller: Caller) throws(KeychainError) -> FoundItem {
    guard case .item(let item) = try call(.add(item, caller)) else { throw KeychainError(.agentNonsense) }
    return item
  }

  /// As ``KeychainBackend/find(_:for:)``.
  public func find(_ query: ItemQuery, for caller: Caller) throws(KeychainError) -> [FoundItem] {
    guard case .items(let items) = try call(.find(query, caller)) else { throw KeychainError(.agentNonsense) }
    return items
  }

  /// As ``KeychainBackend/update(_:with:for:)``.
  public func update(_ query: ItemQuery, with change: ItemChange, for caller: Caller) throws(KeychainError) {
    _ = try call(.update(query, change, caller))
  }

  /// As ``KeychainBackend/delete(_:for:)``.
  public func delete(_ query: ItemQuery, for caller: Caller) throws(KeychainError) {
    _ = try call(.delete(query, caller))
  }

  /// The access groups in which there are items.
  public func accessGroups() throws(KeychainError) -> [String] {
    guard case .groups(let groups) = try call(.accessGroups) else { throw KeychainError(.agentNonsense) }
    return groups
  }
}
