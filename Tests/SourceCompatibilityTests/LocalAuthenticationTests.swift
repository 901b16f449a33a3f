import Foundation
import LocalAuthentication
import Security
import Testing
@_spi(Testing) import ThumbturnSecurity
import ThumbturnTestSupport

/// Tutorial code of LocalAuthentication: Swift 5 mode, compiled as it would be for iOS. Where somebody is asked, a keychain
/// in memory answers, in a process of its own.
@Suite("Tutorial code that asks for a finger")
struct TutorialAuthenticationTests {
  @Test("an authenticator over a mock says each error in its own words")
  func mocks() async {
    let mock = MockContext()
    let authenticator = BiometricAuthenticator(context: mock)
    #expect(authenticator.kind() == .faceID)
    mock.type = .none
    #expect(authenticator.kind() == .none)
    mock.succeeds = false
    let rows: [(LAError.Code, String)] = [
      (.authenticationFailed, "We could not verify that it is you."), (.userCancel, "You pressed cancel."),
      (.userFallback, "You pressed password."), (.biometryNotAvailable, "There is no reader."),
      (.biometryNotEnrolled, "Nothing is set up."), (.biometryLockout, "Locked."),
      (.systemCancel, "Biometrics may not be set up."),
    ]
    for (code, message) in rows {
      mock.evaluateError = LAError(code)
      var said: String?
      authenticator.authenticate { said = $0 }
      #expect(said == message)
    }
    mock.canEvaluate = false
    var said: String?
    authenticator.authenticate { said = $0 }
    #expect(said == "Biometrics are not available.")
    #expect(mock.evaluations == rows.count)
  }

  @Test("codes are mapped in a switch, and a description is shown as it is")
  func codes() {
    #expect(LoginError(LAError(.userCancel)).errorDescription == "Cancelled")
    #expect(LoginError(LAError(.authenticationFailed)).errorDescription == "Denied")
    #expect(LoginError(NSError(domain: LAErrorDomain, code: -7)).errorDescription == "Enrol a finger")
    #expect(
      LoginError(LAError(.passcodeNotSet)).errorDescription
        == "The vault has no passcode. Set one: thumbturn passcode set.")
    #expect(LoginError(LAError(.invalidContext)).errorDescription == "unknown")
  }

  @Test("a service takes a context, a subclass of one, or a stand-in, by a protocol of its own")
  func protocols() async {
    #expect(await LoginService(context: ContextStub()).login() == "in")
    #expect(await LoginService(context: ContextStub(result: .failure(LAError(.userCancel)))).login() == "cancelled")
    let mock = MockContext()
    #expect(await LoginService(context: mock).login() == "in")
    mock.evaluateError = LAError(.userCancel)
    #expect(await LoginService(context: mock).login() == "cancelled")
    let spy = SpyContext()
    spy.invalidate()
    #expect(spy.invalidations == 1)
    #expect(await LoginService(context: spy).login() == "unavailable")
  }

  @Test("a model without biometrics falls back to a field for the password, and can say why")
  func fallback() {
    let model = UnlockModel()
    var changes = 0
    model.onChange = { changes += 1 }
    model.authenticate()
    #expect(model.showsPasswordField)
    #expect(!model.isUnlocked)
    #expect(model.message.hasPrefix("The agent, which alone asks") || model.message.hasPrefix("There is no vault yet."))
    #expect(changes == 1)
  }

  @Test("a model with a context of the function's own is unlocked by a finger, and told of a cancel")
  func unlocking() async {
    await #expect(processExitsWith: .success) {
      let keychain = MemoryBackend()
      useKeychainBackend(keychain)
      let model = UnlockModel()
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        model.onChange = { done.resume() }
        model.authenticate()
      }
      #expect(model.isUnlocked)
      #expect(keychain.promptCount == 1)
      keychain.answer = .cancel
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        model.onChange = { done.resume() }
        model.authenticate()
      }
      #expect(model.message == "Cancelled.")
      model.isUnlocked = false
      await model.authenticateWithPasscode()
      #expect(!model.isUnlocked)
      keychain.answer = .success
      await model.authenticateWithPasscode()
      #expect(model.isUnlocked)
      #expect(!EnrolmentWatch.hasChanged())
      #expect(!EnrolmentWatch.hasChanged())
      keychain.changeEnrolment()
      #expect(EnrolmentWatch.hasChanged())
      #expect(BiometricAuthenticator().kind() == .touchID)
    }
  }

  @Test("a keychain wrapper with access control and a context asks, is told of a cancel, and looks without asking")
  func wrapper() async {
    await #expect(processExitsWith: .success) {
      let memory = MemoryBackend()
      useKeychainBackend(memory)
      let keychain = GuardedKeychain(service: "tutorial")
      try keychain.save(Data("one".utf8), account: "a")
      try keychain.save(Data("two".utf8), account: "a")
      #expect(memory.promptCount == 0)
      #expect(keychain.has(account: "a"))
      #expect(!keychain.has(account: "b"))
      #expect(memory.promptCount == 0)
      #expect(try keychain.load(account: "a") == Data("two".utf8))
      #expect(memory.promptCount == 1)
      let context = LAContext()
      #expect(try await context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "Log in"))
      #expect(try keychain.load(account: "a", context: context) == Data("two".utf8))
      #expect(memory.promptCount == 2)
      memory.answer = .cancel
      #expect(throws: GuardedKeychain.Failure.cancelled) { try keychain.load(account: "a") }
      memory.answer = .failure
      #expect(throws: GuardedKeychain.Failure.status(errSecAuthFailed)) { try keychain.load(account: "a") }
      memory.changeEnrolment()
      #expect(throws: GuardedKeychain.Failure.notFound) { try keychain.load(account: "a") }
    }
  }

  @Test("in the vault of a program without an agent, a guarded item is refused with Apple's status")
  func vault() {
    // No passcode: nothing can be guarded by one.
    let keychain = GuardedKeychain(service: "org.example.\(UUID().uuidString)", flags: .userPresence)
    #expect(throws: GuardedKeychain.Failure.status(errSecAuthFailed)) {
      try keychain.save(Data("one".utf8), account: "a")
    }
  }
}
