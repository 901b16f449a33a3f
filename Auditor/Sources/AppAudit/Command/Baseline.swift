import Foundation

/// Findings that a team has accepted for now. A finding is known again by rule, path, target and message, not by its
/// line: that moves with every edit above it.
struct Baseline: Codable, Sendable {
  struct Entry: Codable, Hashable, Sendable {
    var rule: String
    var path: String
    var target: String
    var message: String
    var count: Int
  }

  var version = 1
  var findings: [Entry]

  init(_ findings: [Finding]) {
    var counts: [Entry: Int] = [:]
    for finding in findings { counts[Self.key(finding), default: 0] += 1 }
    self.findings = counts.map { entry, count in
      var entry = entry
      entry.count = count
      return entry
    }.sorted { ($0.path, $0.rule, $0.message) < ($1.path, $1.rule, $1.message) }
  }

  private static func key(_ finding: Finding) -> Entry {
    Entry(rule: finding.rule, path: finding.path, target: finding.target, message: finding.message, count: 0)
  }

  /// Those that it does not list. What it lists three times may be there three times, and no more.
  func new(among findings: [Finding]) -> [Finding] {
    var left: [Entry: Int] = [:]
    for entry in self.findings {
      var key = entry
      key.count = 0
      left[key, default: 0] += entry.count
    }
    return findings.filter { finding in
      let key = Self.key(finding)
      guard let count = left[key], count > 0 else { return true }
      left[key] = count - 1
      return false
    }
  }

  static func read(_ path: String) throws(UsageError) -> Self {
    guard case .success(let bytes) = ProjectFiles.read(path) else {
      throw UsageError("the baseline \(path) cannot be read")
    }
    do {
      return try JSONDecoder().decode(Self.self, from: Data(bytes))
    } catch { throw UsageError("the baseline \(path) is not of its form") }
  }

  func write(to path: String) throws(UsageError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch { throw UsageError("the baseline \(path) cannot be written") }
  }
}
