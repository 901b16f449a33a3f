import Testing

@testable import AppAudit

@Suite("Rule keychain.always-accessible")
struct AlwaysAccessibleRuleTests {
  @Test("both deprecated classes are found, in Swift and in Objective-C")
  func always() throws {
    try expectMarkedFindings(
      AlwaysAccessibleRule(),
      [
        "App/K.swift": """
        import Security
        let one: [CFString: Any] = [kSecAttrAccessible: kSecAttrAccessibleAlways] // expect: keychain.always-accessible
        let two: [CFString: Any] = [kSecAttrAccessible: kSecAttrAccessibleAlwaysThisDeviceOnly] // expect: keychain.always-accessible
        keychain.accessibility(.alwaysThisDeviceOnly) // expect: keychain.always-accessible
        let kept = Keychain(service: "a", accessibility: Accessibility.alwaysThisDeviceOnly) // expect: keychain.always-accessible
        """,
        "App/K.m": """
        #import <Security/Security.h>
        NSDictionary *q(void) {
          return @{(__bridge id)kSecAttrAccessible: (__bridge id)kSecAttrAccessibleAlways}; // expect: keychain.always-accessible
        }
        """,
      ])
  }

  @Test("the other classes, comparisons, comments and strings are silent")
  func others() throws {
    try expectMarkedFindings(
      AlwaysAccessibleRule(),
      [
        "App/K.swift": """
        import Security
        let one: [CFString: Any] = [kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly]
        // kSecAttrAccessibleAlways was used here.
        let text = "kSecAttrAccessibleAlways"
        let isOld = found == kSecAttrAccessibleAlways
        #if DEBUG
        let debug = kSecAttrAccessibleAlways
        #endif
        """,
        "App/K.m": """
        // kSecAttrAccessibleAlways
        NSString *s = @"kSecAttrAccessibleAlways";
        id c(void) { return (__bridge id)kSecAttrAccessibleAfterFirstUnlock; }
        """,
      ])
  }
}
