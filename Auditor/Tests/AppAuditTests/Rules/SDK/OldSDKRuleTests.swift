import Foundation
import Testing

@testable import AppAudit

@Suite("Rule sdk.version-without-manifest")
struct OldSDKRuleTests {
  private static let place = "App.xcodeproj/project.xcworkspace/xcshareddata/swiftpm/Package.resolved"

  /// An app that links one product of one package.
  private func found(
    product: String = "Alamofire", location: String = "https://github.com/Alamofire/Alamofire.git",
    state: String, place: String = Self.place, isOldForm: Bool = false
  ) throws -> [Finding] {
    let project = """
      name: App
      packages:
        Net: {url: "https://example.org/net", from: 1.0.0}
      targets:
        App:
          type: application
          platform: iOS
          sources: [App]
          dependencies: [{package: Net, product: \(product)}]
      """
    let pin = isOldForm ? "\"package\": \"A\", \"repositoryURL\"" : "\"identity\": \"a\", \"location\""
    let pins = "\"pins\": [\n{\(pin): \"\(location)\",\n\"state\": {\(state)}}]"
    let lock = isOldForm ? "{\"object\": {\(pins)}, \"version\": 1}" : "{\(pins), \"version\": 3}"
    return try SampleFolder(["project.yml": project, "App/A.swift": "let a = 1\n", place: lock])
      .audit([OldSDKRule()]).findings
  }

  @Test("a package that is linked in a version of before its manifest is found at its line, in both forms of the file")
  func package() throws {
    for isOldForm in [false, true] {
      let findings = try found(state: "\"version\": \"5.8.1\"", isOldForm: isOldForm)
      #expect(findings.map(\.path) == [Self.place])
      #expect(findings.map(\.line) == [2])
      #expect(findings.map(\.severity) == [.warning])
      #expect(findings.map(\.kind) == [.sdk])
      #expect(findings.first?.message.contains("Alamofire 5.8.1") == true)
      #expect(findings.first?.fix.contains("5.9.0") == true)
    }
  }

  @Test("the first version with a manifest, a fork, a branch, what nothing links and other lock files are silent")
  func silent() throws {
    let old = "\"version\": \"5.8.1\""
    #expect(try found(state: "\"version\": \"5.9.0\"").isEmpty)
    #expect(try found(state: "\"version\": \"10.0.0\"").isEmpty)
    #expect(try found(state: "\"branch\": \"main\", \"revision\": \"00\"").isEmpty)
    #expect(try found(location: "https://github.com/somebody/Alamofire", state: old).isEmpty)
    #expect(try found(location: "https://example.org/Alamofire/Alamofire", state: old).isEmpty)
    #expect(try found(product: "Other", state: old).isEmpty)
    #expect(try found(state: old, place: "Tools/Package.resolved").isEmpty)
    #expect(try found(product: "Moya", location: "https://github.com/Moya/Moya", state: old).isEmpty)
  }

  @Test("a pod in a version of before its manifest is found; with its source there the source is judged")
  func pod() throws {
    let lock = """
      PODS:
        - Alamofire (5.9.0)
        - Moya (15.0.0):
          - Alamofire (~> 5.0)
        - SDWebImage (5.15.8):
          - SDWebImage/Core (= 5.15.8)
        - SDWebImage/Core (5.15.8)
        - SnapKit (5.0.0)
        - SwiftyJSON (4.0.0)

      EXTERNAL SOURCES:
        SnapKit:
          :git: https://example.org/fork.git

      COCOAPODS: 1.15.2
      """
    let files = ["Podfile.lock": lock, "App/A.swift": "let a = 1\n", "Pods/SwiftyJSON/A.swift": "let a = 1\n"]
    let findings = try SampleFolder(files).audit([OldSDKRule()]).findings
    #expect(findings.map { "\($0.path):\($0.line)" } == ["Podfile.lock:5"])
    #expect(findings.first?.message.contains("SDWebImage 5.15.8") == true)
  }

  @Test(
    "versions are compared by their numbers",
    arguments: [
      ("5.8.1", "5.9.0", true), ("5.10.0", "5.9.0", false), ("5.9", "5.9.0", false), ("5", "5.0.1", true),
      ("5.9.0-beta.1", "5.9.0", false), ("v5.8.1", "5.9.0", false), ("", "5.9.0", false), ("5..1", "5.9.0", false),
      ("99999999999999999999.0", "5.9.0", false),
    ])
  func versions(version: String, other: String, isOlder: Bool) {
    #expect(OldSDKRule.isOlder(version, than: other) == isOlder)
  }

  @Test("damaged lock files are noted or read in part")
  func damaged() throws {
    for text in ["", "{", "[]", "{\"pins\": 1}", "\u{0}"] {
      let folder = try SampleFolder(["Podfile.lock": text, Self.place: text, "App/A.swift": "let a = 1\n"])
      let notes = Set(ProjectReader.read(folder.path).notes.map(\.path))
      #expect(notes == ["Podfile.lock", Self.place], "\(text)")
      withExtendedLifetime(folder) {}
    }
    let odd = "PODS:\n  - \n  - A\n  - )(\n  - B (1\n"
    let folder = try SampleFolder(["Podfile.lock": odd])
    #expect(ProjectReader.read(folder.path).pins.isEmpty)
    withExtendedLifetime(folder) {}
  }

  @Test("each known release is of an SDK on Apple's list, and says where it was seen")
  func facts() {
    let facts = Facts.load("sdks", as: OldSDKRule.Known.self)
    #expect(facts.manifestSince.count == 18)
    for release in facts.manifestSince {
      #expect(facts.sdks.contains(release.sdk), "\(release.sdk)")
      #expect(release.repository == release.repository.lowercased())
      #expect(release.source.hasPrefix("https://github.com/") && release.source.contains(release.since))
      #expect(!release.pods.isEmpty && !release.products.isEmpty)
      #expect(OldSDKRule.isOlder("0.0.1", than: release.since))
    }
  }
}
