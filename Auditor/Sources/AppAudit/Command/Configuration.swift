import Foundation

/// `.thumbturn-audit.json` at the root of the project, or the file of `--config`.
struct Configuration: Decodable, Sendable {
  static let fileName = ".thumbturn-audit.json"

  /// Rules that are left out, each with the reason.
  var disabledRules: [Disabled]?
  /// Another weight for a rule.
  var severities: [String: Severity]?
  /// Beginnings of paths that are left out.
  var excluded: [String]?
  var threshold: Severity?

  struct Disabled: Decodable, Sendable {
    var rule: String
    var reason: String
  }

  private enum CodingKeys: String, CodingKey, CaseIterable { case disabledRules, severities, excluded, threshold }

  static func read(_ path: String) throws(UsageError) -> Self {
    switch ProjectFiles.read(path) {
    case .failure(let failure): throw UsageError("the configuration \(path) \(failure.reason)")
    case .success(let bytes):
      let configuration: Self
      do {
        configuration = try JSONDecoder().decode(Self.self, from: Data(bytes))
      } catch { throw UsageError("the configuration \(path) is not of its form: \(Self.describe(error))") }
      try configuration.check(bytes, path)
      return configuration
    }
  }

  private static func describe(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "it cannot be read" }
    switch error {
    case .keyNotFound(let key, _): return "\(key.stringValue) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      let place = context.codingPath.map(\.stringValue).joined(separator: ".")
      return place.isEmpty ? "it is no JSON object" : "\(place) is of the wrong type or value"
    @unknown default: return "it cannot be read"
    }
  }

  private func check(_ bytes: [UInt8], _ path: String) throws(UsageError) {
    let object = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any]
    let known = CodingKeys.allCases.map(\.rawValue)
    for key in (object ?? [:]).keys.sorted() where !known.contains(key) {
      throw UsageError(
        "the configuration \(path) has no key \(key)",
        hint: Spelling.closest(to: key, among: known).map { "did you mean \($0)?" })
    }
    for disabled in disabledRules ?? [] {
      _ = try Options.rule(disabled.rule)
      guard !disabled.reason.trimmed.isEmpty else { throw UsageError("\(disabled.rule) is left out without a reason") }
    }
    for id in (severities ?? [:]).keys.sorted() { _ = try Options.rule(id) }
  }
}
