import Foundation
import Testing

@testable import AppAudit

@Suite("Local pods")
struct LocalPodTests {
  private static let defaults = "import Foundation\nlet u = UserDefaults.standard\n"
  private static let declared = plist(
    """
    <key>NSPrivacyTracking</key><false/><key>NSPrivacyCollectedDataTypes</key><array/>
    <key>NSPrivacyAccessedAPITypes</key><array><dict>
    <key>NSPrivacyAccessedAPIType</key><string>NSPrivacyAccessedAPICategoryUserDefaults</string>
    <key>NSPrivacyAccessedAPITypeReasons</key><array><string>CA92.1</string></array></dict></array>
    """)
  private static let empty = plist(
    """
    <key>NSPrivacyTracking</key><false/><key>NSPrivacyCollectedDataTypes</key><array/>
    <key>NSPrivacyAccessedAPITypes</key><array/>
    """)
  private static func plist(_ content: String) -> String {
    "<plist version=\"1.0\"><dict>\n\(content)\n</dict></plist>\n"
  }
  private static let podfile = "target 'App' do\n  pod 'Kit', :path => 'Local/Kit'\nend\n"

  private static func spec(_ lines: String) -> String {
    "Pod::Spec.new do |s|\n  s.name = 'Kit'\n\(lines)\nend\n"
  }

  private static let app = [
    "project.yml": "name: App\ntargets:\n  App:\n    type: application\n    platform: iOS\n    sources: [App]\n",
    "App/Main.swift": "let a = 1\n",
  ]

  private func read(_ files: [String: String]) throws -> Project {
    let folder = try SampleFolder(Self.app.merging(files) { $1 })
    return withExtendedLifetime(folder) { ProjectReader.read(folder.path) }
  }

  private func kit(_ lines: String, podfile: String = Self.podfile, _ files: [String]) throws -> Target? {
    var all = ["Podfile": podfile, "Local/Kit/Kit.podspec": Self.spec(lines)]
    for file in files { all["Local/Kit/" + file] = "" }
    return try read(all).targets.first { $0.name == "Kit" }
  }

  private func names(_ target: Target?) -> [String] {
    (target?.sources ?? []).map { String($0.path.dropFirst("Local/Kit/".count)) }
  }

  /// Each row is what the podspec says and the files that are then compiled.
  @Test(
    "takes the files that plain patterns name",
    arguments: [
      ("s.source_files = 'Sources/**/*.swift'", ["Sources/A.swift", "Sources/Deep/B.swift"]),
      ("s.source_files = 'Sources/*.swift'", ["Sources/A.swift"]),
      ("s.source_files = 'Sources'", ["Sources/A.swift", "Sources/C.m"]),
      ("s.source_files = [\n 'Sources/*.{h,m}', # C\n \"Other/D.swift\"\n]", ["Other/D.swift", "Sources/C.m"]),
      ("s.source_files = %w[Sources/[AB].swift Other/?.swift]", ["Other/D.swift", "Sources/A.swift"]),
      ("s.source_files = 'sources/**/*'\ns.exclude_files = 'Sources/Deep'", ["Sources/A.swift", "Sources/C.m"]),
      ("s.ios.source_files = 'Other/*.swift'\ns.osx.source_files = 'Sources/*.swift'", ["Other/D.swift"]),
      ("s.description = <<-TEXT\n s.source_files = 'Sources/*'\nTEXT\ns.source_files = 'Other/*'", ["Other/D.swift"]),
    ])
  func sources(lines: String, expected: [String]) throws {
    let files = ["Sources/A.swift", "Sources/Deep/B.swift", "Sources/C.m", "Other/D.swift", "E.swift"]
    #expect(try names(kit(lines, files)) == expected)
  }

  /// Each row is the line of the Podfile and the files of the subspecs that it means.
  @Test(
    "takes the subspecs that are asked for, and those that they need",
    arguments: [
      ("pod 'Kit', :path => 'Local/Kit'", ["A.swift", "B.swift", "Root.swift"]),
      ("pod 'Kit/More', path: 'Local/Kit'", ["A.swift", "C.swift", "Root.swift"]),
      ("pod 'Kit', :path => 'Local/Kit', :subspecs => ['Base']", ["A.swift", "Root.swift"]),
      ("pod 'Kit', :path => 'Local/Kit/Kit.podspec', :subspecs => ['Base']", ["A.swift", "Root.swift"]),
    ])
  func subspecs(line: String, expected: [String]) throws {
    let lines = """
        s.source_files = 'Root.swift'
        s.default_subspecs = 'Base', 'Plain'
        s.subspec 'Base' do |base|
          base.source_files = 'A.swift'
        end
        s.subspec 'Plain' do |plain| plain.source_files = 'B.swift' end
        s.subspec 'More' do |more|
          more.source_files = 'C.swift'
          more.dependency 'Kit/Base', "~> #{s.version}"
        end
        s.test_spec 'Tests' do |tests|
          tests.source_files = 'T.swift'
        end
      """
    let files = ["A.swift", "B.swift", "C.swift", "T.swift", "Root.swift"]
    #expect(try names(kit(lines, podfile: "target 'App' do\n\(line)\nend\n", files)) == expected)
  }

  /// Each row is a podspec that only Ruby could know.
  @Test(
    "notes a podspec that computes its files, and leaves the pod out",
    arguments: [
      "s.source_files = folder + '/*.swift'", "s.source_files = \"#{folder}/*.swift\"",
      "s.source_files = 'A.swift' if ENV['X']", "if ENV['X']\n s.source_files = 'A.swift'\nend",
      "s.source_files = 'A.swift'\ns.exclude_files = list", "s.source_files = Dir['*.swift']",
      "%w[A B].each do |name|\n s.subspec name do |sub|\n sub.source_files = 'A.swift'\n end\nend",
      "s.source_files = 'A.swift'\ns.resource_bundles = { 'Kit' => files_of('x') }",
    ])
  func computed(lines: String) throws {
    let project = try read([
      "Podfile": Self.podfile, "Local/Kit/Kit.podspec": Self.spec(lines), "Local/Kit/A.swift": "",
    ])
    #expect(!project.targets.contains { $0.name == "Kit" })
    #expect(project.notes.contains { $0.path == "Local/Kit/Kit.podspec" && $0.message.contains("left out") })
  }

  @Test("takes what CocoaPods made of a computed podspec where that is in the folder")
  func madePodspec() throws {
    let project = try read([
      "Podfile": Self.podfile, "Local/Kit/Kit.podspec": Self.spec("s.source_files = files"), "Local/Kit/A.swift": "",
      "Pods/Local Podspecs/Kit.podspec.json":
        #"{"name": "Kit", "source_files": "*.swift", "dependencies": {"Dep/X": []}}"#,
    ])
    let kit = try #require(project.targets.first { $0.name == "Kit" })
    #expect(kit.sources.map(\.path) == ["Local/Kit/A.swift"])
    #expect(kit.dependencies == ["Dep"])
  }

  @Test("reads a podspec of JSON")
  func json() throws {
    let project = try read([
      "Podfile": Self.podfile, "Local/Kit/A.swift": "", "Local/Kit/B.swift": "", "Local/Kit/C.swift": "",
      "Local/Kit/Kit.podspec.json": """
      {"name": "Kit", "source_files": ["A.swift"], "ios": {"source_files": "B.swift"}, "static_framework": true,
       "subspecs": [{"name": "C", "source_files": "C.swift"}], "default_subspecs": ["none"]}
      """,
    ])
    let kit = try #require(project.targets.first { $0.name == "Kit" })
    #expect(kit.sources.map(\.path) == ["Local/Kit/A.swift", "Local/Kit/B.swift"])
  }

  @Test("a pod is linked by the target whose block it stands in, and by every bundle where the Podfile computes that")
  func users() throws {
    func users(_ podfile: String) throws -> [String] {
      let spec = Self.spec("s.source_files = '*.swift'")
      let project = try read(["Podfile": podfile, "Local/Kit/Kit.podspec": spec, "Local/Kit/A.swift": ""])
      return project.targets.filter { $0.dependencies.contains("Kit") }.map(\.name)
    }
    let line = "pod 'Kit', :path => 'Local/Kit'\n"
    #expect(try users("target 'App' do\n\(line)end\n") == ["App"])
    #expect(try users("target 'Else' do\n\(line)end\n").isEmpty)
    #expect(try users("abstract_target 'All' do\n\(line)target 'App' do\nend\nend\n") == ["App"])
    #expect(try users("target 'Else' do\n\(line)end\ntarget 'App' do\nend\n").isEmpty)
    #expect(try users("def shared\n\(line)end\ntarget 'Else' do\nshared\nend\n").contains("App"))
  }

  @Test("the manifest of a resource bundle is the pod's own; one among the resources of a static pod lands in the app")
  func manifests() throws {
    func places(_ lines: String, _ start: String = "") throws -> [String] {
      let project = try read([
        "Podfile": start + Self.podfile, "Local/Kit/A.swift": "", "Local/Kit/PrivacyInfo.xcprivacy": Self.declared,
        "Local/Kit/Kit.podspec": Self.spec("s.source_files = '*.swift'\n" + lines),
      ])
      return project.targets.filter { $0.manifests.contains { $0.path.hasPrefix("Local/") } }.map(\.name)
    }
    let bundle = "s.resource_bundles = {'Kit_Privacy' => ['PrivacyInfo.xcprivacy']}"
    #expect(try places(bundle) == ["Kit"])
    #expect(try places("s.resource_bundle = { Kit: 'PrivacyInfo.xcprivacy' }") == ["Kit"])
    #expect(try places("s.resources = 'PrivacyInfo.xcprivacy'") == ["App"])
    #expect(try places("s.resources = 'PrivacyInfo.xcprivacy'", "use_frameworks!\n") == ["Kit"])
    #expect(try places("").isEmpty)
  }

  /// Each row is what the pod's bundle declares, what the app's own manifest does, and who then has a finding.
  @Test(
    "pod and app answer for their own code, and neither for what the other declares in its own bundle",
    arguments: [
      (true, true, []), (true, false, ["App/Own.swift"]),
      (false, false, ["App/Own.swift", "Local/Kit/A.swift"]),
    ] as [(Bool, Bool, [String])])
  func requiredReasons(pod: Bool, app: Bool, expected: [String]) throws {
    let folder = try SampleFolder([
      "App/Own.swift": Self.defaults, "App/PrivacyInfo.xcprivacy": app ? Self.declared : Self.empty,
      "project.yml": "name: App\ntargets:\n  App:\n    type: application\n    platform: iOS\n    sources: [App]\n",
      "Podfile": Self.podfile, "Local/Kit/A.swift": Self.defaults,
      "Local/Kit/PrivacyInfo.xcprivacy": pod ? Self.declared : Self.empty,
      "Local/Kit/Kit.podspec": Self.spec(
        "s.source_files = '*.swift'\ns.resource_bundles = { 'P' => 'PrivacyInfo.xcprivacy' }"),
    ])
    let found = folder.audit([RequiredReasonRule()]).findings
    #expect(found.map(\.path).sorted() == expected)
    #expect(found.allSatisfy { $0.target == ($0.path.hasPrefix("Local/") ? "Kit" : "App") })
  }

  @Test("a pod without a manifest counts for the app that links it, and its files for nothing else")
  func withoutManifest() throws {
    for start in ["", "use_frameworks!\n"] {
      let folder = try SampleFolder([
        "App/Own.swift": "", "Podfile": start + Self.podfile, "Local/Kit/A.swift": Self.defaults,
        "Local/Kit/Kit.podspec": Self.spec("s.source_files = '*.swift'"),
      ])
      // Without a project the folder is the app, under its own name.
      let app = try #require(folder.path.split(separator: "/").last.map(String.init))
      #expect(folder.audit([RequiredReasonRule()]).findings.map(\.target) == [start.isEmpty ? app : "Kit"])
    }
  }

  @Test("damaged podspecs and Podfiles are noted or read in part, and never end the audit")
  func damaged() throws {
    let good = Self.spec("s.source_files = '*.swift'\ns.resource_bundles = { 'A' => ['b', \"c\"] }\ns.x = %w[a b]")
    // The last byte is the end of the line.
    for count in 0..<good.utf8.count - 1 {
      let cut = String(decoding: good.utf8.prefix(count), as: UTF8.self)
      #expect(Podspec(ruby: Array(cut.utf8))?.allComputed.isEmpty != true, "\(cut)")
    }
    let deep = String(repeating: "[", count: 100_000)
    #expect(try kit("s.source_files = \(deep)", ["A.swift"]) == nil)
    #expect(Podspec(ruby: Array(repeating: UInt8(ascii: " "), count: RubyStatements.sizeBytesMax + 1)) == nil)
    #expect(Podfile(Array(repeating: UInt8(ascii: " "), count: RubyStatements.sizeBytesMax + 1)) == nil)
    let stars = FilePattern(String(repeating: "*a", count: 500) + "/" + String(repeating: "**/", count: 500) + "b")
    #expect(!stars.matches(String(repeating: "a", count: 499) + "/" + String(repeating: "c/", count: 60) + "b"))
    #expect(!FilePattern(String(repeating: "{a,b}", count: 60)).matches("a"))
  }

  @Test("a podspec at the limit of its patterns is read, and one past it is noted and left out")
  func patterns() throws {
    func isRead(_ count: Int) throws -> Bool {
      let list = ["'*.swift'"] + (1..<count).map { "'no/\($0)'" }
      return try kit("s.source_files = " + list.joined(separator: ", "), ["A.swift"]) != nil
    }
    #expect(try isRead(500))
    #expect(try !isRead(501))
  }

  @Test("pods outside the folder are counted in a note")
  func outside() throws {
    // A loop over targets of Xcode is no target of the Podfile.
    let loop = "post_install do |one|\n one.each do |target|\n target.list.each do |x|\n x\n end\n end\nend\n"
    let podfile = loop + "pod 'A', :path => '../../A'\npod 'B', :path => 'node_modules/b'\n"
    let notes = try read(["Podfile": podfile]).notes.filter { $0.path == "Podfile" }.map(\.message)
    #expect(notes == ["the podspecs of 2 local pods are not in the folder"])
  }
}
