/// A result on its way to the output. One file for each form.
struct Report {
  var result: AuditResult
  /// The folder that was audited, absolute.
  var root: String
  /// Findings that comments in the source left out.
  var suppressedCount: Int

  func count(_ severity: Severity) -> Int { result.findings.count { $0.severity == severity } }
}
