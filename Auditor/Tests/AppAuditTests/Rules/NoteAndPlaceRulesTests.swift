import Foundation
import Testing

@testable import AppAudit

@Suite("Rules that compare manifests, texts and uses")
struct NoteAndPlaceRulesTests {
  private func manifest(_ code: String) -> String {
    """
    <plist version="1.0"><dict><key>NSPrivacyAccessedAPITypes</key><array><dict>
    <key>NSPrivacyAccessedAPIType</key><string>NSPrivacyAccessedAPICategoryUserDefaults</string>
    <key>NSPrivacyAccessedAPITypeReasons</key><array><string>\(code)</string></array></dict></array></dict></plist>
    """
  }

  @Test(
    "the reason of the app's own defaults does not cover a group's, and the other way round",
    arguments: [
      ("UserDefaults.standard", "1C8F.1", true), ("UserDefaults.standard", "CA92.1", false),
      ("UserDefaults(suiteName: \"group.a\")", "CA92.1", true),
      ("UserDefaults(suiteName: \"group.a\")", "1C8F.1", false), ("UserDefaults.standard", "AC6B.1", false),
    ])
  func otherReason(use: String, code: String, isFound: Bool) throws {
    let folder = try SampleFolder([
      "App/A.swift": "import Foundation\nlet u = \(use)\n", "App/PrivacyInfo.xcprivacy": manifest(code),
    ])
    let findings = folder.audit().findings.filter { $0.rule == ReasonFitsRule().about.id }
    #expect(findings.map { "\($0.path):\($0.line) \($0.severity)" } == (isFound ? ["App/A.swift:2 warning"] : []))
  }

  @Test("a manifest with another name, in a localised folder or inside Info.plist is found; the right one is silent")
  func place() throws {
    func places(_ files: [String: String]) throws -> [String] {
      let result = try SampleFolder(files).audit([ManifestPlaceRule()])
      return result.findings.map { "\($0.path):\($0.line) \($0.severity)" }
    }
    let empty = "<plist><dict/></plist>"
    #expect(try places(["App/A.swift": "", "App/PrivacyInfo.xcprivacy": empty]).isEmpty)
    #expect(try places(["App/A.swift": "", "App/Privacy.xcprivacy": empty]) == ["App/Privacy.xcprivacy:0 error"])
    #expect(
      try places(["App/A.swift": "", "App/en.lproj/PrivacyInfo.xcprivacy": empty])
        == ["App/en.lproj/PrivacyInfo.xcprivacy:0 error"])
    #expect(
      try places([
        "App/A.swift": "", "App/Info.plist": "<plist><dict>\n<key>NSPrivacyTracking</key><false/></dict></plist>",
      ])
        == ["App/Info.plist:2 error"])
    #expect(try places(["A.app/Info.plist": empty, "A.app/x/PrivacyInfo.xcprivacy": empty]).count == 1)
    #expect(try places(["A.app/Info.plist": empty, "A.app/PrivacyInfo.xcprivacy": empty]).isEmpty)
  }

  @Test("a text whose API no source uses is a note, and none where it is used or where there is no source")
  func unused() throws {
    let plist = "<plist><dict>\n<key>NSCameraUsageDescription</key><string>To scan receipts</string></dict></plist>"
    func notes(_ source: [String: String]) throws -> [String] {
      let result = try SampleFolder(source.merging(["App/Info.plist": plist]) { $1 }).audit([
        UsageUnusedRule(), UsageMissingRule(),
      ])
      return result.findings.map { "\($0.rule) \($0.severity) \($0.line)" }
    }
    #expect(try notes(["App/A.swift": "let a = 1\n"]) == ["usage-description.unused note 2"])
    #expect(
      try notes([
        "App/A.swift":
          "import AVFoundation\nlet a = AVCaptureDevice.default(for: .video)\nlet b = VNDocumentCameraViewController()\n"
      ])
      .isEmpty)
    #expect(try notes([:]).isEmpty)
  }

  @Test("in other people's source all is a note but what the App Store holds against the app")
  func vendored() throws {
    let code =
      "import Foundation\nimport Security\nlet u = UserDefaults.standard\nlet p = \"http://shop.test.de/\"\nfunc f() { print(password) }\n"
    func weights(_ path: String) throws -> [String: Severity] {
      let result = try SampleFolder([path: code, "App/B.swift": ""]).audit([RequiredReasonRule(), LoggedSecretRule()])
      return Dictionary(result.findings.map { ($0.rule, $0.severity) }, uniquingKeysWith: { $1 })
    }
    #expect(try weights("App/A.swift") == ["required-reason.undeclared": .error, "log.secret": .warning])
    let vendored = try weights("Pods/Some/A.swift")
    #expect(vendored["log.secret"] == .note)
    #expect(vendored["required-reason.undeclared"] != .note)
  }

  @Test("in an Xcode project the pods' source counts for the apps that link it, and is no member of their targets")
  func pods() throws {
    let files = XcodeProjectReaderTests.files.merging([
      "Pods/Some/A.swift": "import Foundation\nlet u = UserDefaults.standard\n"
    ]) { $1 }
    let folder = try SampleFolder(files)
    func kind(_ podfile: String) throws -> Target.Kind? {
      try folder.write(Data(podfile.utf8), to: "Podfile")
      return ProjectReader.read(folder.path).targets.first { $0.name == "Some" }?.kind
    }
    #expect(try kind("target 'App' do\n  use_frameworks!\nend\n") == .framework)
    #expect(try kind("use_frameworks! :linkage => :static\n") == .staticLibrary)
    #expect(try kind("# use_frameworks!\n") == .staticLibrary)
    let project = ProjectReader.read(folder.path)
    let pod = try #require(project.targets.first { $0.name == "Some" })
    #expect(pod.isVendored)
    #expect(project.targets.first { $0.name == "App" }?.dependencies.contains("Some") == true)
    #expect(project.targets.first { $0.name == "App" }?.sources.contains { $0.path.hasPrefix("Pods/") } == false)
    #expect(
      Audit(rules: [RequiredReasonRule()]).run(project).findings.contains {
        $0.path == "Pods/Some/A.swift" && $0.target == "App"
      })
  }
}
