extension Report {
  /// For people: by file, with the line of the source.
  func terminal(isColoured: Bool) -> String {
    func paint(_ text: String, _ code: String) -> String { isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text }
    var output = ""
    var path: String?
    var lines: [Substring] = []
    for finding in result.findings {
      if finding.path != path {
        path = finding.path
        lines = sourceLines(finding.path)
        output += (output.isEmpty ? "" : "\n") + paint(Self.printable(finding.path), "1") + "\n"
      }
      let colour = finding.severity == .error ? "31" : finding.severity == .warning ? "33" : "36"
      let place = finding.line > 0 ? "\(finding.line): " : ""
      output += "  \(place)\(paint(finding.severity.rawValue, colour)): \(Self.printable(finding.message))"
      output += " [\(finding.rule)\(finding.appStoreError.map { ", " + $0 } ?? "")]\n"
      if finding.line > 0, finding.line <= lines.count {
        let text = Self.printable(String(lines[finding.line - 1].prefix(160))).trimmed
        if !text.isEmpty { output += "      \(paint(text, "2"))\n" }
      }
      output += "      \(Self.printable(finding.fix)) (\(Self.printable(finding.target)))\n"
    }
    for note in result.notes {
      output += paint("not read: ", "2") + "\(Self.printable(note.path)): \(Self.printable(note.message))\n"
    }
    return output + summary + "\n"
  }

  private var summary: String {
    let counts = [(Severity.error, "error"), (.warning, "warning"), (.note, "note")].map { severity, name in
      "\(count(severity)) \(name)\(count(severity) == 1 ? "" : "s")"
    }
    let suppressed = suppressedCount > 0 ? ", \(suppressedCount) left out by comments" : ""
    return counts.joined(separator: ", ") + suppressed + " in \(result.fileCount) source files"
  }

  private func sourceLines(_ path: String) -> [Substring] {
    guard case .success(let bytes) = ProjectFiles.read(root + "/" + path), !bytes.starts(with: Array("bplist".utf8))
    else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  /// What a project holds must not move the cursor of who reads the report.
  static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? " " : $0 }))
  }
}
