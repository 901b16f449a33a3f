import Glibc
package import ThumbturnAgentClient
import ThumbturnCrypto
import ThumbturnShims

/// Files that are no body of a message.
package enum OpenFile {
  /// A file in memory that nobody sealed.
  package static func unsealed(count: Int) -> BodyFile? {
    guard
      let file = try? system_openat(
        system_currentFolder, "/dev/shm", flags: O_RDWR | 0o20_200_000, mode: 0o600)
    else { return nil }
    guard ftruncate(file, count) == 0 else { return nil }
    return BodyFile(descriptor: file)
  }

  /// A sealed file in memory of which no page is there.
  package static func sparse(count: Int) -> BodyFile? {
    let file = makeMemoryFile()
    guard file >= 0, ftruncate(file, count) == 0, sealMemoryFile(file) == 0 else { return nil }
    return BodyFile(descriptor: file)
  }

  /// No file in memory at all.
  package static func null() -> BodyFile? {
    (try? system_openat(system_currentFolder, "/dev/null", flags: O_RDWR)).map { BodyFile(descriptor: $0) }
  }
}
