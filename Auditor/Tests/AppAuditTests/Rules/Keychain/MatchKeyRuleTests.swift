import Testing

@testable import AppAudit

@Suite("Rule keychain.match-key")
struct MatchKeyRuleTests {
  @Test("a match key is found where the call adds, changes or deletes")
  func matched() throws {
    try expectMarkedFindings(
      MatchKeyRule(),
      [
        "App/K.swift": """
        import Security
        func add(_ data: Data) -> OSStatus {
          let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecValueData: data,
            kSecMatchLimit: kSecMatchLimitOne, // expect: keychain.match-key
          ]
          return SecItemAdd(query as CFDictionary, nil)
        }
        func remove() -> OSStatus {
          var query: [String: Any] = [kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "a"]
          query[kSecMatchLimit as String] = kSecMatchLimitAll // expect: keychain.match-key
          return SecItemDelete(query as CFDictionary)
        }
        """,
        "App/K.m": """
        OSStatus add(NSData *data) {
          NSDictionary *query = @{(__bridge id)kSecValueData: data, (__bridge id)kSecMatchLimit: (__bridge id)kSecMatchLimitOne};
          return SecItemAdd((__bridge CFDictionaryRef)query, NULL); // expect: keychain.match-key
        }
        """,
      ])
  }

  @Test("match keys of a search are silent, also when the query is used for both")
  func searching() throws {
    try expectMarkedFindings(
      MatchKeyRule(),
      [
        "App/K.swift": """
        import Security
        func read() -> OSStatus {
          let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitOne]
          return SecItemCopyMatching(query as CFDictionary, nil)
        }
        func replace(_ data: Data) -> OSStatus {
          var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecValueData: data]
          let status = SecItemAdd(query as CFDictionary, nil)
          query[kSecMatchLimit] = kSecMatchLimitOne
          return status == errSecSuccess ? SecItemCopyMatching(query as CFDictionary, nil) : status
        }
        """,
        "App/K.m": """
        OSStatus read(void) {
          NSDictionary *query = @{(__bridge id)kSecMatchLimit: (__bridge id)kSecMatchLimitOne};
          return SecItemCopyMatching((__bridge CFDictionaryRef)query, NULL);
        }
        """,
      ])
  }
}
