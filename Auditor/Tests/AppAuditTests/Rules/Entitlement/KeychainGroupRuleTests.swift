import Testing

@testable import AppAudit

@Suite("Rule entitlement.keychain-group")
struct KeychainGroupRuleTests {
  @Test("a bare name and a wildcard are found")
  func found() throws {
    try expectMarkedFindings(
      KeychainGroupRule(),
      [
        "App/App.entitlements": """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>keychain-access-groups</key><array>
        <string>com.example.shared</string> <!-- expect: entitlement.keychain-group -->
        <string>*</string> <!-- expect: entitlement.keychain-group -->
        </array>
        </dict></plist>
        """
      ])
  }

  @Test("groups with a prefix, variables and Apple's token group are silent")
  func silent() throws {
    try expectMarkedFindings(
      KeychainGroupRule(),
      [
        "App/App.entitlements": """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>keychain-access-groups</key><array>
        <string>$(AppIdentifierPrefix)com.example.shared</string>
        <string>A1B2C3D4E5.com.example.shared</string>
        <string>com.apple.token</string>
        </array>
        </dict></plist>
        """
      ])
  }
}
