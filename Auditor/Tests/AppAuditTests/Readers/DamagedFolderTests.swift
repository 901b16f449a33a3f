import Foundation
import Testing

@testable import AppAudit

@Suite("Damaged folders")
struct DamagedFolderTests {
  private static let use = "import Foundation\nlet u = UserDefaults.standard\n"

  @Test("links that lead round, or out of the folder, are noted and not followed")
  func links() throws {
    let folder = try SampleFolder(["App/A.swift": Self.use])
    let files = FileManager.default
    try files.createSymbolicLink(atPath: folder.path + "/App/round", withDestinationPath: "..")
    try files.createSymbolicLink(atPath: folder.path + "/App/self", withDestinationPath: "self")
    try files.createSymbolicLink(atPath: folder.path + "/App/out.swift", withDestinationPath: "/etc/passwd")
    let result = folder.audit([RequiredReasonRule()])
    #expect(result.findings.count == 1)
    #expect(result.notes.map(\.path) == ["App/out.swift", "App/round", "App/self"])
  }

  @Test("a file of 1 GiB is noted with the limit, and the rest is audited")
  func huge() throws {
    let folder = try SampleFolder(["App/A.swift": Self.use, "App/B.swift": ""])
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path + "/App/B.swift"))
    try file.truncate(atOffset: 1 << 30)
    try file.close()
    let result = folder.audit([RequiredReasonRule()])
    #expect(result.findings.count == 1)
    #expect(result.notes.contains { $0.path == "App/B.swift" && $0.message.contains("\(ProjectFiles.sizeBytesMax)") })
  }

  @Test("bytes that are no UTF-8 are noted, and the code around them is judged")
  func notUTF8() throws {
    let folder = try SampleFolder()
    try folder.write(
      Data("import Foundation\n// ".utf8) + Data([0xE9, 0xFF, 0x0A]) + Data("let u = UserDefaults.standard\n".utf8),
      to: "App/A.swift")
    let result = folder.audit([RequiredReasonRule()])
    #expect(result.findings.map(\.line) == [3])
    #expect(result.notes.map(\.path) == ["App/A.swift"])
  }

  @Test("a file that vanishes between the listing and the reading is noted")
  func vanished() throws {
    let folder = try SampleFolder(["App/A.swift": Self.use, "App/B.swift": Self.use])
    let project = ProjectReader.read(folder.path)
    try FileManager.default.removeItem(atPath: folder.path + "/App/A.swift")
    let result = Audit(rules: [RequiredReasonRule()]).run(project)
    #expect(result.notes.map(\.path) == ["App/A.swift"])
    #expect(result.findings.map(\.path) == ["App/B.swift"])
  }

  @Test("source that is damaged anywhere is audited to its end")
  func source() throws {
    let swift = Array("#if DEBUG\nfunc f() { \"\\(a[b {(]\" }\n#endif\nlet u = UserDefaults.standard[\"x\"]\n".utf8)
    let c = Array("#if 0\n[[NSUserDefaults a:b] c\n#else\nint f() { return [x y:(z) ? @\"a\" : 'b']; }\n#endif\n".utf8)
    var seed: UInt64 = 7
    let rule = RequiredReasonRule()
    for round in 0..<2_000 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var bytes = round.isMultiple(of: 2) ? swift : c
      bytes[Int(seed >> 33) % bytes.count] = UInt8(truncatingIfNeeded: seed >> 24)
      bytes.removeLast(Int(seed >> 40) % bytes.count)
      if Nesting.isTooDeep(bytes) { continue }
      var notebook = Notebook()
      if round.isMultiple(of: 2) {
        SwiftInspector.inspect(bytes, path: "a", conditions: [], rules: [rule], into: &notebook)
      } else {
        rule.observe(CSource(path: "a", bytes: bytes), into: &notebook)
      }
    }
  }

  @Test(
    "brackets nested without end are noted, and the rest is audited in bounded time",
    arguments: ["[", "(", "{", "[a: "])
  func deep(_ bracket: String) throws {
    for count in [30, 10_000] {
      let deep = String(repeating: bracket, count: count)
      let folder = try SampleFolder([
        "App/A.swift": "let a = UserDefaults.standard\nlet x = " + deep,
        "App/B.m": "id x = [NSUserDefaults a];\n" + deep,
      ])
      let began = ContinuousClock.now
      let result = folder.audit([RequiredReasonRule()])
      #expect(ContinuousClock.now - began < .seconds(5))
      #expect(result.fileCount == 2)
      #expect(result.findings.count == 1)
      if count == 10_000 || bracket.hasPrefix("[") { #expect(result.notes.map(\.path) == ["App/A.swift"]) }
    }
  }

  @Test(
    "source that the parser would not end is noted, and the rest is audited in bounded time",
    arguments: [
      "let a = b" + String(repeating: ".c", count: ParserLimits.linkCountMax + 1),
      "let a = b" + String(repeating: "\n  + c", count: ParserLimits.linkCountMax + 1),
      String(repeating: "a\n", count: ParserLimits.wordCountMax),
      "let a = \"" + String(repeating: "a", count: ParserLimits.sizeBytesMax) + "\"",
    ])
  func endless(_ text: String) throws {
    let folder = try SampleFolder(["App/A.swift": "let u = UserDefaults.standard\n" + text, "App/B.swift": Self.use])
    let result = folder.audit([RequiredReasonRule()])
    #expect(result.findings.map(\.path) == ["App/B.swift"])
    #expect(result.notes.map(\.path) == ["App/A.swift"])
  }

  @Test("source at the limits is parsed; lists, text and comments are no expressions")
  func atLimits() {
    let links = ParserLimits.linkCountMax
    let parts = Array(repeating: "c", count: links)
    for text in [
      "let a = " + parts.joined(separator: "."), "let a = " + parts.joined(separator: " + "),
      "let a = [" + String(repeating: ".b, ", count: links * 2) + "]",
      "let a = [" + String(repeating: "-1, 1.5, ", count: links / 2) + "]",
      "let a = \"\"\"\n" + String(repeating: "a.b\n", count: links * 2) + "\"\"\"",
      "/*\n" + String(repeating: " * a - b\n", count: links * 2) + "*/",
      String(repeating: "a.b()\n", count: links * 2), String(repeating: "// a.b\n", count: links * 2),
    ] {
      #expect(ParserLimits.problem(of: Array(text.utf8)) == nil)
    }
  }

  @Test("a Package.swift that is nested without end is noted, and the rest is audited")
  func package() throws {
    let folder = try SampleFolder([
      "Package.swift": "let package = Package(name: \"P\", targets: " + String(repeating: "[", count: 10_000),
      "App/A.swift": Self.use,
    ])
    let result = folder.audit([RequiredReasonRule()])
    #expect(result.notes.contains { $0.path == "Package.swift" })
    #expect(result.findings.map(\.path) == ["App/A.swift"])
  }

  @Test("macros within macros, brackets without end and more tokens than are read end in bounded time")
  func tokens() throws {
    let use = "id u = [NSUserDefaults standardUserDefaults];\n"
    let folder = try SampleFolder([
      "App/A.m": use + String(repeating: "#define a ", count: 100_000),
      "App/B.m": use + String(repeating: ";", count: CLexer.tokenCountMax),
      "project.yml": "name: App\ntargets: " + String(repeating: "[", count: 900_000),
    ])
    let began = ContinuousClock.now
    let result = folder.audit([RequiredReasonRule()])
    #expect(ContinuousClock.now - began < .seconds(60))
    #expect(result.findings.map(\.path) == ["App/A.m"])
    #expect(Set(result.notes.map(\.path)) == ["App/B.m", "project.yml"])
  }

  @Test("twelve levels are parsed and thirteen are not; brackets in strings and comments do not count")
  func nesting() {
    func isTooDeep(_ text: String) -> Bool { Nesting.isTooDeep(Array(text.utf8)) }
    #expect(!isTooDeep("let a = " + String(repeating: "[", count: Nesting.squareMax)))
    #expect(isTooDeep("let a = " + String(repeating: "[", count: Nesting.squareMax + 1)))
    #expect(!isTooDeep("let a = \"" + String(repeating: "[", count: 99) + "\" // " + String(repeating: "[", count: 99)))
  }
}
