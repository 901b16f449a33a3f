extension Report {
  /// Commands that GitHub Actions turns into annotations at the line.
  var github: String {
    result.findings.map { finding in
      let command = finding.severity == .note ? "notice" : finding.severity.rawValue
      let line = finding.line > 0 ? ",line=\(finding.line)" : ""
      let message = Self.escapedData(finding.message + ". " + finding.fix)
      return
        "::\(command) file=\(Self.escapedProperty(finding.path))\(line),title=\(Self.escapedProperty(finding.rule))::\(message)\n"
    }.joined()
  }

  private static func escapedData(_ text: String) -> String {
    text.map { $0 == "%" ? "%25" : $0 == "\n" ? "%0A" : $0 == "\r" ? "%0D" : $0 == "\r\n" ? "%0D%0A" : String($0) }
      .joined()
  }

  private static func escapedProperty(_ text: String) -> String {
    escapedData(text).map { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : String($0) }.joined()
  }
}
