import Testing

@testable import AppAudit

@Suite("Rule biometric.fails-open")
struct FailOpenRuleTests {
  @Test("a gate that opens without the person is found in each branch")
  func opens() throws {
    try expectMarkedFindings(
      FailOpenRule(),
      [
        "App/L.swift": """
        import LocalAuthentication
        final class Lock {
          var unlocked = false
          var isLocked = true
          func one() {
            let context = LAContext()
            if context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil) {
              context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open the notes") { ok, error in
                if ok { self.unlocked = true } else {
                  self.unlocked = true // expect: biometric.fails-open
                }
                if error != nil { DispatchQueue.main.async { self.isLocked = false } } // expect: biometric.fails-open
              }
            } else {
              unlocked = true // expect: biometric.fails-open
            }
          }
          func two() async {
            do { isLocked = try await !LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open") } catch {
              isLocked = false // expect: biometric.fails-open
            }
          }
          func three(completion: @escaping (Bool) -> Void) {
            let context = LAContext()
            guard context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil) else {
              completion(true) // expect: biometric.fails-open
              return
            }
            context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open") { ok, _ in completion(ok) }
          }
        }
        func ask(_ context: LAContext, callback: @escaping () -> Void) {
          if context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil) {
            context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open") { ok, _ in
              DispatchQueue.main.async { if ok { callback() } }
            }
          } else {
            callback() // expect: biometric.fails-open
          }
        }
        func gate(_ context: LAContext) {
          if context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil) {
            context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open") { ok, _ in
              if ok { showNotes() } else {
                showNotes() // expect: biometric.fails-open
              }
            }
          } else {
            showNotes() // expect: biometric.fails-open
          }
        }
        final class Model {
          var isAuthenticated = true // expect: biometric.fails-open
          func go() async throws {
            isAuthenticated = try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open")
          }
        }
        """,
        "App/L.m": """
        - (void)unlock {
          if ([context canEvaluatePolicy:LAPolicyDeviceOwnerAuthentication error:&error]) {
            [self ask];
          } else {
            self.unlocked = YES; // expect: biometric.fails-open
          }
        }
        """,
      ])
  }

  @Test("a gate that stays shut, and a question for what is possible, are silent")
  func closed() throws {
    try expectMarkedFindings(
      FailOpenRule(),
      [
        "App/L.swift": """
        import LocalAuthentication
        final class Lock {
          var unlocked = false
          var isLocked = true
          func one() {
            let context = LAContext()
            if context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil) {
              context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "Open") { ok, error in
                if ok { self.unlocked = true } else { self.unlocked = false }
                guard error == nil else { self.isLocked = true; return }
              }
            } else {
              context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open") { ok, _ in
                if ok { self.unlocked = true }
              }
            }
          }
          var lockscreenOpen = false
          var isAuthenticated = true
          init() { load() }
          func load() { isAuthenticated = !settings.needsPerson }
          func ask() async throws {
            isAuthenticated = try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open")
          }
          func gate(_ context: LAContext) {
            guard context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil) else { return showPasscode() }
            context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open") { ok, _ in
              if ok { self.showNotes() } else { self.showPasscode(); self.showAlert() }
            }
          }
          func canAsk() -> Bool {
            if LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil) { return true } else { return false }
          }
          func needsPassword() -> Bool {
            guard LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil) else { return true }
            return false
          }
        }
        """,
        "App/L.m": """
        - (void)unlock {
          if ([context canEvaluatePolicy:LAPolicyDeviceOwnerAuthentication error:&error]) {
            [self ask];
          } else {
            self.unlocked = NO;
          }
        }
        """,
      ])
  }
}
