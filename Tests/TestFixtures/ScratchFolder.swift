internal import Foundation
internal import Glibc

/// A folder of its own in memory, or where there is none on disk; removed when it is let go.
public final class ScratchFolder {
  /// Absolute path.
  public let path: String

  /// Makes the folder.
  public init(_ name: String) throws {
    let base = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
    path = "\(base)/thumbturn-\(name)-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
