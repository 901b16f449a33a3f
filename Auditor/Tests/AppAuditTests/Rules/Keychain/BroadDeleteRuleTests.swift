import Testing

@testable import AppAudit

@Suite("Rule keychain.delete-too-broad")
struct BroadDeleteRuleTests {
  @Test("a query of the class alone is found, written out or built")
  func broad() throws {
    try expectMarkedFindings(
      BroadDeleteRule(),
      [
        "App/K.swift": """
        import Security
        func remove() -> OSStatus { SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary) } // expect: keychain.delete-too-broad
        func removeToken() -> OSStatus {
          var query: [String: Any] = [:]
          query[kSecClass as String] = kSecClassGenericPassword
          return SecItemDelete(query as CFDictionary) // expect: keychain.delete-too-broad
        }
        """,
        "App/K.m": """
        OSStatus removeToken(void) {
          NSDictionary *query = @{(__bridge id)kSecClass: (__bridge id)kSecClassGenericPassword};
          return SecItemDelete((__bridge CFDictionaryRef)query); // expect: keychain.delete-too-broad
        }
        """,
      ])
  }

  @Test("a query that names the item, one that is not all seen, and a function that is to wipe are silent")
  func narrow() throws {
    try expectMarkedFindings(
      BroadDeleteRule(),
      [
        "App/K.swift": """
        import Security
        func remove(_ account: String) -> OSStatus {
          let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account]
          return SecItemDelete(query as CFDictionary)
        }
        func removeOther(_ query: [String: Any]) -> OSStatus { SecItemDelete(query as CFDictionary) }
        func removeBuilt() -> OSStatus {
          var query: [String: Any] = [kSecClass as String: kSecClassGenericPassword]
          query[kSecAttrService as String] = "notes"
          return SecItemDelete(query as CFDictionary)
        }
        func base() -> OSStatus { SecItemDelete(baseQuery(for: "a") as CFDictionary) }
        func wipeKeychain() -> OSStatus { SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary) }
        func each() {
          for kind in [kSecClassGenericPassword, kSecClassKey] { check(SecItemDelete([kSecClass: kind] as CFDictionary)) }
        }
        """,
        "App/K.m": """
        OSStatus removeToken(NSString *account) {
          NSMutableDictionary *query = [NSMutableDictionary dictionary];
          query[(__bridge id)kSecClass] = (__bridge id)kSecClassGenericPassword;
          query[(__bridge id)kSecAttrAccount] = account;
          return SecItemDelete((__bridge CFDictionaryRef)query);
        }
        """,
      ])
  }
}
