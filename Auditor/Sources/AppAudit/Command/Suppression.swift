import Foundation

/// `thumbturn:ignore RULE reason` in a comment, at the end of the line of the finding or alone on the line above it.
///
/// Without a reason it does nothing but add a note that says so.
struct Suppression {
  private static let mark = "thumbturn:ignore "

  struct Outcome {
    var findings: [Finding]
    var notes: [Note]
    var suppressedCount: Int
  }

  static func apply(to findings: [Finding], root: String) -> Outcome {
    var outcome = Outcome(findings: [], notes: [], suppressedCount: 0)
    var texts: [String: [Substring]] = [:]
    for finding in findings {
      if texts[finding.path] == nil { texts[finding.path] = lines(root + "/" + finding.path) }
      let lines = texts[finding.path] ?? []
      let candidates = [finding.line, finding.line - 1].filter { $0 >= 1 && $0 <= lines.count }
      var isSuppressed = false
      for number in candidates {
        guard let (rule, reason) = parse(lines[number - 1]), rule == finding.rule else { continue }
        if reason.isEmpty {
          outcome.notes.append(
            Note(path: finding.path, message: "line \(number) leaves out \(rule) without a reason: it counts"))
        } else {
          isSuppressed = true
        }
        break
      }
      if isSuppressed { outcome.suppressedCount += 1 } else { outcome.findings.append(finding) }
    }
    return outcome
  }

  private static func lines(_ path: String) -> [Substring] {
    guard case .success(let bytes) = ProjectFiles.read(path), bytes.contains(Array("thumbturn:ignore".utf8)) else {
      return []
    }
    return String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  private static func parse(_ line: Substring) -> (rule: String, reason: String)? {
    guard let mark = line.range(of: mark) else { return nil }
    let rest = line[mark.upperBound...].drop { $0 == " " }
    let rule = rest.prefix { !$0.isWhitespace }
    let reason = String(rest.dropFirst(rule.count)).replacingOccurrences(of: "-->", with: "")
      .replacingOccurrences(of: "*/", with: "").trimmed
    return (String(rule), reason)
  }
}
