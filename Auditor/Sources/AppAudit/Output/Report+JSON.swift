import Foundation

extension Report {
  private struct Document: Encodable {
    struct Summary: Encodable {
      var errors: Int
      var warnings: Int
      var notes: Int
      var suppressed: Int
      var files: Int
    }
    var version = 1
    var tool = "thumbturn-audit"
    var findings: [Finding]
    var notRead: [Note]
    var summary: Summary
  }

  /// For programs: `data/audit.schema.json` describes it.
  var json: String {
    Self.encode(
      Document(
        findings: result.findings, notRead: result.notes,
        summary: .init(
          errors: count(.error), warnings: count(.warning), notes: count(.note), suppressed: suppressedCount,
          files: result.fileCount)))
  }

  static func encode(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return "{}\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}
