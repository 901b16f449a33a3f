import Testing

@testable import AppAudit

@Suite("Rule keychain.access-control-error")
struct AccessControlErrorRuleTests {
  @Test("a control that is unwrapped by force or cast to Any is found")
  func dropped() throws {
    try expectMarkedFindings(
      AccessControlErrorRule(),
      [
        "App/K.swift": """
        import Security
        func one() -> SecAccessControl {
          SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)! // expect: keychain.access-control-error
        }
        func two() -> [CFString: Any] {
          let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil) // expect: keychain.access-control-error
          return [kSecAttrAccessControl: control as Any]
        }
        """
      ])
  }

  @Test("one whose nil is handled, and one with an error, are silent")
  func handled() throws {
    try expectMarkedFindings(
      AccessControlErrorRule(),
      [
        "App/K.swift": """
        import Security
        func one() -> SecAccessControl? {
          guard let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
          else { return nil }
          return control
        }
        func two() throws -> SecAccessControl {
          var error: Unmanaged<CFError>?
          guard let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, &error)
          else { throw Failure(error) }
          return control
        }
        """
      ])
  }
}
