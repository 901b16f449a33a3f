import Foundation

/// A package or pod in the version that a lock file holds.
struct Pin: Hashable, Sendable {
  enum Origin: Hashable, Sendable {
    /// The repository as `owner/name`, in small letters.
    case package(String)
    /// The pod without its subspec, from a public list of pods.
    case pod(String)
  }

  var origin: Origin
  /// As written, such as "5.8.1".
  var version: String
  var place: Place
}

/// Reads `Package.resolved` of Xcode projects and `Podfile.lock`: which versions an app is built with. What is pinned to a
/// branch or commit has no version, and so no pin.
struct LockFileReader {
  let files: ProjectFiles
  private(set) var pins: [Pin] = []
  private(set) var notes: [Note] = []
  /// A lock file that is larger was not made by these tools.
  static let sizeBytesMax = 4 << 20

  /// - Parameter paths: Files of the team, in any order.
  init(files: ProjectFiles, paths: [String]) {
    self.files = files
    for path in paths {
      // Others belong to packages by themselves, and Xcode builds no app with them.
      if path.hasSuffix("/xcshareddata/swiftpm/Package.resolved") {
        read(path, Self.packages)
      } else if Path.name(path) == "Podfile.lock" {
        read(path, Self.pods)
      }
    }
  }

  private mutating func read(_ path: String, _ parse: ([UInt8], String) -> [Pin]?) {
    guard case .success(let bytes) = files.read(path), bytes.count <= Self.sizeBytesMax, let found = parse(bytes, path)
    else {
      notes.append(Note(path: path, message: "cannot be read: the versions in it are not known"))
      return
    }
    pins += found
  }

  private static func packages(_ bytes: [UInt8], _ path: String) -> [Pin]? {
    guard let root = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] else { return nil }
    let list = root["pins"] ?? (root["object"] as? [String: Any])?["pins"]
    guard let list = list as? [Any] else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    return list.compactMap { item in
      guard let item = item as? [String: Any], let state = item["state"] as? [String: Any],
        let version = state["version"] as? String,
        let location = item["location"] as? String ?? item["repositoryURL"] as? String,
        let repository = repository(location)
      else { return nil }
      let line = lines.firstIndex { $0.contains("\"\(location)\"") }.map { $0 + 1 } ?? 0
      return Pin(origin: .package(repository), version: version, place: Place(path: path, line: line))
    }
  }

  /// `owner/name` of an address at GitHub.
  private static func repository(_ location: String) -> String? {
    var text = location.lowercased()
    guard let host = text.range(of: "github.com") else { return nil }
    text = String(text[host.upperBound...].drop { $0 == "/" || $0 == ":" })
    if text.hasSuffix("/") { text.removeLast() }
    if text.hasSuffix(".git") { text.removeLast(4) }
    return text.split(separator: "/").count == 2 ? text : nil
  }

  /// `  - Name/Sub (1.2.3):` below `PODS:`, less what is listed below `EXTERNAL SOURCES:`.
  private static func pods(_ bytes: [UInt8], _ path: String) -> [Pin]? {
    var pins: [String: Pin] = [:]
    var foreign: Set<String> = []
    var section = ""
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      if !line.hasPrefix(" ") {
        section = String(line).trimmed
      } else if section == "PODS:", line.hasPrefix("  - ") {
        let text = line.dropFirst(4).filter { $0 != "\"" }
        guard let open = text.lastIndex(of: "("), let close = text.lastIndex(of: ")"), open < close else { continue }
        let name = String(text[..<open]).trimmed.prefix { $0 != "/" }
        guard pins[String(name)] == nil else { continue }
        pins[String(name)] = Pin(
          origin: .pod(String(name)), version: String(text[text.index(after: open)..<close]),
          place: Place(path: path, line: number + 1))
      } else if section == "EXTERNAL SOURCES:", line.hasPrefix("  "), !line.hasPrefix("   ") {
        foreign.insert(String(String(line).trimmed.filter { $0 != "\"" }.prefix { $0 != ":" && $0 != "/" }))
      }
    }
    return lines.contains("PODS:")
      ? pins.filter { !foreign.contains($0.key) }.values.sorted { $0.place.line < $1.place.line } : nil
  }
}
