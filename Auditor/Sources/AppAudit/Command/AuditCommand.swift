import Foundation

/// The command line of `thumbturn-audit`.
public enum AuditCommand {
  /// Runs with the arguments after the program's name, and returns the exit code: 0 nothing found, 1 findings, 2 usage,
  /// 3 internal.
  public static func run(_ arguments: [String]) -> Int32 {
    guard let path = arguments.first else { return 2 }
    let project = ProjectReader.read(path)
    let result = Audit(rules: RuleCatalog.all).run(project)
    for finding in result.findings {
      print("\(finding.path):\(finding.line): \(finding.severity.rawValue): \(finding.message) [\(finding.rule)]")
    }
    return result.findings.contains { $0.severity >= .warning } ? 1 : 0
  }
}
