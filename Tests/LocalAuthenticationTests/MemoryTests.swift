internal import Dispatch
internal import Foundation
internal import LocalAuthentication
internal import Synchronization
internal import Testing
internal import ThumbturnAuthentication
internal import ThumbturnKeychain
@_spi(Testing) internal import ThumbturnSecurity
internal import ThumbturnTestSupport

/// An LAContext over a keychain in memory: what tests of programs have.
@Suite("A context over a keychain in memory")
struct MemoryTests {
  @Test("says what stands in the way")
  func obstacles() {
    let keychain = MemoryBackend()
    let context = LAContext(over: keychain)
    #expect(context.obstacle(to: .deviceOwnerAuthenticationWithBiometrics) == nil)
    #expect(context.biometryType == .touchID)
    keychain.isBiometryEnrolled = false
    #expect(context.obstacle(to: .deviceOwnerAuthenticationWithBiometrics) == .biometryNotEnrolled)
    #expect(context.obstacle(to: .deviceOwnerAuthentication) == nil)
    keychain.hasPasscode = false
    #expect(context.obstacle(to: .deviceOwnerAuthentication) == .passcodeNotSet)
    keychain.reset()
    keychain.lockState = .locked
    #expect(context.obstacle(to: .deviceOwnerAuthenticationWithBiometrics) == .biometryLockout)
  }

  @Test("ends as the person wants, and every evaluation that asks is a prompt")
  func answers() async {
    let keychain = MemoryBackend()
    keychain.answer = .cancel
    let context = LAContext(over: keychain)
    #expect(await context.code() == .userCancel)
    keychain.answer = .failure
    #expect(await context.code() == .authenticationFailed)
    keychain.answer = .success
    #expect(await context.code() == nil)
    #expect(keychain.promptCount == 3)
    keychain.answer = .cancel
    #expect(await context.code() == nil)
    #expect(keychain.promptCount == 3)
    #expect(context.authenticationContext.shown == [.finger])
    keychain.isBiometryEnrolled = false
    keychain.answer = .success
    let other = LAContext(over: keychain)
    #expect(await other.code(of: .deviceOwnerAuthentication) == nil)
    #expect(other.authenticationContext.shown == [.passcode])
    #expect(await LAContext(over: keychain).code() == .biometryNotEnrolled)
    let quiet = LAContext(over: keychain)
    quiet.interactionNotAllowed = true
    #expect(await quiet.code(of: .deviceOwnerAuthentication) == .notInteractive)
    #expect(keychain.promptCount == 4)
  }

  @Test("has another state for another set of fingers, and the same for the same")
  func domainState() {
    let keychain = MemoryBackend()
    let context = LAContext(over: keychain)
    let first = context.domainState.biometry.stateHash
    #expect(first?.count == 32)
    #expect(context.domainState.biometry.stateHash == first)
    keychain.changeEnrolment()
    #expect(context.domainState.biometry.stateHash != first)
    #expect(context.domainState.biometry.stateHash != nil)
    keychain.isBiometryEnrolled = false
    #expect(context.domainState.biometry.stateHash == nil)
  }

  /// In a process of its own: the keychain in memory serves all of it.
  @Test("of a program opens the items that it fulfils without another prompt, through Apple's functions")
  func process() async {
    await #expect(processExitsWith: .success) {
      let keychain = MemoryBackend()
      useKeychainBackend(keychain)
      let control = try accessControl(.userPresence)
      let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "a",
        kSecAttrAccessControl as String: control, kSecValueData as String: Data("x".utf8),
      ]
      #expect(add(item) == errSecSuccess)
      let context = LAContext()
      #expect(try await context.evaluateAccessControl(control, operation: .useItem, localizedReason: "r"))
      #expect(keychain.promptCount == 1)
      keychain.answer = .cancel
      let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecReturnData as String: true,
        kSecUseAuthenticationContext as String: context,
      ]
      #expect(find(query) == errSecSuccess)
      #expect(keychain.promptCount == 1)
      context.invalidate()
      #expect(find(query) == errSecAuthFailed)

      // What cannot ask anybody is no agent.
      useKeychainBackend(Deaf())
      #expect(LAContext().obstacle(to: .deviceOwnerAuthentication) == .notInteractive)
      #expect(LAContext().obstacle(to: .deviceOwnerAuthenticationWithBiometrics) == .biometryNotAvailable)
      #expect(await LAContext().code(of: .deviceOwnerAuthentication) == .notInteractive)
      #expect(await LAContext().code() == .biometryNotAvailable)
    }
  }

  /// The scratch vault of the tests, and no agent.
  @Test("of a program without an agent says that there is none, and ends at once")
  func withoutAgent() throws {
    let begin = ContinuousClock.now
    let context = LAContext()
    let error = context.obstacleError(to: .deviceOwnerAuthenticationWithBiometrics)
    #expect(error?.code == LAError.biometryNotAvailable.rawValue)
    #expect(try answer(context, .deviceOwnerAuthenticationWithBiometrics) == .biometryNotAvailable)
    #expect(context.obstacle(to: .deviceOwnerAuthentication) == .passcodeNotSet)
    #expect(try answer(context, .deviceOwnerAuthentication) == .passcodeNotSet)
    #expect(context.biometryType == .none)
    #expect(ContinuousClock.now - begin < .seconds(5))
  }

  /// Waits on this thread: a task would wait until the other tests let it go on, and the time would be theirs.
  private func answer(_ context: LAContext, _ policy: LAPolicy) throws -> LAError.Code? {
    let isThere = DispatchSemaphore(value: 0)
    let code = Mutex<LAError.Code?>(nil)
    context.evaluatePolicy(policy, localizedReason: "test") { _, error in
      code.withLock { $0 = (error as? LAError)?.code }
      isThere.signal()
    }
    try #require(isThere.wait(timeout: .now() + 10) == .success)
    return code.withLock { $0 }
  }
}

private func add(_ item: [String: Any]) -> OSStatus { SecItemAdd(item as NSDictionary, nil) }
private func find(_ query: [String: Any]) -> OSStatus { SecItemCopyMatching(query as NSDictionary, nil) }

/// A backend that can ask nobody.
private struct Deaf: KeychainBackend {
  func add(_ item: NewItem, for caller: Caller) throws(KeychainError) -> FoundItem {
    throw KeychainError(.notAvailable)
  }
  func find(_ query: ItemQuery, for caller: Caller) throws(KeychainError) -> [FoundItem] { [] }
  func update(_ query: ItemQuery, with change: ItemChange, for caller: Caller) throws(KeychainError) {}
  func delete(_ query: ItemQuery, for caller: Caller) throws(KeychainError) {}
}
