import Foundation
import Glibc
import Synchronization

/// A socket where a bus would be. It never speaks.
final class Listener: Sendable {
  let address: String
  private let descriptor: Int32
  private let folder: ScratchPath
  private let accepted = Count()

  var count: Int { accepted.value.load(ordering: .relaxed) }

  private final class Count: Sendable { let value = Atomic<Int>(0) }

  /// - Parameter accepts: Whether it accepts each connection and closes it at once; else nobody answers.
  init(accepts: Bool) throws {
    folder = try ScratchPath()
    let path = folder.path + "/socket"
    address = "unix:path=\(path)"
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    self.descriptor = descriptor
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let status = unsafe withUnsafePointer(to: &name) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0, listen(descriptor, 8) == 0 else { throw Service.Failure(description: "no socket") }
    guard accepts else { return }
    Thread.detachNewThread { [accepted] in
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        accepted.value.add(1, ordering: .relaxed)
        close(connection)
      }
    }
  }

  deinit {
    // It ends the accept.
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }
}

/// A folder of a test, removed when it is let go.
final class ScratchPath: Sendable {
  let path = NSTemporaryDirectory() + "tt-bus-\(UUID().uuidString.prefix(8))"
  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }
  deinit { try? FileManager.default.removeItem(atPath: path) }
}
