import Foundation
import Testing

@Suite("Scripts")
struct ScriptTests {
  static let names: [String] = {
    let folder = Bundle.module.bundleURL.appending(path: "Scripts")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".txt") }.sorted()
  }()

  @Test("that are malformed are errors", arguments: ["> no command", "$ a\ntext", "$ a\n= x", "$ a\n>text"])
  func malformed(text: String) { #expect(throws: Script.Malformed.self) { try Script(text) } }

  @Test("expect exactly what they say")
  func matching() {
    #expect(Script.matches("a.b\n", "a.b\n", home: "/h"))
    for other in ["axb\n", "a.b", "a.b\n\n", " a.b\n"] { #expect(!Script.matches(other, "a.b\n", home: "/h")) }
    #expect(Script.matches("x /h/vault 2026-11-30T03:42:36Z", "{any} {home}/vault {date}", home: "/h"))
    #expect(!Script.matches("a\nb", "{any}", home: "/h"))
  }

  @Test("are found")
  func found() { #expect(!Self.names.isEmpty) }

  @Test("run as written", arguments: names)
  func run(name: String) throws {
    let file = Bundle.module.bundleURL.appending(path: "Scripts/\(name)")
    let script = try Script(String(contentsOf: file, encoding: .utf8))
    let program = try Program()
    if script.hasAgent { try program.installAgent() }
    var user: UInt32?
    if script.isUnprivileged, geteuid() == 0 {
      // Root passes every permission: such a script runs as nobody.
      user = 65_534
      try FileManager.default.setAttributes(
        [.ownerAccountID: 65_534, .groupOwnerAccountID: 65_534], ofItemAtPath: program.folder.path)
    }
    for need in script.needs where try program.shell(need, as: user).exitCode != 0 {
      let comment: Comment = "\(name) was left out: this machine fails at \(need)"
      guard ProcessInfo.processInfo.environment["THUMBTURN_REQUIRE_ALL"] == nil else {
        Issue.record(comment)
        return
      }
      // The runner does not print the reason of a cancelled case.
      print("skipped: \(comment)")
      try Test.cancel(comment)
    }
    for step in script.steps {
      let answer = try program.shell(step.command, input: Data(step.input.utf8), as: user)
      let place = "\(name):\(step.line): \(step.command)"
      #expect(answer.exitCode == step.exitCode, "\(place)")
      for (bytes, expected) in [(answer.output, step.output), (answer.errors, step.errors)] {
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(Script.matches(text, expected, home: program.home), "\(place)\n\(text)")
      }
    }
  }
}
