import Foundation
import Testing

@testable import AppAudit

/// A folder of files for one test, removed with it.
final class SampleFolder {
  let path: String

  init(_ files: [String: String] = [:]) throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("audit-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in files { try write(Data(text.utf8), to: name) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ data: Data, to name: String) throws {
    let file = URL(fileURLWithPath: path).appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }

  func audit(_ rules: [any Rule] = RuleCatalog.all) -> AuditResult {
    Audit(rules: rules).run(ProjectReader.read(path))
  }
}

/// Runs one rule over sample files whose expected findings are marked: a line that ends with `// expect: rule-id` (or
/// `<!-- expect: rule-id -->`) must have a finding of that rule, of the severity or more, once; no other line may.
func expectMarkedFindings(
  _ rule: some Rule, from least: Severity = .warning, _ files: [String: String],
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  var expected: Set<String> = []
  for (path, text) in files {
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard let mark = line.range(of: "expect: ") else { continue }
      let id = line[mark.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
      expected.insert("\(path):\(number + 1) \(id.hasSuffix("--") ? id.dropLast(2) : id)")
    }
  }
  let found = try SampleFolder(files).audit([rule]).findings.filter { $0.severity >= least }
  let places = found.map { "\($0.path):\($0.line) \($0.rule)" }
  #expect(Set(places) == expected, "\(found.map(\.message))", sourceLocation: sourceLocation)
  #expect(places.count == Set(places).count, "a place was reported twice", sourceLocation: sourceLocation)
}
