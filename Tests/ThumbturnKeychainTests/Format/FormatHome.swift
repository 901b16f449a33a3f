internal import Foundation
internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnVault

/// A folder with a vault of its own, removed with this value.
final class FormatHome: Sendable {
  let url: URL

  /// An empty one: the first add makes the vault.
  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "thumbturn-format-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  /// A copy of a fixture, with the modes that git does not keep.
  convenience init(fixture name: String) throws {
    try self.init()
    let source = try Self.fixture(name)
    for folder in ["vault", "device"] {
      let copy = url.appending(path: folder)
      try FileManager.default.createDirectory(
        at: copy, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      for file in try FileManager.default.contentsOfDirectory(atPath: source.appending(path: folder).path) {
        // A new file, not a copy: the fixture's may be read-only.
        let bytes = try Data(contentsOf: source.appending(path: folder).appending(path: file))
        try #require(
          FileManager.default.createFile(
            atPath: copy.appending(path: file).path, contents: bytes, attributes: [.posixPermissions: 0o600]))
      }
    }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  static func fixture(_ name: String) throws -> URL {
    try #require(Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Fixtures"))
  }

  var location: VaultLocation { VaultLocation(home: url.path) }

  /// The path of the database below the home.
  var database: String {
    get throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: url.appending(path: "vault").path)
      return "vault/" + (try #require(names.first { $0.hasSuffix(".db") }))
    }
  }

  /// The path of the device key below the home.
  var deviceKey: String {
    get throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: url.appending(path: "device").path)
      return "device/" + (try #require(names.first { $0.hasPrefix("d0-") }))
    }
  }

  func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: url.appending(path: path))) }

  /// Writes over a file in place, so that it keeps its mode.
  func put(_ bytes: [UInt8], to path: String) throws {
    let file = try FileHandle(forWritingTo: url.appending(path: path))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }

  /// Every file but the locks, which every call may make.
  func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for folder in ["vault", "device"] {
      for name in try FileManager.default.contentsOfDirectory(atPath: url.appending(path: folder).path)
      where !name.hasSuffix(".lock") {
        files["\(folder)/\(name)"] = try bytes("\(folder)/\(name)")
      }
    }
    return files
  }

  /// Calls `body` with an own connection to the database, which which a vault may have open too.
  func withDatabase<Result>(_ body: (borrowing Connection) throws -> Result) throws -> Result {
    let path = try url.resolvingSymlinksInPath().path + "/" + database
    let connection = try Connection(path: path, .normal)
    return try body(connection)
  }
}
