import Testing

@testable import AppAudit

@Suite("Rule entitlement.associated-domain")
struct AssociatedDomainRuleTests {
  @Test("an address, a path, no service and developer mode are found")
  func found() throws {
    try expectMarkedFindings(
      AssociatedDomainRule(),
      [
        "App/App.entitlements": """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>com.apple.developer.associated-domains</key><array>
        <string>applinks:https://example.com</string> <!-- expect: entitlement.associated-domain -->
        <string>applinks:example.com/e/*</string> <!-- expect: entitlement.associated-domain -->
        <string>example.com</string> <!-- expect: entitlement.associated-domain -->
        <string>webcredentials:example.com?mode=developer</string> <!-- expect: entitlement.associated-domain -->
        </array>
        </dict></plist>
        """
      ])
  }

  @Test("services with a host are silent")
  func silent() throws {
    try expectMarkedFindings(
      AssociatedDomainRule(),
      [
        "App/App.entitlements": """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>com.apple.developer.associated-domains</key><array>
        <string>applinks:example.com</string><string>webcredentials:*.example.com</string><string>appclips:example.com?mode=managed</string>
        </array>
        </dict></plist>
        """
      ])
  }
}
