import Testing

@testable import AppAudit

@Suite("Rule entitlement.debuggable")
struct DebuggableRuleTests {
  @Test("a release for debuggers is found")
  func found() throws {
    try expectMarkedFindings(
      DebuggableRule(),
      [
        "App/App.entitlements": """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>get-task-allow</key><true/> <!-- expect: entitlement.debuggable -->
        </dict></plist>
        """
      ])
  }

  @Test("false is silent")
  func silent() throws {
    try expectMarkedFindings(
      DebuggableRule(),
      [
        "App/App.entitlements": """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>get-task-allow</key><false/>
        </dict></plist>
        """
      ])
  }
}
