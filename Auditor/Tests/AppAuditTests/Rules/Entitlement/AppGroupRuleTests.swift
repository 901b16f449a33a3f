import Testing

@testable import AppAudit

@Suite("Rule entitlement.app-group")
struct AppGroupRuleTests {
  @Test("a group without its beginning is found")
  func found() throws {
    try expectMarkedFindings(
      AppGroupRule(),
      [
        "App/App.entitlements": """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>com.apple.security.application-groups</key><array>
        <string>com.example.shared</string> <!-- expect: entitlement.app-group -->
        </array>
        </dict></plist>
        """
      ])
  }

  @Test("groups and variables are silent")
  func silent() throws {
    try expectMarkedFindings(
      AppGroupRule(),
      [
        "App/App.entitlements": """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>com.apple.security.application-groups</key><array>
        <string>group.com.example.shared</string><string>$(APP_GROUP)</string>
        </array>
        </dict></plist>
        """
      ])
  }
}
