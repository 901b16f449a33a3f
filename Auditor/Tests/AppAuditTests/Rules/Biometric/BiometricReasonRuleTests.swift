import Testing

@testable import AppAudit

@Suite("Rule biometric.reason")
struct BiometricReasonRuleTests {
  @Test("an empty reason and a placeholder are found")
  func empty() throws {
    try expectMarkedFindings(
      BiometricReasonRule(),
      [
        "App/L.swift": """
        import LocalAuthentication
        let empty = "  "
        func go(_ context: LAContext) async throws {
          try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "") // expect: biometric.reason
          try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "TODO: text") // expect: biometric.reason
          try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: empty) // expect: biometric.reason
        }
        """,
        "App/L.m": """
        - (void)unlock {
          [context evaluatePolicy:LAPolicyDeviceOwnerAuthentication localizedReason:@"" reply:reply]; // expect: biometric.reason
        }
        """,
      ])
  }

  @Test("a sentence, and what is looked up, are silent")
  func said() throws {
    try expectMarkedFindings(
      BiometricReasonRule(),
      [
        "App/L.swift": """
        import LocalAuthentication
        func go(_ context: LAContext, _ reason: String) async throws {
          try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open your notes")
          try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: reason)
          try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: NSLocalizedString("reason", comment: ""))
        }
        """,
        "App/L.m": """
        - (void)unlock {
          [context evaluatePolicy:LAPolicyDeviceOwnerAuthentication localizedReason:@"Open your notes" reply:reply];
        }
        """,
      ])
  }
}
