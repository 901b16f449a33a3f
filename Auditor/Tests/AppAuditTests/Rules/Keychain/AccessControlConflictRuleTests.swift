import Testing

@testable import AppAudit

@Suite("Rule keychain.access-control-with-accessible")
struct AccessControlConflictRuleTests {
  @Test("both keys in one dictionary are found, written out or set afterwards")
  func both() throws {
    try expectMarkedFindings(
      AccessControlConflictRule(),
      [
        "App/K.swift": """
        import Security
        func one(_ control: SecAccessControl) -> [CFString: Any] {
          [
            kSecAttrAccessControl: control,
            kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked, // expect: keychain.access-control-with-accessible
          ]
        }
        func two(_ control: SecAccessControl) {
          var query: [String: Any] = [kSecAttrAccessControl as String: control]
          query[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlocked // expect: keychain.access-control-with-accessible
          use(query)
        }
        """,
        "App/K.m": """
        void one(SecAccessControlRef control) {
          NSMutableDictionary *query = [NSMutableDictionary dictionary];
          query[(__bridge id)kSecAttrAccessControl] = (__bridge id)control;
          [query setObject:(__bridge id)kSecAttrAccessibleWhenUnlocked forKey:(__bridge id)kSecAttrAccessible]; // expect: keychain.access-control-with-accessible
        }
        """,
      ])
  }

  @Test("one of them, and both in branches beside each other, are silent")
  func either() throws {
    try expectMarkedFindings(
      AccessControlConflictRule(),
      [
        "App/K.swift": """
        import Security
        let first: [CFString: Any] = [kSecAttrAccessControl: control]
        let second: [CFString: Any] = [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]
        func query(_ control: SecAccessControl?) -> [String: Any] {
          var query: [String: Any] = [kSecClass as String: kSecClassGenericPassword]
          if let control {
            query[kSecAttrAccessControl as String] = control
          } else {
            query[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlocked
          }
          return query
        }
        """,
        "App/K.m": """
        void query(SecAccessControlRef control) {
          NSMutableDictionary *query = [NSMutableDictionary dictionary];
          query[(__bridge id)kSecClass] = (__bridge id)kSecClassGenericPassword;
          if (control) {
            query[(__bridge id)kSecAttrAccessControl] = (__bridge id)control;
          } else {
            query[(__bridge id)kSecAttrAccessible] = (__bridge id)kSecAttrAccessibleWhenUnlocked;
          }
        }
        """,
      ])
  }
}
