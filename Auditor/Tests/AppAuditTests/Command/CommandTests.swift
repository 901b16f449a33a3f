import Foundation
import Synchronization
import Testing

@testable import AppAudit

@Suite("Command line")
struct CommandTests {
  private static let use = "import Foundation\nlet u = UserDefaults.standard\n"

  /// The exit code, and what was written to the file of --output.
  private func run(_ folder: SampleFolder, _ arguments: [String]) -> (code: Int32, text: String) {
    let out = folder.path + "/out"
    let code = AuditCommand.run(arguments + ["--output", out, folder.path])
    let text = (try? String(contentsOfFile: out, encoding: .utf8)) ?? ""
    try? FileManager.default.removeItem(atPath: out)
    return (code, text)
  }

  @Test("the exit code is 0 for nothing, 1 for findings and 2 for wrong usage")
  func codes() throws {
    #expect(try run(SampleFolder(["App/A.swift": "let a = 1\n"]), []).code == 0)
    #expect(try run(SampleFolder(["App/A.swift": Self.use]), []).code == 1)
    #expect(AuditCommand.run([]) == 2)
    #expect(AuditCommand.run(["/nowhere/at/all"]) == 2)
    #expect(AuditCommand.run(["--format", "yaml", "/"]) == 2)
  }

  @Test("facts that are missing or damaged are named, and are no trap")
  func facts() throws {
    #expect(Facts.problem() == nil)
    #expect(Facts.problem(in: nil)?.contains("auditor_AppAudit.resources") == true)
    let source = try #require(Facts.folder)
    let there = try FileManager.default.contentsOfDirectory(atPath: source.path)
    #expect(there.sorted() == Facts.names.map { $0 + ".json" })
    let folder = try SampleFolder()
    for name in there {
      try FileManager.default.copyItem(atPath: source.path + "/" + name, toPath: folder.path + "/" + name)
    }
    #expect(Facts.problem(in: URL(fileURLWithPath: folder.path)) == nil)
    try folder.write(Data("{".utf8), to: "sdks.json")
    #expect(Facts.problem(in: URL(fileURLWithPath: folder.path)) == "the facts sdks are missing or damaged")
    try FileManager.default.removeItem(atPath: folder.path + "/required-reasons.json")
    #expect(Facts.problem(in: URL(fileURLWithPath: folder.path)) == "the facts required-reasons are missing or damaged")
  }

  @Test("a rule that is left out still sees for those that judge by it")
  func leftOut() throws {
    let folder = try SampleFolder([
      "App/A.swift": Self.use,
      "App/PrivacyInfo.xcprivacy": """
      <plist><dict><key>NSPrivacyAccessedAPITypes</key><array><dict>
      <key>NSPrivacyAccessedAPIType</key><string>NSPrivacyAccessedAPICategoryUserDefaults</string>
      <key>NSPrivacyAccessedAPITypeReasons</key><array><string>1C8F.1</string></array></dict></array></dict></plist>
      """,
    ])
    #expect(run(folder, ["--disable", "required-reason.undeclared"]).text.contains("only 1C8F.1"))
  }

  @Test("a long run shows how far it is on a terminal alone, and takes the line away again")
  func progress() {
    final class Lines: Sendable {
      let all = Mutex<[String]>([])
    }
    let lines = Lines()
    let line = ProgressLine(isTerminal: true, after: .zero) { text in lines.all.withLock { $0.append(text) } }
    line.clear()
    line.show(31, 100)
    line.show(32, 100)
    line.clear()
    #expect(lines.all.withLock { $0 } == ["\r32 of 100 files", "\r\u{1B}[K"])
    let none = Lines()
    let piped = ProgressLine(isTerminal: false, after: .zero) { text in none.all.withLock { $0.append(text) } }
    piped.show(32, 100)
    piped.clear()
    let early = ProgressLine(isTerminal: true, after: .seconds(3_600)) { text in none.all.withLock { $0.append(text) } }
    early.show(32, 100)
    #expect(none.all.withLock { $0 }.isEmpty)
  }

  @Test("notes alone fail the audit only from the threshold note on")
  func threshold() throws {
    let folder = try SampleFolder(["App/A.swift": "let u = URL(string: \"http://shop.test.de/\")\n"])
    #expect(run(folder, []).code == 0)
    #expect(run(folder, ["--threshold", "note"]).code == 1)
    #expect(run(folder, ["--threshold", "note", "--no-notes"]).code == 0)
  }

  @Test("a misspelt option, value, rule or App Store error is answered with the nearest")
  func suggestions() {
    func hint(_ arguments: [String]) -> String? {
      do {
        _ = try Options(arguments)
        return nil
      } catch { return error.hint }
    }
    #expect(hint(["--formt", "json"]) == "did you mean --format?")
    #expect(hint(["--format", "jsn"]) == "did you mean json?")
    #expect(hint(["--disable", "ats.dictionray"]) == "did you mean ats.dictionary?")
    #expect(throws: UsageError.self) { try Explain.text("ITMS-91O53") }
    #expect(throws: Never.self) { try Explain.text("itms-91053") }
  }

  @Test("every rule explains itself, under a name of its own that says its kind's family")
  func explained() throws {
    let ids = RuleCatalog.all.map(\.about.id)
    #expect(Set(ids).count == ids.count)
    for id in ids {
      #expect(id.wholeMatch(of: /[a-z0-9-]+\.[a-z0-9-]+/) != nil)
      #expect(try Explain.text(id).contains("To do: "))
    }
  }

  @Test("a comment leaves a finding out where it names the rule and a reason, and not without one")
  func suppression() throws {
    func findings(_ comment: String, above: Bool = false) throws -> Int32 {
      let text =
        above
        ? "import Foundation\n\(comment)\nlet u = UserDefaults.standard\n"
        : "import Foundation\nlet u = UserDefaults.standard \(comment)\n"
      return try run(SampleFolder(["App/A.swift": text]), []).code
    }
    #expect(try findings("// thumbturn:ignore required-reason.undeclared the host app declares it") == 0)
    #expect(try findings("// thumbturn:ignore required-reason.undeclared the host app declares it", above: true) == 0)
    #expect(try findings("// thumbturn:ignore required-reason.undeclared") == 1)
    #expect(try findings("// thumbturn:ignore ats.dictionary not this rule") == 1)
  }

  @Test("a baseline leaves out what it lists, as often as it lists it, wherever it moved to")
  func baseline() throws {
    let folder = try SampleFolder(["App/A.swift": Self.use])
    let file = folder.path + "/baseline.json"
    #expect(run(folder, ["--baseline", file, "--write-baseline"]).code == 0)
    try folder.write(Data(("\n\n" + Self.use).utf8), to: "App/A.swift")
    #expect(run(folder, ["--baseline", file]).code == 0)
    try folder.write(Data((Self.use + "let t = mach_absolute_time()\n").utf8), to: "App/A.swift")
    #expect(run(folder, ["--baseline", file]).code == 1)
    try folder.write(Data("{}".utf8), to: "baseline.json")
    #expect(run(folder, ["--baseline", file]).code == 2)
  }

  @Test("the configuration leaves rules out with a reason, and refuses keys and rules that do not exist")
  func configuration() throws {
    func code(_ text: String) throws -> Int32 {
      try run(SampleFolder(["App/A.swift": Self.use, ".thumbturn-audit.json": text]), []).code
    }
    #expect(try code(#"{"disabledRules": [{"rule": "required-reason.undeclared", "reason": "no store"}]}"#) == 0)
    #expect(try code(#"{"disabledRules": [{"rule": "required-reason.undeclared", "reason": " "}]}"#) == 2)
    #expect(try code(#"{"disabledRules": [{"rule": "no.such", "reason": "x"}]}"#) == 2)
    #expect(try code(#"{"severities": {"required-reason.undeclared": "note"}}"#) == 0)
    #expect(try code(#"{"excluded": ["App/"]}"#) == 0)
    #expect(try code(#"{"exclude": ["App/"]}"#) == 2)
    #expect(try code("[") == 2)
  }

  @Test("JSON has the findings in the form of the schema")
  func json() throws {
    let text = try run(SampleFolder(["App/A.swift": Self.use]), ["--format", "json"]).text
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(Set(object.keys) == ["version", "tool", "findings", "notRead", "summary"])
    let finding = try #require((object["findings"] as? [[String: Any]])?.first)
    #expect(
      Set(finding.keys) == ["rule", "kind", "severity", "path", "line", "target", "message", "fix", "appStoreError"])
    #expect(finding["line"] as? Int == 2)
    #expect(finding["kind"] as? String == "required-reason")
  }

  @Test("SARIF has its required parts, an index that fits and a path that is an address")
  func sarif() throws {
    let text = try run(SampleFolder(["App/A ü.swift": Self.use]), ["--format", "sarif"]).text
    let log = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    #expect(driver["name"] as? String == "thumbturn-audit")
    let rules = try #require(driver["rules"] as? [[String: Any]])
    let result = try #require((run["results"] as? [[String: Any]])?.first)
    let index = try #require(result["ruleIndex"] as? Int)
    #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
    #expect(["error", "warning", "note"].contains(result["level"] as? String))
    #expect((result["message"] as? [String: Any])?["text"] as? String != nil)
    #expect(text.contains("\"App/A%20%C3%BC.swift\""))
    #expect(text.contains("\"startLine\" : 2"))
  }

  @Test("JUnit and GitHub's commands escape what would end them")
  func escapes() throws {
    let finding = Finding(
      rule: "ats.dictionary", kind: .ats, severity: .error, path: "a,b:c", line: 3, target: "T", message: "<&\"\n%",
      fix: "f")
    let report = Report(
      result: AuditResult(findings: [finding], notes: [], fileCount: 1), root: "/", suppressedCount: 0)
    #expect(report.github == "::error file=a%2Cb%3Ac,line=3,title=ats.dictionary::<&\"%0A%25. f\n")
    #expect(report.junit.contains("a,b:c:3: error: &lt;&amp;&quot;\n%. f"))
    #expect(report.junit.contains("failures=\"1\""))
  }

  @Test("a report moves no cursor, whatever the project holds")
  func control() throws {
    let text = try run(
      SampleFolder(["App/A.swift": "import Foundation\nlet u = UserDefaults.standard // \u{1B}[2J\n"]), []
    ).text
    #expect(text.contains("UserDefaults.standard"))
    #expect(!text.contains("\u{1B}"))
  }

  @Test("a second run with the cache gives the same, and does not look at the files again")
  func cache() throws {
    let folder = try SampleFolder(["App/A.swift": Self.use, "App/B.swift": "let b = 1\n"])
    let kept = try SampleFolder()
    let first = run(folder, ["--format", "json", "--cache", kept.path])
    #expect(first.code == 1)
    let names = try FileManager.default.contentsOfDirectory(atPath: kept.path)
    #expect(names.count == 2)
    #expect(run(folder, ["--format", "json", "--cache", kept.path]).text == first.text)
    // What is kept is what is used: emptied, there is nothing to find.
    for name in names { try Data().write(to: URL(fileURLWithPath: kept.path + "/" + name)) }
    #expect(run(folder, ["--cache", kept.path]).code == 0)
    // Damaged, it is as if it were not there.
    for name in names { try Data("x".utf8).write(to: URL(fileURLWithPath: kept.path + "/" + name)) }
    #expect(run(folder, ["--cache", kept.path]).code == 1)
  }
}
