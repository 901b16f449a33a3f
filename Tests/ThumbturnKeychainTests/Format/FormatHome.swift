internal import Foundation
internal import TestFixtures
internal import Testing

@testable internal import ThumbturnVault

/// A temporary home with a vault of a fixture, or with none yet.
struct FormatHome {
  private let home: TemporaryHome
  private var url: URL { URL(filePath: home.path) }

  /// An empty one: the first add makes the vault.
  init() throws { home = try TemporaryHome() }

  /// A copy of a fixture, with the modes that git does not keep.
  init(fixture name: String) throws {
    home = try TemporaryHome()
    let url = URL(filePath: home.path)
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

  static func fixture(_ name: String) throws -> URL {
    try #require(Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Fixtures"))
  }

  var location: VaultLocation { home.location }

  /// The path of the database below the home.
  var database: String {
    get throws {
      let names = try home.names(in: location.vaultFolder)
      return "vault/" + (try #require(names.first { $0.hasSuffix(".db") }))
    }
  }

  /// The path of the device key below the home.
  var deviceKey: String {
    get throws {
      let names = try home.names(in: location.deviceFolder)
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
    try home.files().filter { !$0.key.hasSuffix(".lock") }.mapValues { Array($0) }
  }

  /// Calls `body` with an own connection to the database, which which a vault may have open too.
  func withDatabase<Result>(_ body: (borrowing Connection) throws -> Result) throws -> Result {
    let path = try home.path + "/" + database
    let connection = try Connection(path: path, .normal)
    return try body(connection)
  }
}
