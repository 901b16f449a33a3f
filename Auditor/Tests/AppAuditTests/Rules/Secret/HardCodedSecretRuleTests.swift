import Testing

@testable import AppAudit

@Suite("Rule secret.hard-coded")
struct HardCodedSecretRuleTests {
  @Test("an irregular literal that goes to the name of a secret is found")
  func given() throws {
    try expectMarkedFindings(
      HardCodedSecretRule(),
      [
        "App/K.swift": """
        let apiKey = "f3a9c1d87b2e4065a1c9d3e7" // expect: secret.hard-coded
        enum Config {
          static let clientSecret = "Zk8vQ2pLx9TnR4wYb7Hs" // expect: secret.hard-coded
          static var password: String { "Tr0ub4dor&3xy!" } // expect: secret.hard-coded
        }
        let service = Service(apiKey: "q8Zr4Lm1Xw7Tb3Vn9Kp2") // expect: secret.hard-coded
        let body = ["client_secret": "Zk8vQ2pLx9TnR4wYb7Hs"] // expect: secret.hard-coded
        request.setValue("Bearer q8Zr4Lm1Xw7Tb3Vn9Kp2", forHTTPHeaderField: "Authorization") // expect: secret.hard-coded
        let accessToken = "hvkt_qwrz_plmk_xbtg" // expect: secret.hard-coded
        config.authToken = "q8Zr4Lm1Xw7Tb3Vn9Kp2" // expect: secret.hard-coded
        """,
        "App/K.m": """
        static NSString *const kApiKey = @"f3a9c1d87b2e4065a1c9d3e7"; // expect: secret.hard-coded
        void set(void) { config.clientSecret = @"Zk8vQ2pLx9TnR4wYb7Hs"; } // expect: secret.hard-coded
        """,
      ])
  }

  @Test("placeholders, names of keys, addresses, identifiers, sentences and other names are silent")
  func harmless() throws {
    try expectMarkedFindings(
      HardCodedSecretRule(),
      [
        "App/K.swift": """
        let apiKey = "<YOUR_API_KEY>"
        let apiKey2 = "YOUR_API_KEY_HERE"
        let passwordKey = "user.password.hint.key"
        let title = "Enter your password"
        let password = "settings.password.title"
        let tokenURL = "https://login.example.com/oauth/token?a=8237462"
        let accessToken = "https://login.service.com/8237462aBcD"
        let token = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        let secret = "com.company.app.secret2"
        let identifier = "q8Zr4Lm1Xw7Tb3Vn9Kp2"
        let accessTokenKey = "accessTokenKeychainIdentifier"
        let refreshToken = "refresh_token"
        let password2 = ""
        enum Failure: String { case BLANK_PASSWORD = "login_password_blank" }
        let deviceToken = "q8Zr4Lm1Xw7Tb3Vn9Kp2"
        configure(apiKey: "appl_JXmiRckOzXXTsHKitQiicXCvMQi")
        let key = dictionary["q8Zr4Lm1Xw7Tb3Vn9Kp2"]
        let wrong = password == "q8Zr4Lm1Xw7Tb3Vn9Kp2"
        func field(password: String = "passwordTextFieldIdentifier") {}
        // let apiKey = "f3a9c1d87b2e4065a1c9d3e7"
        #if DEBUG
        let apiSecret = "Zk8vQ2pLx9TnR4wYb7Hs"
        #endif
        #Preview { Login(password: "Tr0ub4dor&3xy!") }
        """,
        "App/Lexer.swift": """
        struct Lexer { let token = "q8Zr4Lm1Xw7Tb3Vn9Kp2" }
        """,
        "App/K.m": """
        static NSString *const kPasswordKey = @"user.password.key";
        static NSString *const kApiKey = @"YOUR_API_KEY";
        // static NSString *const kApiKey = @"f3a9c1d87b2e4065a1c9d3e7";
        """,
      ])
  }
}
