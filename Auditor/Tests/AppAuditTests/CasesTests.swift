import Foundation
import Testing

@testable import AppAudit

/// One case of `Resources/cases.jsonl`: files, a kind, and whether a finding of that kind is due.
struct AuditCase: Decodable, Sendable, CustomTestStringConvertible {
  enum Verdict: String, Decodable { case finding, silent }
  var id: String
  var kind: String
  var verdict: Verdict
  var expected: String
  var input: [String: String]
  var testDescription: String { "\(id) \(kind): \(verdict.rawValue)" }

  static let all = read("cases")
  /// Cases of our own for kinds that the others leave out.
  static let own = read("cases-own")

  private static func read(_ name: String) -> [AuditCase] {
    guard let file = Bundle.module.url(forResource: "Resources/" + name, withExtension: "jsonl"),
      let text = try? String(contentsOf: file, encoding: .utf8)
    else { return [] }
    return text.split(separator: "\n").compactMap { try? JSONDecoder().decode(AuditCase.self, from: Data($0.utf8)) }
  }

  /// Read from a built program, which the auditor of sources does not do.
  static let skippedKinds: Set<String> = ["binary"]
  static let due = all.filter { !skippedKinds.contains($0.kind) } + own
}

@Suite("Cases")
struct CasesTests {
  @Test("a finding of the kind is there where it is due, and not where silence is due", arguments: AuditCase.due)
  func verdict(_ audited: AuditCase) throws {
    let folder = try SampleFolder(audited.input)
    let findings = folder.audit().findings.filter { $0.kind.rawValue == audited.kind && $0.severity >= .warning }
    #expect(findings.isEmpty == (audited.verdict == .silent), "\(audited.expected); found \(findings.map(\.message))")
  }

  @Test("62 cases and 18 of our own, 7 of them of programs; no other is left out")
  func counted() {
    #expect(AuditCase.all.count == 62)
    #expect(AuditCase.own.count == 18)
    #expect(AuditCase.all.count { AuditCase.skippedKinds.contains($0.kind) } == 7)
  }
}
