import Testing

@testable import AppAudit

@Suite("Rule biometric.bool-gate")
struct BoolGateRuleTests {
  @Test("a target where only a flag hangs on the answer has one finding")
  func flag() throws {
    try expectMarkedFindings(
      BoolGateRule(),
      [
        "App/L.swift": """
        import LocalAuthentication
        func go(_ context: LAContext) async throws -> Bool {
          try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open") // expect: biometric.bool-gate
        }
        func again(_ context: LAContext) async throws -> Bool {
          try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open")
        }
        """
      ])
  }

  @Test("Objective-C counts as well")
  func objectiveC() throws {
    try expectMarkedFindings(
      BoolGateRule(),
      [
        "App/L.m": """
        - (void)unlock {
          [context evaluatePolicy:LAPolicyDeviceOwnerAuthentication localizedReason:@"Open" reply:^(BOOL ok, NSError *e) {}]; // expect: biometric.bool-gate
        }
        """
      ])
  }

  @Test("a target that binds a secret is silent")
  func bound() throws {
    try expectMarkedFindings(
      BoolGateRule(),
      [
        "App/L.swift": """
        import LocalAuthentication
        func go(_ context: LAContext) async throws -> Bool {
          try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open")
        }
        """,
        "App/K.swift": """
        import Security
        func query(_ context: LAContext) -> [CFString: Any] { [kSecUseAuthenticationContext: context] }
        """,
      ])
  }

  @Test("a method of that name of the app itself is none")
  func other() throws {
    try expectMarkedFindings(
      BoolGateRule(),
      [
        "App/L.swift": """
        struct Router { func evaluatePolicy(_ name: String) -> Bool { true } }
        let answer = Router().evaluatePolicy("retry")
        """
      ])
  }
}
