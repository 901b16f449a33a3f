import Testing

@testable import AppAudit

@Suite("Rule biometric.context-reused")
struct ContextReusedRuleTests {
  @Test("a context that is a property is found where it is evaluated")
  func kept() throws {
    try expectMarkedFindings(
      ContextReusedRule(),
      [
        "App/L.swift": """
        import LocalAuthentication
        final class Lock {
          private let context = LAContext()
          func go() async throws -> Bool {
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open") // expect: biometric.context-reused
          }
        }
        """,
        "App/L.m": """
        - (instancetype)init { self.context = [[LAContext alloc] init]; return self; }
        - (void)unlock {
          [self.context evaluatePolicy:LAPolicyDeviceOwnerAuthentication localizedReason:@"Open" reply:reply]; // expect: biometric.context-reused
        }
        """,
      ])
  }

  @Test("a context of its own for each evaluation is silent")
  func fresh() throws {
    try expectMarkedFindings(
      ContextReusedRule(),
      [
        "App/L.swift": """
        import LocalAuthentication
        final class Lock {
          private var context = LAContext()
          private let shown = LAContext()
          func go() async throws -> Bool {
            context = LAContext()
            return try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open")
          }
          func local() async throws -> Bool {
            let fresh = LAContext()
            return try await fresh.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open")
          }
          var isPossible: Bool { shown.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil) }
        }
        """,
        "App/L.m": """
        - (void)unlock {
          LAContext *context = [[LAContext alloc] init];
          [context evaluatePolicy:LAPolicyDeviceOwnerAuthentication localizedReason:@"Open" reply:reply];
        }
        """,
      ])
  }
}
