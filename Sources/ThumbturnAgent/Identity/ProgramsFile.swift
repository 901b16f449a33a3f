internal import FoundationEssentials
internal import ThumbturnCrypto

/// `programs.json` in `$XDG_CONFIG_HOME/thumbturn`: which program has which access groups.
///
/// `{"programs": [{"app": "org.example.Notes", "groups": ["org.example.Notes", "org.example.shared"]}]}`; in place of `app`
/// it may be `unit`, a unit of systemd, or `executable`, an absolute path.
package struct ProgramsFile: Hashable, Sendable {
  /// The largest file, in bytes: some thousand programs.
  package static let countMax = 1_048_576

  private struct Row: Hashable, Sendable, Decodable {
    var app: String?
    var unit: String?
    var executable: String?
    var groups: [String]
  }
  private struct Content: Decodable { var programs: [Row] }

  private let rows: [Row]
  /// Whether there is a file that cannot be understood: it may have been meant to keep groups from others, so every program
  /// has `default` alone.
  package let isUnusable: Bool
  /// Groups that belong to applications and units alone.
  package let reserved: Set<String>

  /// A file without programs.
  package init() {
    rows = []
    reserved = []
    isUnusable = false
  }

  private init(isUnusable: Bool) {
    rows = []
    reserved = []
    self.isUnusable = isUnusable
  }

  package static let unusable = ProgramsFile(isUnusable: true)

  /// Reads the text of a file; nil when it is none of this form.
  package init?(_ text: [UInt8]) {
    guard text.count <= Self.countMax,
      let content = try? JSONDecoder().decode(Content.self, from: Data(text))
    else { return nil }
    // A row for two things, or for nothing, says nothing.
    guard content.programs.allSatisfy({ [$0.app, $0.unit, $0.executable].count { $0 != nil } == 1 }) else { return nil }
    rows = content.programs
    isUnusable = false
    reserved = Set(rows.filter { $0.executable == nil }.flatMap(\.groups))
  }

  package var isEmpty: Bool { rows.isEmpty && !isUnusable }

  /// The groups of an application or unit; nil when it has none of its own.
  package func groups(of identity: ProgramIdentity) -> [String]? {
    switch identity {
    case .app(let name): rows.first { $0.app == name }?.groups
    case .unit(let name): rows.first { $0.unit == name }?.groups
    case .plain: nil
    }
  }

  /// The groups that are advised for an executable.
  package func groups(ofExecutable path: String?) -> [String]? {
    guard let path else { return nil }
    return rows.first { $0.executable == path }?.groups
  }

  /// The user's file; ``unusable`` when it is there and cannot be read, or is none.
  package static func standard() -> ProgramsFile {
    guard let path = standardPath else { return ProgramsFile() }
    switch system_configuration(of: path, countMax: countMax) {
    case .missing: return ProgramsFile()
    case .unreadable: return unusable
    case .bytes(let bytes): return ProgramsFile(bytes) ?? unusable
    }
  }

  /// Looked up once: a copy of the whole environment costs more than a find.
  private static let standardPath: String? = {
    let environment = ProcessInfo.processInfo.environment
    if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return "\(base)/thumbturn/programs.json" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/.config/thumbturn/programs.json"
  }()
}
