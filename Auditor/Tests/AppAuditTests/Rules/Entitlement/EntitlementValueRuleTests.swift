import Testing

@testable import AppAudit

@Suite("Rule entitlement.value")
struct EntitlementValueRuleTests {
  @Test("another type and an unknown value are found")
  func found() throws {
    try expectMarkedFindings(
      EntitlementValueRule(),
      [
        "App/App.entitlements": """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>com.apple.developer.default-data-protection</key>
        <string>NSFileProtectionComplet</string> <!-- expect: entitlement.value -->
        <key>get-task-allow</key><string>NO</string> <!-- expect: entitlement.value -->
        <key>com.apple.developer.nfc.readersession.formats</key><array>
        <string>NFC</string> <!-- expect: entitlement.value -->
        </array>
        </dict></plist>
        """
      ])
  }

  @Test("values of Apple's lists and variables are silent")
  func silent() throws {
    try expectMarkedFindings(
      EntitlementValueRule(),
      [
        "App/App.entitlements": """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>com.apple.developer.default-data-protection</key><string>NSFileProtectionCompleteUnlessOpen</string>
        <key>aps-environment</key><string>Production</string>
        <key>com.apple.developer.nfc.readersession.formats</key><array><string>TAG</string></array>
        <key>get-task-allow</key><false/>
        </dict></plist>
        """
      ])
  }
}
