import Testing

@testable import AppAudit

@Suite("Rule biometric.no-enrolment-check")
struct NoEnrolmentCheckRuleTests {
  @Test("an evaluation without any check is noted")
  func blind() throws {
    try expectMarkedFindings(
      NoEnrolmentCheckRule(), from: .note,
      [
        "App/L.swift": """
        import LocalAuthentication
        func go(_ context: LAContext) async throws -> Bool {
          try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open") // expect: biometric.no-enrolment-check
        }
        """
      ])
  }

  @Test("a check anywhere in the target is enough")
  func checked() throws {
    try expectMarkedFindings(
      NoEnrolmentCheckRule(), from: .note,
      [
        "App/L.swift": """
        import LocalAuthentication
        func go(_ context: LAContext) async throws -> Bool {
          try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open")
        }
        """,
        "App/Settings.swift": """
        import LocalAuthentication
        let isPossible = LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil)
        """,
      ])
  }
}
