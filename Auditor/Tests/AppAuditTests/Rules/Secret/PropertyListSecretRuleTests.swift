import Testing

@testable import AppAudit

@Suite("Rule secret.info-plist")
struct PropertyListSecretRuleTests {
  @Test("a secret in the Info.plist is found, nested too")
  func there() throws {
    try expectMarkedFindings(
      PropertyListSecretRule(),
      [
        "App/Info.plist": """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>ServiceAPIKey</key><string>q8Zr4Lm1Xw7Tb3Vn9Kp2</string> <!-- expect: secret.info-plist -->
        <key>Keys</key><dict>
        <key>Anything</key><string>sk_live_51Hq9ZkLmN3pRtVwXy</string> <!-- expect: secret.info-plist -->
        </dict>
        </dict></plist>
        """
      ])
  }

  @Test("identifiers that are public, variables and texts are silent")
  func published() throws {
    try expectMarkedFindings(
      PropertyListSecretRule(),
      [
        "App/Info.plist": """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>ServiceAPIKey</key><string>$(SERVICE_KEY)</string>
        <key>FacebookClientToken</key><string>f3a9c1d87b2e4065a1c9d3e7f3a9c1d8</string>
        <key>GMSApiKey</key><string>AIzaSyD4kQ9xT2mWvR7pLcN8uHbJ3fGeYsXaZ1o</string>
        <key>CFBundleIdentifier</key><string>com.example.q8Zr4Lm1Xw7Tb3Vn9Kp2</string>
        <key>ServerAPIKey</key><string>pl.example.iphone</string>
        <key>Password</key><string>Enter the password</string>
        </dict></plist>
        """
      ])
  }
}
