import Testing

@testable import AppAudit

@Suite("Rule secret.encryption-key")
struct HardCodedKeyRuleTests {
  @Test("a key that is made of a literal is found, through constants too")
  func literal() throws {
    try expectMarkedFindings(
      HardCodedKeyRule(),
      [
        "App/K.swift": """
        import CryptoKit
        let text = "0123456789abcdef0123456789abcdef"
        let one = SymmetricKey(data: Data("0123456789abcdef".utf8)) // expect: secret.encryption-key
        let two = SymmetricKey(data: text.data(using: .utf8)!) // expect: secret.encryption-key
        let three = SymmetricKey(data: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]) // expect: secret.encryption-key
        """,
        "App/K.m": """
        void seal(void) {
          CCCrypt(kCCEncrypt, kCCAlgorithmAES, 0, "0123456789abcdef", 16, iv, in, 16, out, 16, NULL); // expect: secret.encryption-key
        }
        """,
      ])
  }

  @Test("keys that are made or read are silent")
  func made() throws {
    try expectMarkedFindings(
      HardCodedKeyRule(),
      [
        "App/K.swift": """
        import CryptoKit
        func keys(_ data: Data) throws {
          let one = SymmetricKey(size: .bits256)
          let two = SymmetricKey(data: data)
          let three = SymmetricKey(data: try keychain.read("key"))
        }
        """,
        "App/K.m": """
        void seal(NSData *key) {
          CCCrypt(kCCEncrypt, kCCAlgorithmAES, 0, key.bytes, key.length, iv, in, 16, out, 16, NULL);
        }
        """,
      ])
  }
}
