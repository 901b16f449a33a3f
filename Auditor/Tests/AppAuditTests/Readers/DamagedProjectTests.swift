import Foundation
import Testing

@testable import AppAudit

@Suite("Damaged projects")
struct DamagedProjectTests {
  private static let plist = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict><key>NSPrivacyTracking</key><false/><key>a</key><array><integer>1</integer>
    <real>1.5</real><date>2024-01-01T00:00:00Z</date><data>AAEC</data><string>&lt;&#65;<![CDATA[x]]></string></array>
    </dict></plist>
    """
  private static let project = """
    // !$*UTF8*$!
    { archiveVersion = 1; objects = {
    A = { isa = PBXProject; mainGroup = G; targets = (T, ); buildConfigurationList = L; };
    G = { isa = PBXGroup; children = (F, G, ); path = App; sourceTree = "<group>"; };
    F = { isa = PBXFileReference; path = "A.swift"; sourceTree = "<group>"; };
    B = { isa = PBXBuildFile; fileRef = F; };
    S = { isa = PBXSourcesBuildPhase; files = (B, ); };
    L = { isa = XCConfigurationList; buildConfigurations = (C, ); };
    C = { isa = XCBuildConfiguration; name = Release; buildSettings = { A = "$(B)"; B = "$(A)"; INFOPLIST_FILE = "$(B)"; }; };
    T = { isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application"; buildPhases = (S, );
    dependencies = (T, ); buildConfigurationList = L; };
    }; rootObject = A; }
    """

  /// Damaged at a place and cut off at another, each time otherwise, and the same in every run.
  private static func damaged(_ text: [UInt8], _ round: Int) -> [UInt8] {
    var seed = UInt64(round) &* 0x9E37_79B9_7F4A_7C15 | 1
    func next() -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33)
    }
    var bytes = text
    for _ in 0..<(1 + next() % 4) { bytes[next() % bytes.count] = UInt8(truncatingIfNeeded: next()) }
    if round.isMultiple(of: 2) { bytes.removeLast(next() % bytes.count) }
    return bytes
  }

  private static func forms() throws -> [[UInt8]] {
    let value: [String: Any] = ["NSPrivacyTracking": false, "a": [1, 1.5, Data([0, 1, 2]), "ü", Date()] as [Any]]
    let binary = try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
    return [Array(plist.utf8), Array(project.utf8), Array(binary)]
  }

  @Test("property lists of every form, cut at every length, are read or refused")
  func cut() throws {
    for bytes in try Self.forms() {
      #expect(throws: Never.self) { try PropertyList.read(bytes) }
      for count in 0..<bytes.count { _ = try? PropertyList.read(Array(bytes[..<count])) }
    }
  }

  @Test("property lists of every form, with bytes changed, are read or refused in bounded time")
  func changed() throws {
    let began = ContinuousClock.now
    for bytes in try Self.forms() {
      for round in 0..<3_000 { _ = try? PropertyList.read(Self.damaged(bytes, round)) }
    }
    #expect(ContinuousClock.now - began < .seconds(60))
  }

  @Test("a binary list whose parts hold each other is refused")
  func circle() throws {
    // One array whose only item is itself.
    var bytes = Array("bplist00".utf8) + [0xA1, 0x00, 0x08]
    bytes += [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
    bytes += [0, 0, 0, 0, 0, 0, 0, 10]
    #expect(throws: PropertyListError.self) { try PropertyList.read(bytes) }
  }

  @Test("projects with bytes changed are read as far as they go, and the package beside them is audited")
  func projects() throws {
    let use = "import Foundation\nlet u = UserDefaults.standard\n"
    let folder = try SampleFolder([
      "App/A.swift": use, "Package.swift": "let package = Package(name: \"P\", targets: [.target(name: \"P\")])",
      "Sources/P/B.swift": use,
    ])
    let began = ContinuousClock.now
    for round in 0..<150 {
      try folder.write(Data(Self.damaged(Array(Self.project.utf8), round)), to: "App.xcodeproj/project.pbxproj")
      let result = folder.audit([RequiredReasonRule()])
      #expect(result.findings.contains { $0.path == "Sources/P/B.swift" })
    }
    #expect(ContinuousClock.now - began < .seconds(60))
  }

  @Test("a manifest, an Info.plist and entitlements that are cut off are told, and the rest is audited")
  func lists() throws {
    let folder = try SampleFolder([
      "App/A.swift": "import Foundation\nlet u = UserDefaults.standard\n", "App/Info.plist": "<plist><dict><key>a",
      "App/App.entitlements": "bplist00", "App/PrivacyInfo.xcprivacy": "<plist><dict>",
    ])
    let result = folder.audit()
    #expect(Set(result.notes.map(\.path)).isSuperset(of: ["App/App.entitlements", "App/Info.plist"]))
    #expect(result.findings.contains { $0.path == "App/PrivacyInfo.xcprivacy" && $0.kind == .manifest })
    #expect(result.findings.contains { $0.path == "App/A.swift" })
  }
}
