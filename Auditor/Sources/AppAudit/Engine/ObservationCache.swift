import Foundation

/// Keeps what was observed in a file, by the hash of its content and of the rules that looked. In a folder of the
/// caller's choice; nobody but the caller cleans it. A file that cannot be read or written is as if it were not there.
struct ObservationCache: Sendable {
  /// Raised when the engine itself sees more than before.
  private static let engineVersion = 2
  let folder: String
  private let rules: UInt64

  init?(folder: String, rules: [any Rule]) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch { return nil }
    self.folder = folder
    var hash = Hash128()
    hash.add("\(Self.engineVersion)")
    for rule in rules { hash.add("\(rule.about.id) \(rule.version)") }
    self.rules = hash.low
  }

  func key(_ bytes: [UInt8], _ conditions: Set<String>, _ language: SourceFile.Language) -> String {
    var hash = Hash128()
    hash.add("\(rules) \(language.rawValue) \(conditions.sorted())")
    hash.add(bytes)
    return hash.text
  }

  func observations(for key: String) -> [Observation]? {
    guard case .success(let bytes) = ProjectFiles.read(folder + "/" + key) else { return nil }
    // An empty file: nothing was observed. Most files are like that.
    if bytes.isEmpty { return [] }
    return try? JSONDecoder().decode([Observation].self, from: Data(bytes))
  }

  func keep(_ observations: [Observation], for key: String) {
    let data = observations.isEmpty ? Data() : (try? JSONEncoder().encode(observations))
    try? data?.write(to: URL(fileURLWithPath: folder + "/" + key), options: .atomic)
  }
}

/// Two FNV hashes side by side: enough that two files of a project never meet by accident.
struct Hash128 {
  private(set) var low: UInt64 = 0xCBF2_9CE4_8422_2325
  private var high: UInt64 = 0x6C62_272E_07BB_0142

  mutating func add(_ text: String) { add(Array(text.utf8)) }

  mutating func add(_ bytes: [UInt8]) {
    for byte in bytes {
      low = (low ^ UInt64(byte)) &* 0x100_0000_01B3
      high = (high ^ UInt64(byte &+ 0x5D)) &* 0x9E37_79B9_7F4A_7C15
      high ^= high >> 29
    }
  }

  var text: String {
    let low = String(low, radix: 16)
    let high = String(high, radix: 16)
    return String(repeating: "0", count: 16 - low.count) + low + String(repeating: "0", count: 16 - high.count) + high
  }
}
