import Testing

@testable import AppAudit

@Suite("Rule storage.secret-in-user-defaults")
struct DefaultsSecretRuleTests {
  @Test("secrets in user defaults are found by their key or their name")
  func kept() throws {
    try expectMarkedFindings(
      DefaultsSecretRule(),
      [
        "App/S.swift": """
        import SwiftUI
        func keep(_ accessToken: String, _ value: String) {
          UserDefaults.standard.set(accessToken, forKey: "a") // expect: storage.secret-in-user-defaults
          UserDefaults.standard.set(value, forKey: "user.password") // expect: storage.secret-in-user-defaults
          UserDefaults.standard.setValue(value, forKey: Keys.refreshToken) // expect: storage.secret-in-user-defaults
          defaults.set(value, forKey: kAuthTokenKey) // expect: storage.secret-in-user-defaults
          UserDefaults(suiteName: "group.a")?.set(value, forKey: "api_key") // expect: storage.secret-in-user-defaults
          UserDefaults.standard.set(token, forKey: "token") // expect: storage.secret-in-user-defaults
          UserDefaults.standard.set(password, forKey: "pushToken") // expect: storage.secret-in-user-defaults
        }
        struct Settings: View {
          @AppStorage("apiKey") private var key = "" // expect: storage.secret-in-user-defaults
          @AppStorage("pw") private var password: String = "" // expect: storage.secret-in-user-defaults
        }
        """,
        "App/S.m": """
        void keep(NSString *password, NSString *value) {
          [[NSUserDefaults standardUserDefaults] setObject:password forKey:@"a"]; // expect: storage.secret-in-user-defaults
          [[NSUserDefaults standardUserDefaults] setObject:value forKey:@"access_token"]; // expect: storage.secret-in-user-defaults
        }
        """,
      ])
  }

  @Test("flags, counts, tokens for notifications, removals and own types are silent")
  func harmless() throws {
    try expectMarkedFindings(
      DefaultsSecretRule(),
      [
        "App/S.swift": """
        import SwiftUI
        func keep(_ count: Int, _ deviceToken: String, _ value: String, _ isOn: Bool) {
          UserDefaults.standard.set(count, forKey: "tokenCount")
          UserDefaults.standard.set(true, forKey: "didAskForPasswordHint")
          UserDefaults.standard.set(deviceToken, forKey: "deviceToken")
          UserDefaults.standard.set(value, forKey: "name")
          UserDefaults.standard.set(isOn, forKey: "passcode")
          UserDefaults.standard.set(nil, forKey: "password")
          UserDefaults.standard.set("", forKey: "password")
          UserDefaults.standard.set(Date(), forKey: "token")
          UserDefaults.standard.removeObject(forKey: "password")
          UserDefaults.standard.set(pageToken, forKey: "nextPageToken")
          UserDefaults.standard.set(password.isEmpty, forKey: "password")
          cache.set(value, forKey: "password")
          UserDefaults.standard.set(token, forKey: Keys.pushToken)
        }
        func setPushToken(token: String) { UserDefaults.standard.set(token, forKey: "a") }
        func other() {
          // UserDefaults.standard.set(value, forKey: "password")
        }
        struct Settings: View {
          @AppStorage("usesPasscode") private var usesPasscode = false
          @AppStorage("passcode") private var isOn: Bool = true
        }
        """,
        "App/Own.swift": """
        enum Own {
          struct UserDefaults { static let standard = Box() }
          static func keep(_ password: String) { UserDefaults.standard.set(password, forKey: "password") }
        }
        """,
        "App/S.m": """
        void keep(NSString *value) {
          [[NSUserDefaults standardUserDefaults] setObject:value forKey:@"tokenCount"];
          [[NSUserDefaults standardUserDefaults] setObject:@(YES) forKey:@"hasPassword"];
          // [[NSUserDefaults standardUserDefaults] setObject:value forKey:@"password"];
        }
        """,
      ])
  }
}
