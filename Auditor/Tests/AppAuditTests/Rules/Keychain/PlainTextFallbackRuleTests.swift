import Testing

@testable import AppAudit

@Suite("Rule keychain.plain-text-fallback")
struct PlainTextFallbackRuleTests {
  @Test("plain storage after a failed call is found")
  func fallback() throws {
    try expectMarkedFindings(
      PlainTextFallbackRule(),
      [
        "App/K.swift": """
        import Security
        func save(_ token: String, _ query: CFDictionary) {
          let status = SecItemAdd(query, nil)
          if status != errSecSuccess {
            UserDefaults.standard.set(token, forKey: "session") // expect: keychain.plain-text-fallback
          }
        }
        func again(_ token: String) {
          do { try keychain.set(token) } catch {
            UserDefaults.standard.set(token, forKey: "session") // expect: keychain.plain-text-fallback
          }
        }
        func third(_ token: Data, _ query: CFDictionary) throws {
          guard SecItemAdd(query, nil) == errSecSuccess else {
            try token.write(to: url) // expect: keychain.plain-text-fallback
            return
          }
        }
        func fourth(_ query: CFDictionary) -> String? {
          if SecItemCopyMatching(query, nil) == errSecSuccess { return "a" } else {
            return UserDefaults.standard.string(forKey: "token") // expect: keychain.plain-text-fallback
          }
        }
        """,
        "App/K.m": """
        void save(NSString *token, CFDictionaryRef query) {
          OSStatus status = SecItemAdd(query, NULL);
          if (status != errSecSuccess) {
            [[NSUserDefaults standardUserDefaults] setObject:token forKey:@"session"]; // expect: keychain.plain-text-fallback
          }
        }
        """,
      ])
  }

  @Test("a failure that is reported, a flag about it, and defaults after success are silent")
  func reported() throws {
    try expectMarkedFindings(
      PlainTextFallbackRule(),
      [
        "App/K.swift": """
        import Security
        func save(_ token: String, _ query: CFDictionary) throws {
          let status = SecItemAdd(query, nil)
          guard status == errSecSuccess else { throw Failure(status) }
          UserDefaults.standard.set(Date(), forKey: "savedAt")
        }
        func flag(_ query: CFDictionary) {
          if SecItemAdd(query, nil) != errSecSuccess { UserDefaults.standard.set(true, forKey: "keychainFailed") }
        }
        func other(_ name: String) {
          do { try file.write(name) } catch { UserDefaults.standard.set(name, forKey: "name") }
        }
        """,
        "App/K.m": """
        BOOL save(CFDictionaryRef query) {
          OSStatus status = SecItemAdd(query, NULL);
          if (status != errSecSuccess) { return NO; }
          [[NSUserDefaults standardUserDefaults] setObject:@"a" forKey:@"name"];
          return YES;
        }
        """,
      ])
  }
}
