import Foundation
import LocalAuthentication
import Testing
@_spi(Testing) import ThumbturnSecurity
import ThumbturnTestSupport

/// The newer style, in Swift 6 mode with every warning an error.
@Suite("Swift 6 client code that asks for a finger")
struct LocalAuthentication6Tests {
  @Test("a lock on the main actor, a struct and an actor ask with try await and with a reply")
  func asking() async {
    await #expect(processExitsWith: .success) {
      let keychain = MemoryBackend()
      useKeychainBackend(keychain)
      let lock = await AppLock()
      await lock.unlock()
      #expect(await lock.state == .unlocked)
      await lock.lock()
      await lock.unlock()
      #expect(await lock.state == .failed(.invalidContext))
      try await lock.unlockAfresh()
      #expect(await lock.state == .unlocked)
      keychain.answer = .cancel
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        Task { @MainActor in lock.unlock { done.resume() } }
      }
      #expect(await lock.state == .locked)
      await #expect(throws: LAError(.userCancel)) { try await OwnerCheck().check() }
      keychain.answer = .success
      #expect(try await OwnerCheck().check())
      let token = TokenGuard()
      try await token.open()
      #expect(await token.token == "open")
    }
  }

  @Test("contexts of a program's own are asked through their overrides")
  func overrides() async throws {
    let counting = CountingContext()
    let isDone = try await counting.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "r")
    #expect(isDone)
    #expect(counting.evaluations == 1)
    let held = HeldContext()
    async let code = Self.code(of: held)
    while true {
      held.invalidate()
      try await Task.sleep(for: .milliseconds(10))
      if await Self.isOver { break }
    }
    #expect(await code == .appCancel)
  }
  @MainActor static var isOver = false
  static func code(of context: HeldContext) async -> LAError.Code? {
    defer { Task { @MainActor in isOver = true } }
    do {
      _ = try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "r")
      return nil
    } catch { return (error as? LAError)?.code }
  }

  @Test("every kind of reader has a name, and one that is not known yet too")
  func names() {
    #expect(
      [LABiometryType.none, .touchID, .faceID, .opticID].map(name) == ["none", "Touch ID", "Face ID", "Optic ID"])
    #expect(LABiometryType(rawValue: 64).map(name) == "biometrics")
  }
}
