import Testing

@testable import AppAudit

@Suite("Rule keychain.synchronizable-conflict")
struct SynchronizableConflictRuleTests {
  @Test("a synchronised item that is bound to the device or guarded is found")
  func conflict() throws {
    try expectMarkedFindings(
      SynchronizableConflictRule(),
      [
        "App/K.swift": """
        import Security
        let one: [CFString: Any] = [
          kSecAttrSynchronizable: true,
          kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, // expect: keychain.synchronizable-conflict
        ]
        let two: [CFString: Any] = [
          kSecAttrSynchronizable: kCFBooleanTrue as Any,
          kSecAttrAccessControl: control, // expect: keychain.synchronizable-conflict
        ]
        """,
        "App/K.m": """
        void one(void) {
          NSDictionary *query = @{
            (__bridge id)kSecAttrSynchronizable: @YES,
            (__bridge id)kSecAttrAccessible: (__bridge id)kSecAttrAccessibleWhenUnlockedThisDeviceOnly, // expect: keychain.synchronizable-conflict
          };
        }
        """,
      ])
  }

  @Test("an item that may leave the device, or is not synchronised, is silent")
  func fits() throws {
    try expectMarkedFindings(
      SynchronizableConflictRule(),
      [
        "App/K.swift": """
        import Security
        let one: [CFString: Any] = [kSecAttrSynchronizable: true, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]
        let two: [CFString: Any] = [kSecAttrSynchronizable: false, kSecAttrAccessControl: control]
        let three: [CFString: Any] = [
          kSecAttrSynchronizable: kSecAttrSynchronizableAny, kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
        ]
        """,
        "App/K.m": """
        void one(void) {
          NSDictionary *query = @{(__bridge id)kSecAttrSynchronizable: @NO,
            (__bridge id)kSecAttrAccessible: (__bridge id)kSecAttrAccessibleWhenUnlockedThisDeviceOnly};
        }
        """,
      ])
  }
}
