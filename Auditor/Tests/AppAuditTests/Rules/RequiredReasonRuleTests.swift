import Testing

@testable import AppAudit

@Suite("Rule required-reason.undeclared")
struct RequiredReasonRuleTests {
  @Test("each listed API is found where it is used and not declared, once for a category")
  func undeclared() throws {
    try expectMarkedFindings(
      RequiredReasonRule(),
      [
        "App/Times.swift": """
        import Foundation
        let values = try url.resourceValues(forKeys: [.contentModificationDateKey]) // expect: required-reason.undeclared
        let again = try url.resourceValues(forKeys: [.creationDateKey])
        let free = try files.attributesOfFileSystem(forPath: "/")[.systemFreeSize] // expect: required-reason.undeclared
        let since = ProcessInfo.processInfo.systemUptime // expect: required-reason.undeclared
        let keyboards = UITextInputMode.activeInputModes // expect: required-reason.undeclared
        let group = UserDefaults(suiteName: "group.a") // expect: required-reason.undeclared
        """
      ])
  }

  @Test("Objective-C counts as well, in code that a device's Release build compiles")
  func objectiveC() throws {
    try expectMarkedFindings(
      RequiredReasonRule(),
      [
        "App/Times.m": """
        #import <Foundation/Foundation.h>
        #if TARGET_OS_SIMULATOR || defined(DEBUG)
        void g(void) { [[NSUserDefaults standardUserDefaults] synchronize]; }
        #endif
        #if 0
        double h(void) { return mach_absolute_time(); }
        #endif
        // [NSUserDefaults standardUserDefaults]
        NSString *s = @"NSFileSystemSize";
        id f(NSDictionary *d) { return d[NSFileCreationDate]; } // expect: required-reason.undeclared
        @property NSUserDefaults *kept;
        double u(Own *own) { return [own systemUptime]; }
        """
      ])
  }

  @Test("members and functions of own types that are named like a listed API are not its use")
  func ownNames() throws {
    try expectMarkedFindings(
      RequiredReasonRule(),
      [
        "App/Own.swift": """
        import CloudKit
        struct Clock { var systemUptime: Double; func stat(_ path: String) -> Int { 0 } }
        let made = record.creationDate
        let sorted = [SortDescriptor(\\Note.creationDate)]
        let predicate = field(.modificationDate)
        let answer = Clock(systemUptime: 1).stat("a")
        let key = Own.creationDateKey
        let start = CACurrentMediaTime()
        """
      ])
  }

  @Test("a declared category is silent in the app and in a package that the app links")
  func declared() throws {
    let manifest = PrivacyManifest(
      path: "App/PrivacyInfo.xcprivacy",
      root: try PropertyList.read(
        Array(
          "<plist><dict><key>NSPrivacyAccessedAPITypes</key><array><dict><key>NSPrivacyAccessedAPIType</key><string>NSPrivacyAccessedAPICategoryUserDefaults</string><key>NSPrivacyAccessedAPITypeReasons</key><array><string>CA92.1</string></array></dict></array></dict></plist>"
            .utf8)))
    var app = Target(name: "App", kind: .app)
    app.manifests = [manifest]
    app.dependencies = ["Middle"]
    var middle = Target(name: "Middle", kind: .package)
    middle.dependencies = ["Core"]
    let core = Target(name: "Core", kind: .package)
    let rule = RequiredReasonRule()
    let use = PlacedObservation(
      path: "Core/A.swift",
      observation: Observation(rule: rule.about.id, name: "NSPrivacyAccessedAPICategoryUserDefaults", line: 3))
    func findings(_ targets: [Target]) -> [Finding] {
      rule.findings(
        in: AuditedTarget(
          target: core, project: Project(root: "/", targets: targets), observations: [rule.about.id: [use]]))
    }
    #expect(findings([app, middle, core]).isEmpty)
    #expect(findings([middle, core]).count == 1)
  }
}
