extension Report {
  /// JUnit's XML: a test case for each rule, which fails with what the rule found. Notes are no failures.
  var junit: String {
    let rules = RuleCatalog.all.map(\.about)
    let failed = Dictionary(grouping: result.findings.filter { $0.severity >= .warning }, by: \.rule)
    var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    let counts = "tests=\"\(rules.count)\" failures=\"\(rules.count { failed[$0.id] != nil })\" errors=\"0\""
    xml += "<testsuites name=\"thumbturn-audit\" \(counts)>\n  <testsuite name=\"thumbturn-audit\" \(counts)>\n"
    for rule in rules {
      xml += "    <testcase classname=\"\(rule.kind.rawValue)\" name=\"\(Self.escapedXML(rule.id))\""
      guard let findings = failed[rule.id] else {
        xml += "/>\n"
        continue
      }
      let text = findings.map { "\($0.path):\($0.line): \($0.severity.rawValue): \($0.message). \($0.fix)" }
      xml += ">\n      <failure type=\"\(rule.kind.rawValue)\" message=\"\(Self.escapedXML(rule.title))\">"
      xml += Self.escapedXML(text.joined(separator: "\n")) + "</failure>\n    </testcase>\n"
    }
    return xml + "  </testsuite>\n</testsuites>\n"
  }

  private static func escapedXML(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "\n"
      // Not even as an entity may these stand in XML 1.0.
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
