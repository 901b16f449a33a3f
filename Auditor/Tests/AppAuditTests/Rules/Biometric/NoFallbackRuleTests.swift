import Testing

@testable import AppAudit

@Suite("Rule biometric.no-fallback")
struct NoFallbackRuleTests {
  @Test("biometrics as the only way in are noted")
  func only() throws {
    try expectMarkedFindings(
      NoFallbackRule(), from: .note,
      [
        "App/L.swift": """
        import LocalAuthentication
        func go(_ context: LAContext) async throws -> Bool {
          try await context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "Open") // expect: biometric.no-fallback
        }
        """
      ])
  }

  @Test("Objective-C counts as well")
  func objectiveC() throws {
    try expectMarkedFindings(
      NoFallbackRule(), from: .note,
      [
        "App/L.m": """
        - (void)unlock {
          [context evaluatePolicy:LAPolicyDeviceOwnerAuthenticationWithBiometrics localizedReason:@"Open" reply:reply]; // expect: biometric.no-fallback
        }
        """
      ])
  }

  @Test("the passcode, or a branch for the fallback, is enough")
  func passcode() throws {
    try expectMarkedFindings(
      NoFallbackRule(), from: .note,
      [
        "App/L.swift": """
        import LocalAuthentication
        func go(_ context: LAContext) async throws -> Bool {
          do {
            return try await context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "Open")
          } catch LAError.userFallback {
            return try await askForPassword()
          }
        }
        """
      ])
  }
}
