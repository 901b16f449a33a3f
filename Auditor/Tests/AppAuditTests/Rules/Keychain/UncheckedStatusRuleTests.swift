import Testing

@testable import AppAudit

@Suite("Rule keychain.status-unchecked")
struct UncheckedStatusRuleTests {
  @Test("a status that goes nowhere is found")
  func dropped() throws {
    try expectMarkedFindings(
      UncheckedStatusRule(),
      [
        "App/K.swift": """
        import Security
        func store(_ query: CFDictionary) {
          SecItemAdd(query, nil) // expect: keychain.status-unchecked
          _ = SecItemUpdate(query, query) // expect: keychain.status-unchecked
        }
        func read(_ query: CFDictionary) -> Data? {
          var item: CFTypeRef?
          SecItemCopyMatching(query, &item) // expect: keychain.status-unchecked
          return item as? Data
        }
        func kept(_ query: CFDictionary) {
          let status = SecItemAdd(query, nil) // expect: keychain.status-unchecked
          DispatchQueue.main.async { SecItemAdd(query, nil) } // expect: keychain.status-unchecked
        }
        """,
        "App/K.m": """
        void store(CFDictionaryRef query) {
          SecItemAdd(query, NULL); // expect: keychain.status-unchecked
          (void)SecItemUpdate(query, query); // expect: keychain.status-unchecked
        }
        """,
      ])
  }

  @Test("a status that is looked at or handed on is silent, and so is a delete before an add")
  func checked() throws {
    try expectMarkedFindings(
      UncheckedStatusRule(),
      [
        "App/K.swift": """
        import Security
        func one(_ query: CFDictionary) -> OSStatus { SecItemAdd(query, nil) }
        func two(_ query: CFDictionary) -> Bool {
          SecItemDelete(query)
          return SecItemAdd(query, nil) == errSecSuccess
        }
        func three(_ query: CFDictionary) throws {
          let status = SecItemAdd(query, nil)
          guard status == errSecSuccess else { throw Failure(status) }
        }
        func four(_ query: CFDictionary) -> OSStatus {
          var item: CFTypeRef?
          let status = withUnsafeMutablePointer(to: &item) { SecItemCopyMatching(query, UnsafeMutablePointer($0)) }
          return status
        }
        func five(_ query: CFDictionary, _ exists: Bool) -> OSStatus {
          if exists { SecItemUpdate(query, query) } else { SecItemAdd(query, nil) }
        }
        var six: OSStatus { SecItemDelete(query) }
        func seven() { lastStatus = SecItemAdd(query, nil) }
        func eight() { check(SecItemAdd(query, nil)) }
        // SecItemAdd(query, nil)
        let text = "SecItemAdd(query, nil)"
        """,
        "App/Own.swift": """
        struct Fake { func SecItemAdd(_ a: Int, _ b: Int?) {} ; func use() { SecItemAdd(1, nil) } }
        """,
        "App/K.m": """
        OSStatus store(CFDictionaryRef query) {
          SecItemDelete(query);
          OSStatus status = SecItemAdd(query, NULL);
          if (SecItemUpdate(query, query) != errSecSuccess) { return 1; }
          return status;
        }
        """,
      ])
  }
}
