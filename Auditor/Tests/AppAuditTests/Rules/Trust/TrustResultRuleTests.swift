import Testing

@testable import AppAudit

@Suite("Rule trust.result-ignored")
struct TrustResultRuleTests {
  @Test("an evaluation whose answer goes nowhere is found")
  func ignored() throws {
    try expectMarkedFindings(
      TrustResultRule(),
      [
        "App/T.swift": """
        import Security
        func one(_ trust: SecTrust) {
          SecTrustEvaluateWithError(trust, nil) // expect: trust.result-ignored
          _ = SecTrustEvaluateWithError(trust, nil) // expect: trust.result-ignored
        }
        func two(_ trust: SecTrust) -> Bool {
          var result = SecTrustResultType.invalid
          return SecTrustEvaluate(trust, &result) == errSecSuccess // expect: trust.result-ignored
        }
        """,
        "App/T.m": """
        void one(SecTrustRef trust) {
          SecTrustEvaluateWithError(trust, NULL); // expect: trust.result-ignored
        }
        BOOL two(SecTrustRef trust) {
          SecTrustResultType result;
          return SecTrustEvaluate(trust, &result) == errSecSuccess; // expect: trust.result-ignored
        }
        """,
      ])
  }

  @Test("an answer that decides is silent")
  func looked() throws {
    try expectMarkedFindings(
      TrustResultRule(),
      [
        "App/T.swift": """
        import Security
        func one(_ trust: SecTrust) -> Bool { SecTrustEvaluateWithError(trust, nil) }
        func two(_ trust: SecTrust) -> Bool {
          var result = SecTrustResultType.invalid
          guard SecTrustEvaluate(trust, &result) == errSecSuccess else { return false }
          return result == .unspecified || result == .proceed
        }
        func three(_ trust: SecTrust) throws {
          var error: CFError?
          _ = SecTrustEvaluateWithError(trust, &error)
          if let error { throw error }
        }
        """,
        "App/T.m": """
        BOOL two(SecTrustRef trust) {
          SecTrustResultType result;
          if (SecTrustEvaluate(trust, &result) != errSecSuccess) { return NO; }
          return result == kSecTrustResultUnspecified || result == kSecTrustResultProceed;
        }
        """,
      ])
  }
}
