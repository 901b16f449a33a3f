import Testing

@testable import AppAudit

@Suite("Rule keychain.delete-then-add")
struct DeleteThenAddRuleTests {
  @Test("a delete before an add is noted")
  func replaced() throws {
    try expectMarkedFindings(
      DeleteThenAddRule(), from: .note,
      [
        "App/K.swift": """
        import Security
        func save(_ query: CFDictionary) -> OSStatus {
          SecItemDelete(query) // expect: keychain.delete-then-add
          return SecItemAdd(query, nil)
        }
        """,
        "App/K.m": """
        OSStatus save(CFDictionaryRef query) {
          SecItemDelete(query); // expect: keychain.delete-then-add
          return SecItemAdd(query, NULL);
        }
        """,
      ])
  }

  @Test("an update, a delete alone and functions beside each other are silent")
  func updated() throws {
    try expectMarkedFindings(
      DeleteThenAddRule(), from: .note,
      [
        "App/K.swift": """
        import Security
        func save(_ query: CFDictionary, _ change: CFDictionary) -> OSStatus {
          let status = SecItemUpdate(query, change)
          return status == errSecItemNotFound ? SecItemAdd(query, nil) : status
        }
        func remove(_ query: CFDictionary) -> OSStatus { SecItemDelete(query) }
        func add(_ query: CFDictionary) -> OSStatus { SecItemAdd(query, nil) }
        """,
        "App/K.m": """
        OSStatus removeItem(CFDictionaryRef query) { return SecItemDelete(query); }
        OSStatus addItem(CFDictionaryRef query) { return SecItemAdd(query, NULL); }
        """,
      ])
  }
}
