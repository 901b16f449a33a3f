import Testing

@testable import AppAudit

@Suite("Rule hash.password")
struct PasswordHashRuleTests {
  @Test("broken hashes and fast ones without a salt are found for passwords")
  func weak() throws {
    try expectMarkedFindings(
      PasswordHashRule(),
      [
        "App/H.swift": """
        import CryptoKit
        func one(password: String) -> Insecure.MD5Digest {
          Insecure.MD5.hash(data: Data(password.utf8)) // expect: hash.password
        }
        func two(_ passcode: String) -> SHA256Digest {
          let data = Data(passcode.utf8)
          return SHA256.hash(data: data) // expect: hash.password
        }
        func hashPassword(_ text: String) -> SHA256Digest {
          SHA256.hash(data: Data(text.utf8)) // expect: hash.password
        }
        let three = password.md5() // expect: hash.password
        let four = user.password.sha256 // expect: hash.password
        func five(_ password: String) {
          CC_SHA1(password, CC_LONG(password.count), &digest) // expect: hash.password
        }
        """,
        "App/H.m": """
        NSString *hash(NSString *password) {
          const char *bytes = [password UTF8String];
          CC_MD5(bytes, 8, digest); // expect: hash.password
          return nil;
        }
        """,
      ])
  }

  @Test("digests of other things, salted ones and the question for leaked passwords are silent")
  func other() throws {
    try expectMarkedFindings(
      PasswordHashRule(),
      [
        "App/H.swift": """
        import CryptoKit
        func cacheFileName(_ url: URL) -> String { Insecure.SHA1.hash(data: Data(url.absoluteString.utf8)).description }
        func nonce(_ text: String) -> SHA256Digest { SHA256.hash(data: Data(text.utf8)) }
        func salted(_ password: String, salt: Data) -> SHA256Digest { SHA256.hash(data: Data(password.utf8) + salt) }
        func combineComponents(_ passwordData: Data) -> Data { passwordData.sha256 }
        func isPwned(_ password: String) -> Insecure.SHA1Digest { Insecure.SHA1.hash(data: Data(password.utf8)) }
        let key = name.md5
        // password.md5()
        """,
        "App/Own.swift": """
        struct SHA256 { static func hash(data: Data) -> Int { 0 } }
        let own = SHA256.hash(data: Data(password.utf8))
        """,
        "App/H.m": """
        NSString *fileName(NSString *url) {
          CC_MD5([url UTF8String], 8, digest);
          return nil;
        }
        """,
      ])
  }
}
