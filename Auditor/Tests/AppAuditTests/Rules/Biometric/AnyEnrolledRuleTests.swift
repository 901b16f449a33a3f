import Testing

@testable import AppAudit

@Suite("Rule biometric.any-enrolled")
struct AnyEnrolledRuleTests {
  @Test("a control that opens for fingers of later is noted")
  func any() throws {
    try expectMarkedFindings(
      AnyEnrolledRule(), from: .note,
      [
        "App/L.swift": """
        import Security
        let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .biometryAny, &error) // expect: biometric.any-enrolled
        """
      ])
  }

  @Test("the current set, or code that compares the state, is silent")
  func current() throws {
    try expectMarkedFindings(
      AnyEnrolledRule(), from: .note,
      [
        "App/L.swift": """
        import Security
        let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .biometryCurrentSet, &error)
        """,
        "App/M.m": """
        // kSecAccessControlBiometryAny
        int flags = kSecAccessControlBiometryCurrentSet;
        """,
      ])
  }
}
