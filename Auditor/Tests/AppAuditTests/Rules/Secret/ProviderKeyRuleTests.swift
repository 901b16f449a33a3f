import Testing

@testable import AppAudit

@Suite("Rule secret.provider-key")
struct ProviderKeyRuleTests {
  @Test("keys in the formats of providers, and private keys, are found")
  func formats() throws {
    try expectMarkedFindings(
      ProviderKeyRule(),
      [
        "App/K.swift": #"""
        let a = "AKIA7QWXN2LPZ4RTMVKD" // expect: secret.provider-key
        let b = "AIzaSyD4kQ9xT2mWvR7pLcN8uHbJ3fGeYsXaZ1o" // expect: secret.provider-key
        let c = "ghp_a8Kd93LmQz71XcVbN02PoiUyTrEwAs45DfGh" // expect: secret.provider-key
        let d = call("sk_live_51Hq9ZkLmN3pRtVwXy") // expect: secret.provider-key
        let pem = "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIBkg4LVWM9nuwNSk3yByxZpYRTBnVJk5GkMLxN8oAoGCCqGSM49" // expect: secret.provider-key
        """#,
        "App/K.m": #"""
        NSString *a = @"AKIA7QWXN2LPZ4RTMVKD"; // expect: secret.provider-key
        NSString *pem = @"-----BEGIN PRIVATE KEY-----\n" // expect: secret.provider-key
          "MHcCAQEEIBkg4LVWM9nuwNSk3yByxZpYRTBnVJk5GkMLxN8oAoGCCqGSM49\n-----END PRIVATE KEY-----";
        """#,
      ])
  }

  @Test("values of documentation, prefixes, public keys and comments are silent")
  func known() throws {
    try expectMarkedFindings(
      ProviderKeyRule(),
      [
        "App/K.swift": """
        let a = "AKIAIOSFODNN7EXAMPLE"
        let b = "AKIA"
        let c = "sk_test_4eC39HqLyjWDarjtT1zdp7dc"
        let d = "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        let e = text.hasPrefix("-----BEGIN PRIVATE KEY-----")
        let f = "-----BEGIN PUBLIC KEY-----MHcCAQEEIBkg4LVWM9nuwNSk3yByxZpYRTBnVJk5GkMLxN8oAoGCCqGSM49"
        // let g = "AKIA7QWXN2LPZ4RTMVKD"
        #if DEBUG
        let h = "AKIA7QWXN2LPZ4RTMVKD"
        #endif
        """,
        "App/K.m": """
        NSString *a = @"AKIAIOSFODNN7EXAMPLE";
        // @"AKIA7QWXN2LPZ4RTMVKD"
        """,
      ])
  }
}
