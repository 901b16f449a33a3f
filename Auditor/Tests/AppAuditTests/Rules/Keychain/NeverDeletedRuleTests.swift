import Testing

@testable import AppAudit

@Suite("Rule keychain.never-deleted")
struct NeverDeletedRuleTests {
  @Test("the first add of a target without a delete is noted")
  func kept() throws {
    try expectMarkedFindings(
      NeverDeletedRule(), from: .note,
      [
        "App/K.swift": """
        import Security
        func add(_ query: CFDictionary) -> OSStatus { SecItemAdd(query, nil) } // expect: keychain.never-deleted
        func again(_ query: CFDictionary) -> OSStatus { SecItemAdd(query, nil) }
        """
      ])
  }

  @Test("a delete anywhere in the target is enough")
  func deleted() throws {
    try expectMarkedFindings(
      NeverDeletedRule(), from: .note,
      [
        "App/K.swift": """
        import Security
        func add(_ query: CFDictionary) -> OSStatus { SecItemAdd(query, nil) }
        """,
        "App/SignOut.m": """
        OSStatus signOut(CFDictionaryRef query) { return SecItemDelete(query); }
        """,
      ])
  }
}
