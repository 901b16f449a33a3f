/// A manifest that is no property list, or holds unknown keys, wrong types or entries that are not filled in.
struct ManifestSchemaRule: Rule {
  let about = RuleDescription(
    id: "manifest.schema",
    kind: .manifest,
    title: "The privacy manifest does not have the form that Apple reads",
    why: """
      A manifest with an unknown key, a value of another type or an empty entry is answered with ITMS-91056 \
      (ITMS-91108 outside the places that Apple documents). A key that is spelt wrong declares nothing.
      """,
    fix: "Write the keys and types of Apple's App privacy configuration, and remove entries that are not filled in.",
    appStoreErrors: ["ITMS-91056", "ITMS-91108"])

  private enum Form: String {
    case boolean = "a boolean"
    case string = "a string"
    case strings = "an array of strings"
    case dictionaries = "an array of dictionaries"

    func holds(_ node: PropertyNode) -> Bool {
      switch self {
      case .boolean: node.boolean != nil
      case .string: node.string != nil
      case .strings: node.value.isArray && node.items.allSatisfy { $0.string != nil }
      case .dictionaries: node.value.isArray && node.items.allSatisfy(\.value.isDictionary)
      }
    }
  }

  private static let top: [(String, Form)] = [
    ("NSPrivacyTracking", .boolean), ("NSPrivacyTrackingDomains", .strings),
    ("NSPrivacyCollectedDataTypes", .dictionaries), ("NSPrivacyAccessedAPITypes", .dictionaries),
  ]
  private static let accessed: [(String, Form)] = [
    ("NSPrivacyAccessedAPIType", .string), ("NSPrivacyAccessedAPITypeReasons", .strings),
  ]
  private static let collected: [(String, Form)] = [
    ("NSPrivacyCollectedDataType", .string), ("NSPrivacyCollectedDataTypeLinked", .boolean),
    ("NSPrivacyCollectedDataTypeTracking", .boolean), ("NSPrivacyCollectedDataTypePurposes", .strings),
  ]

  func findings(in target: AuditedTarget) -> [Finding] {
    target.target.manifests.filter(\.hasRightName).flatMap { findings($0, target) }
  }

  private func findings(_ manifest: PrivacyManifest, _ target: AuditedTarget) -> [Finding] {
    guard let root = manifest.root else {
      let problem = manifest.problem ?? PropertyListError(line: 0, reason: "it cannot be read")
      return [
        finding(
          .error, at: Place(path: manifest.path, line: problem.line), in: target,
          "the manifest is no property list: \(problem.reason)", error: "ITMS-91056")
      ]
    }
    guard root.value.isDictionary else {
      return [
        finding(
          .error, at: Place(path: manifest.path, line: root.line), in: target,
          "the manifest is \(root.typeName), not a dictionary", error: "ITMS-91056")
      ]
    }
    var check = Check(rule: self, path: manifest.path, target: target)
    check.dictionary(root, Self.top, required: [], "the manifest")
    for entry in root["NSPrivacyAccessedAPITypes"]?.items ?? [] where entry.value.isDictionary {
      check.dictionary(entry, Self.accessed, required: Self.accessed.map(\.0), "the entry")
    }
    for entry in root["NSPrivacyCollectedDataTypes"]?.items ?? [] where entry.value.isDictionary {
      check.dictionary(entry, Self.collected, required: Self.collected.map(\.0), "the entry")
    }
    check.repeated(root)
    if root["NSPrivacyCollectedDataTypes"] == nil {
      check.add(
        .warning, root.line, "NSPrivacyCollectedDataTypes is missing: Xcode cannot make its privacy report",
        fix: "Add NSPrivacyCollectedDataTypes, as an empty array when nothing is collected.", error: nil)
    }
    return check.findings
  }

  private struct Check {
    let rule: ManifestSchemaRule
    let path: String
    let target: AuditedTarget
    var findings: [Finding] = []

    mutating func add(
      _ severity: Severity, _ line: Int, _ message: String, fix: String? = nil, error: String? = "ITMS-91056"
    ) {
      findings.append(
        rule.finding(severity, at: Place(path: path, line: line), in: target, message, fix: fix, error: error))
    }

    mutating func dictionary(_ node: PropertyNode, _ forms: [(String, Form)], required: [String], _ name: String) {
      let known = forms.map(\.0)
      for entry in node.entries {
        if let form = forms.first(where: { $0.0 == entry.key })?.1 {
          if !form.holds(entry.node) {
            add(.error, entry.line, "\(entry.key) is \(entry.node.typeName), and must be \(form.rawValue)")
          } else if form == .string && entry.node.string?.trimmed.isEmpty == true {
            add(.error, entry.line, "\(entry.key) is empty")
          } else if form == .strings, required.contains(entry.key), entry.node.items.isEmpty {
            add(.error, entry.line, "\(entry.key) names none")
          }
        } else {
          let right = ManifestFacts.shared.hint(entry.key, among: known)
          add(
            .error, entry.line, "\(entry.key) is no key of a privacy manifest",
            fix: right.map { "Write \($0)." } ?? "Remove it: Apple knows \(known.joined(separator: ", ")).")
        }
      }
      let missing = required.filter { node[$0] == nil }
      if !missing.isEmpty { add(.error, node.line, "\(name) lacks \(missing.joined(separator: " and "))") }
    }

    mutating func repeated(_ root: PropertyNode) {
      var known: Set<String> = []
      for entry in root["NSPrivacyAccessedAPITypes"]?.items ?? [] {
        guard let category = entry["NSPrivacyAccessedAPIType"]?.string, !known.insert(category).inserted else {
          continue
        }
        add(
          .warning, entry.line, "\(category) is declared twice", fix: "Declare it once, with all its reasons.",
          error: "ITMS-91056")
      }
    }
  }
}

extension PropertyValue {
  var isArray: Bool { if case .array = self { true } else { false } }
  var isDictionary: Bool { if case .dictionary = self { true } else { false } }
}
