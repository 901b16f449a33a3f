internal import ThumbturnAuthentication
public import ThumbturnKeychain

/// The keychain behind the agent: the same calls, answers and errors as in process.
///
/// Every call may come from any thread and ends within 12 seconds, one that asks a person within 130 seconds for each prompt.
/// An agent that does not listen, does not answer or hangs up is ``KeychainError/Code/notAvailable``, with a cause that says
/// which; a call that was sent and not answered may have been done. Secrets go from locked memory to locked memory, and
/// nothing of a call is left when it ends.
public final class RemoteBackend: KeychainBackend {
  /// How often a call asks (SECACCESS.md §2).
  static let roundCountMax = 20

  private let link: AgentLink

  /// A keychain over this link.
  public init(_ link: AgentLink) { self.link = link }

  private func call(_ request: AgentRequest) throws(KeychainError) -> AgentReply {
    do throws(AgentFailure) { return try link.call(request) } catch { throw error.error }
  }

  /// As ``KeychainBackend/add(_:for:)``.
  public func add(_ item: NewItem, for caller: Caller) throws(KeychainError) -> FoundItem {
    let reply = try asking(item.context, nil) { .add(item, caller, $0) }
    guard case .item(let item) = reply else { throw KeychainError(.agentNonsense) }
    return item
  }

  /// As ``KeychainBackend/find(_:for:)``.
  public func find(_ query: ItemQuery, for caller: Caller) throws(KeychainError) -> [FoundItem] {
    let reply = try asking(query.context, query) { .find(query.asked(with: $0), caller, $0) }
    guard case .items(let items) = reply else { throw KeychainError(.agentNonsense) }
    return items
  }

  /// As ``KeychainBackend/update(_:with:for:)``.
  public func update(_ query: ItemQuery, with change: ItemChange, for caller: Caller) throws(KeychainError) {
    _ = try asking(query.context, query) { .update(query.asked(with: $0), change, caller, $0) }
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

  /// Makes a call, and again after each time that a person was asked for what it needs. One context serves all of it.
  ///
  /// - Parameter query: Says whether somebody may be asked, and for what; nil for an add.
  private func asking(
    _ given: AuthenticationContext?, _ query: ItemQuery?, _ request: (Evidence) -> AgentRequest
  ) throws(KeychainError) -> AgentReply {
    let context = given ?? AuthenticationContext()
    // What is verified for one call alone ends with it.
    defer { if given == nil { context.invalidate() } }
    guard !context.isInvalidated else { throw KeychainError(.authenticationFailed) }
    for _ in 0..<Self.roundCountMax {
      let evidence = Evidence(context)
      let reply = try call(request(evidence))
      guard case .needsAuthentication(let needed) = reply else { return reply }
      if query?.consent == .refuse || context.forbidsPrompts { throw KeychainError(.interactionNotAllowed) }
      context.drop(needed, of: evidence)
      // The one that asks for most: it may be enough for the others.
      guard let requirement = needed.requirements.max(by: { $0.weight < $1.weight }) else { continue }
      var texts = context.texts
      if texts.reason.isEmpty { texts.reason = query?.operationPrompt ?? "" }
      do throws(AuthenticationFailure) {
        _ = try link.evaluateAndWait(requirement, texts, in: context).get()
      } catch { throw error.keychainError }
    }
    throw KeychainError(.authenticationFailed)
  }
}

extension AuthenticationContext {
  /// Forgets what the agent said is worth nothing.
  fileprivate func drop(_ needed: NeededEvidence, of evidence: Evidence) {
    if needed.isCredentialWrong, credential === evidence.credential { credential = nil }
    forgetSessions(needed.deadSessions)
  }
}

extension Requirement {
  fileprivate var weight: Int {
    (needsApplicationPassword ? 1 : 0) + (needsAll ? 8 : 0) + 4 - 2 * factors.count
  }
}

extension ItemQuery {
  /// What is sent: who has something at hand may have enough, whether or not somebody may be asked.
  fileprivate func asked(with evidence: Evidence) -> ItemQuery {
    guard consent == .refuse, !evidence.isEmpty else { return self }
    var asked = self
    asked.consent = .ask
    return asked
  }
}

extension AuthenticationFailure {
  /// What a call of the keychain answers (SECACCESS.md §4).
  package var keychainError: KeychainError {
    switch code {
    case .userCancel: KeychainError(.userCanceled)
    case .notInteractive: KeychainError(.interactionNotAllowed)
    default: KeychainError(.authenticationFailed)
    }
  }
}
