import Testing

@testable import AppAudit

@Suite("Rule keychain.error-swallowed")
struct SwallowedErrorRuleTests {
  @Test("a default in place of an error is found")
  func swallowed() throws {
    try expectMarkedFindings(
      SwallowedErrorRule(),
      [
        "App/K.swift": """
        import Security
        final class Session {
          let keychain = Keychain()
          var token: String { (try? keychain.string(for: "token")) ?? "" } // expect: keychain.error-swallowed
          func read(_ account: String) throws -> String {
            var item: CFTypeRef?
            guard SecItemCopyMatching([:] as CFDictionary, &item) == errSecSuccess else { throw Failure() }
            return ""
          }
          func again() -> String { (try? read("a")) ?? "none" } // expect: keychain.error-swallowed
          func joined() -> String { try? KeychainStore.shared.load() ?? "none" } // expect: keychain.error-swallowed
        }
        """
      ])
  }

  @Test("an error that is handled, an optional and other calls are silent")
  func handled() throws {
    try expectMarkedFindings(
      SwallowedErrorRule(),
      [
        "App/K.swift": """
        import Security
        final class Session {
          let keychain = Keychain()
          func token() throws -> String { try keychain.string(for: "token") ?? "" }
          func maybe() -> String? { try? keychain.string(for: "token") }
          func name() -> String { (try? file.read()) ?? "" }
          // (try? keychain.string(for: "token")) ?? ""
        }
        """
      ])
  }
}
