public import Foundation
public import ThumbturnVault

/// A folder for one test's vault, removed when the test lets go of it. Never the user's.
public final class TemporaryHome: Sendable {
  /// Absolute path, without links.
  public let path: String
  /// The vault in it.
  public let location: VaultLocation

  /// Makes the folder.
  public init() throws {
    let base = URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath()
    let folder = base.appendingPathComponent("thumbturn-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    path = folder.path
    location = VaultLocation(home: folder.path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The names in one of the two folders, sorted.
  public func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  /// Every file below the home, with its bytes.
  public func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      let facts = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
      guard facts[.type] as? FileAttributeType == .typeRegular else { continue }
      files[name] = try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
    }
    return files
  }
}
