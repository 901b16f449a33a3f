internal import Foundation
internal import Synchronization
internal import Testing
internal import ThumbturnAuthentication
internal import ThumbturnCrypto
internal import ThumbturnKeychain
@testable internal import ThumbturnSecurity
internal import ThumbturnTestSupport

/// What a query says about asking a person (SECITEM.md §12, SECACCESS.md §2).
@Suite("Contexts in queries")
struct ContextTests {
  @Test(
    "an object that carries a context is one, whatever its class; nothing else is",
    arguments: [
      QueryCall.add, .find, .update, .delete,
    ])
  func kinds(call: QueryCall) {
    let keychain = TestKeychain(.memory)
    func answer(_ value: Any) -> OSStatus {
      _ = keychain.delete(["class": "genp"])
      if call != .add { _ = keychain.add(password("a")) }
      return keychain.call(call, password("a", ["u_AuthCtx": value]))
    }
    #expect(answer(Carrier()) == errSecSuccess)
    let others: [Any] = [NSObject(), "text", Data(), 1, true, Date(), [1], ["a": 1], NSNull()]
    #expect(others.map(answer) == [OSStatus](repeating: errSecParam, count: others.count))
  }

  @Test("none stands among the attributes of an update")
  func change() {
    #expect(TestKeychain(.memory).call(.change, ["u_AuthCtx": Carrier()]) == errSecNoSuchAttr)
  }

  @Test("the context and the text for the prompt reach the backend with each call")
  func handedOn() {
    let recorder = Recorder()
    let keychain = TestKeychain(recorder)
    let carrier = Carrier()
    let use: [String: Any] = ["u_AuthCtx": carrier, "u_OpPrompt": "to log in"]
    _ = keychain.add(password("a", use))
    _ = keychain.find(password("a", use))
    _ = keychain.update(password("a", use), ["labl": "l"])
    _ = keychain.delete(password("a", use))
    #expect(recorder.contexts.map { $0 === carrier.authenticationContext } == [true, true, true, true])
    #expect(recorder.prompts == ["to log in", "to log in", "to log in"])
    _ = keychain.find(password("a"))
    #expect(recorder.contexts.count == 5 && recorder.contexts[4] == nil)
    #expect(recorder.prompts.last == .some(nil))
    #expect(keychain.find(password("a", ["u_OpPrompt": 1])).status == errSecParam)
  }

  struct Guarded {
    let memory = MemoryBackend()
    let keychain: TestKeychain
    init() {
      keychain = TestKeychain(memory)
      let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
      #expect(keychain.add(password("a", ["accc": control as Any, "v_Data": Data("x".utf8)])).status == 0)
    }
    func read(_ more: [String: Any]) -> OSStatus {
      let answer = keychain.find(password("a", ["r_Data": true]).merging(more) { $1 })
      if answer.status == errSecSuccess { #expect(answer.value as? Data == Data("x".utf8)) }
      return answer.status
    }
  }

  @Test("one that was shown enough opens the item without asking, and one that was not is asked and keeps it")
  func kept() {
    let guarded = Guarded()
    let carrier = Carrier()
    #expect(guarded.read(["u_AuthCtx": carrier]) == errSecSuccess)
    #expect(guarded.memory.promptCount == 1)
    guarded.memory.answer = .cancel
    #expect(guarded.read(["u_AuthCtx": carrier]) == errSecSuccess)
    #expect(guarded.memory.promptCount == 1)
    #expect(guarded.read(["u_AuthCtx": Carrier()]) == errSecUserCanceled)
    #expect(guarded.read([:]) == errSecUserCanceled)
    #expect(guarded.memory.promptCount == 3)
  }

  @Test("prompts that are forbidden, by the query or by the context, are no interaction; what was shown before counts")
  func forbidden() {
    let guarded = Guarded()
    let quiet = Carrier()
    quiet.authenticationContext.forbidsPrompts = true
    #expect(guarded.read(["u_AuthCtx": quiet]) == errSecInteractionNotAllowed)
    #expect(guarded.read(["u_AuthUI": kSecUseAuthenticationUIFail]) == errSecInteractionNotAllowed)
    #expect(guarded.read(["u_NoAuthUI": true]) == errSecInteractionNotAllowed)
    #expect(guarded.read(["u_AuthUI": kSecUseAuthenticationUISkip]) == errSecItemNotFound)
    #expect(guarded.memory.promptCount == 0)
    #expect(guarded.read(["u_AuthUI": kSecUseAuthenticationUIAllow]) == errSecSuccess)
    #expect(guarded.memory.promptCount == 1)

    let carrier = Carrier()
    #expect(guarded.read(["u_AuthCtx": carrier]) == errSecSuccess)
    carrier.authenticationContext.forbidsPrompts = true
    #expect(guarded.read(["u_AuthCtx": carrier]) == errSecSuccess)
    #expect(guarded.read(["u_AuthCtx": carrier, "u_AuthUI": kSecUseAuthenticationUIFail]) == errSecSuccess)
    #expect(guarded.read(["u_AuthCtx": carrier, "u_AuthUI": kSecUseAuthenticationUISkip]) == errSecSuccess)
    #expect(guarded.memory.promptCount == 2)
  }

  @Test("one that was invalidated is refused where something is needed, and only there")
  func invalidated() {
    let guarded = Guarded()
    let carrier = Carrier()
    #expect(guarded.read(["u_AuthCtx": carrier]) == errSecSuccess)
    carrier.authenticationContext.invalidate()
    #expect(guarded.read(["u_AuthCtx": carrier]) == errSecAuthFailed)
    #expect(guarded.keychain.find(password("a", ["u_AuthCtx": carrier])).status == errSecSuccess)
    #expect(guarded.memory.promptCount == 1)
  }

  @Test("a finger is not enough for an item that wants the passcode")
  func otherFactor() {
    let guarded = Guarded()
    let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .devicePasscode, nil)
    #expect(guarded.keychain.add(password("b", ["accc": control as Any, "v_Data": Data("y".utf8)])).status == 0)
    let carrier = Carrier()
    #expect(guarded.read(["u_AuthCtx": carrier]) == errSecSuccess)
    #expect(guarded.memory.promptCount == 1)
    #expect(guarded.keychain.find(password("b", ["r_Data": true, "u_AuthCtx": carrier])).status == errSecSuccess)
    #expect(guarded.memory.promptCount == 2)
    #expect(carrier.authenticationContext.shown == [.finger, .passcode])
  }
}

/// As an LAContext is to the keychain.
private final class Carrier: NSObject, AuthenticationContextProviding {
  let authenticationContext = AuthenticationContext()
}

/// Keeps what calls are about, and stores nothing.
private final class Recorder: KeychainBackend {
  private let seen = Mutex<(contexts: [AuthenticationContext?], prompts: [String?])>(([], []))
  var contexts: [AuthenticationContext?] { seen.withLock { $0.contexts } }
  var prompts: [String?] { seen.withLock { $0.prompts } }

  private func see(_ query: ItemQuery) {
    seen.withLock { seen in
      seen.contexts.append(query.context)
      seen.prompts.append(query.operationPrompt)
    }
  }
  func add(_ item: NewItem, for caller: Caller) throws(KeychainError) -> FoundItem {
    seen.withLock { $0.contexts.append(item.context) }
    throw KeychainError(.notAvailable)
  }
  func find(_ query: ItemQuery, for caller: Caller) throws(KeychainError) -> [FoundItem] {
    see(query)
    return []
  }
  func update(_ query: ItemQuery, with change: ItemChange, for caller: Caller) throws(KeychainError) { see(query) }
  func delete(_ query: ItemQuery, for caller: Caller) throws(KeychainError) { see(query) }
}
