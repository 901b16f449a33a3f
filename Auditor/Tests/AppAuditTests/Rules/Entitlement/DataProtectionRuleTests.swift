import Testing

@testable import AppAudit

@Suite("Rule entitlement.data-protection")
struct DataProtectionRuleTests {
  @Test("no protection is found")
  func found() throws {
    try expectMarkedFindings(
      DataProtectionRule(),
      [
        "App/App.entitlements": """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>com.apple.developer.default-data-protection</key> <!-- expect: entitlement.data-protection -->
        <string>NSFileProtectionNone</string>
        </dict></plist>
        """
      ])
  }

  @Test("protection is silent")
  func silent() throws {
    try expectMarkedFindings(
      DataProtectionRule(),
      [
        "App/App.entitlements": """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>com.apple.developer.default-data-protection</key>
        <string>NSFileProtectionComplete</string>
        </dict></plist>
        """
      ])
  }
}
