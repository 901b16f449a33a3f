/// What a rule saw in one file. It depends on the bytes of the file and the build conditions alone, so it can be kept.
struct Observation: Hashable, Sendable, Codable {
  /// The rule that saw it.
  var rule: String
  /// What was seen, in the rule's own words: a symbol, a key.
  var name: String
  /// From 1.
  var line: Int
  /// More about it, in the rule's own words.
  var detail: [String: String] = [:]
}

/// An observation with the file that it was made in.
struct PlacedObservation: Sendable {
  var path: String
  var observation: Observation

  var name: String { observation.name }
  var line: Int { observation.line }
  func detail(_ key: String) -> String? { observation.detail[key] }
}

/// Where the observers of one file write.
struct Notebook {
  /// More observations in one file are dropped: a generated file must not fill the memory.
  static let countMax = 20_000
  /// The rule whose observer is at work.
  var rule = ""
  private(set) var observations: [Observation] = []

  mutating func note(_ name: String, line: Int, _ detail: [String: String] = [:]) {
    guard observations.count < Self.countMax else { return }
    observations.append(Observation(rule: rule, name: name, line: line, detail: detail))
  }
}
