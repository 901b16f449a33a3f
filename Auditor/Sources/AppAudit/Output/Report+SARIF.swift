import Foundation

extension Report {
  /// SARIF 2.1.0, as code hosts take it.
  var sarif: String {
    let rules = RuleCatalog.all.map(\.about)
    let numbers = Dictionary(rules.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    let notifications = result.notes.map {
      SARIF.Notification(
        level: "warning", message: .init(text: "\($0.path): \($0.message)"), descriptor: .init(id: "not-read"))
    }
    let run = SARIF.Run(
      tool: .init(
        driver: .init(
          name: "thumbturn-audit", version: AuditCommand.version, semanticVersion: AuditCommand.version,
          rules: rules.map(SARIF.rule))),
      columnKind: "utf16CodeUnits",
      originalUriBaseIds: ["SRCROOT": .init(uri: Self.address(root) + "/")],
      invocations: [.init(executionSuccessful: true, toolExecutionNotifications: notifications)],
      results: result.findings.map { SARIF.result($0, numbers[$0.rule]) })
    return Self.encode(SARIF(runs: [run]))
  }

  fileprivate static func address(_ path: String) -> String { "file://" + escaped(path) }

  /// A path as it stands in an address.
  fileprivate static func escaped(_ path: String) -> String {
    var allowed = CharacterSet.urlPathAllowed
    allowed.remove(charactersIn: ":;")
    return path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
  }
}

/// The parts of SARIF 2.1.0 that are written.
private struct SARIF: Encodable {
  var schema = "https://json.schemastore.org/sarif-2.1.0.json"
  var version = "2.1.0"
  var runs: [Run]

  enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version, runs
  }

  struct Text: Encodable { var text: String }
  struct Run: Encodable {
    var tool: Tool
    var columnKind: String
    var originalUriBaseIds: [String: Base]
    var invocations: [Invocation]
    var results: [Result]
  }
  struct Base: Encodable { var uri: String }
  struct Tool: Encodable { var driver: Driver }
  struct Driver: Encodable {
    var name: String
    var version: String
    var semanticVersion: String
    var rules: [Rule]
  }
  struct Rule: Encodable {
    var id: String
    var shortDescription: Text
    var fullDescription: Text
    var help: Text
    var properties: Properties
    struct Properties: Encodable { var tags: [String] }
  }
  struct Invocation: Encodable {
    var executionSuccessful: Bool
    var toolExecutionNotifications: [Notification]
  }
  struct Notification: Encodable {
    var level: String
    var message: Text
    var descriptor: Descriptor
    struct Descriptor: Encodable { var id: String }
  }
  struct Result: Encodable {
    var ruleId: String
    var ruleIndex: Int?
    var level: String
    var message: Text
    var locations: [Location]
    var partialFingerprints: [String: String]
    var properties: Properties
    struct Properties: Encodable {
      var kind: String
      var target: String
      var fix: String
      var appStoreError: String?
    }
  }
  struct Location: Encodable {
    var physicalLocation: Physical
    struct Physical: Encodable {
      var artifactLocation: Artifact
      var region: Region?
    }
    struct Artifact: Encodable {
      var uri: String
      var uriBaseId = "SRCROOT"
    }
    struct Region: Encodable { var startLine: Int }
  }

  static func rule(_ about: RuleDescription) -> Rule {
    Rule(
      id: about.id, shortDescription: .init(text: about.title), fullDescription: .init(text: about.why),
      help: .init(text: about.fix), properties: .init(tags: [about.kind.rawValue] + about.appStoreErrors))
  }

  static func result(_ finding: Finding, _ index: Int?) -> Result {
    var hash = Hash128()
    hash.add("\(finding.rule) \(finding.path) \(finding.target) \(finding.message)")
    return Result(
      ruleId: finding.rule, ruleIndex: index, level: finding.severity.rawValue,
      message: .init(text: finding.message + ". " + finding.fix),
      locations: [
        .init(
          physicalLocation: .init(
            artifactLocation: .init(uri: Report.escaped(finding.path)),
            region: finding.line > 0 ? .init(startLine: finding.line) : nil))
      ],
      partialFingerprints: ["thumbturn/v1": hash.text],
      properties: .init(
        kind: finding.kind.rawValue, target: finding.target, fix: finding.fix, appStoreError: finding.appStoreError))
  }
}
