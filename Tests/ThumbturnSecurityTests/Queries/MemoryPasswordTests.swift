internal import Testing
internal import ThumbturnAuthentication
internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnTestSupport
internal import ThumbturnVault

/// Application passwords of contexts, over a keychain in memory.
@Suite("A context with an application password, in memory")
struct MemoryPasswordTests {
  private func secret(_ text: String) throws -> SharedSecret {
    SharedSecret(try SecretBytes(copying: Array(text.utf8).span))
  }

  private func password(_ account: String, _ conditions: AccessControl.Conditions) throws -> NewItem {
    var item = NewItem(.genericPassword, [.account: .text(account)], secret: try secret(account))
    item.accessControl = AccessControl(.whenUnlocked, conditions)
    return item
  }

  @Test("a credential of the context is tried first, and a wrong one is taken out of it before the person is asked")
  func credentials() throws {
    let keychain = MemoryBackend()
    let context = AuthenticationContext()
    context.credential = try secret("given")
    var item = try password("a", .applicationPassword)
    item.context = context
    _ = try keychain.add(item, for: Caller())
    var query = ItemQuery(.genericPassword, [.account: .text("a")], wantsSecret: true)
    query.context = context
    query.consent = .refuse
    #expect(try keychain.find(query, for: Caller()).count == 1)
    #expect(keychain.promptCount == 0)
    // What is typed is another one: without the context nothing opens.
    let bare = ItemQuery(.genericPassword, wantsSecret: true)
    #expect(throws: KeychainError(.authenticationFailed)) { try keychain.find(bare, for: Caller()) }
    #expect(keychain.promptCount == 20)
    context.credential = try secret("wrong")
    #expect(throws: KeychainError(.interactionNotAllowed)) { try keychain.find(query, for: Caller()) }
    #expect(context.credential != nil)
    keychain.applicationPassword = "given"
    query.consent = .ask
    #expect(try keychain.find(query, for: Caller()).count == 1)
    #expect(context.credential == nil && keychain.promptCount == 21)
    // What was typed in a context counts there from then on.
    keychain.answer = .cancel
    #expect(try keychain.find(query, for: Caller()).count == 1)
    #expect(keychain.promptCount == 21)
    context.invalidate()
    #expect(throws: KeychainError(.authenticationFailed)) { try keychain.find(query, for: Caller()) }
    item.attributes[.account] = .text("other")
    let other = item
    #expect(throws: KeychainError(.authenticationFailed)) { try keychain.add(other, for: Caller()) }
  }

  @Test("an evaluation that asks for an application password lets a context open what it is for")
  func evaluatedPassword() async throws {
    let keychain = MemoryBackend()
    _ = try keychain.add(password("a", [.userPresence, .applicationPassword]), for: Caller())
    #expect(keychain.promptCount == 1)
    let context = AuthenticationContext()
    let requirement = Requirement([.finger, .passcode], needsApplicationPassword: true)
    let shown = await withCheckedContinuation { done in
      keychain.evaluate(requirement, AuthenticationTexts(), in: context, anew: false) { done.resume(returning: $0) }
    }
    #expect(shown == .success([.finger]))
    var query = ItemQuery(.genericPassword, [.account: .text("a")], wantsSecret: true)
    query.context = context
    #expect(try keychain.find(query, for: Caller()).count == 1)
    #expect(keychain.promptCount == 2)
  }
}
