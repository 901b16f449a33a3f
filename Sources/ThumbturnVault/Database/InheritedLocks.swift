internal import Glibc
internal import Synchronization
internal import ThumbturnCrypto

/// What a forked child must do that SQLite does not.
///
/// SQLite knows by a table in memory which files this process has locked. A child inherits the table and not the locks,
/// which are its parent's. It would then be nobody to other programs: the last of them to close would delete the
/// write-ahead log that the child goes on writing to, and what it was told to be on disk would be lost. So the child takes
/// the lock that SQLite believes it has, on a descriptor of its own that is never closed.
enum InheritedLocks {
  /// SQLite's shared range: SHARED_FIRST and SHARED_SIZE of its file format.
  private static let start: Int64 = 0x4000_0002
  private static let count: Int64 = 510

  /// The process that opened the first connection; 0 before that.
  private static let opener = Atomic<Int32>(0)

  private final class Held: Sendable {
    let inodes = Mutex<Set<UInt64>>([])
  }
  private static let held = PerProcess { Held() }

  /// Called before each connection is opened.
  static func hold(_ name: String, in folder: Folder) throws(VaultError) {
    let process = system_process()
    let (isFirst, first) = opener.compareExchange(expected: 0, desired: process, ordering: .acquiringAndReleasing)
    guard !isFirst, first != process else { return }
    guard let facts = try folder.facts(of: name), !held.object.inodes.withLock({ $0.contains(facts.inode) }) else {
      return
    }
    let patience = Patience()
    do throws(SystemError) {
      let descriptor = try system_openat(folder.descriptor, name, flags: O_RDWR | O_NOFOLLOW | O_NONBLOCK)
      while true {
        do throws(SystemError) {
          try system_lockShared(descriptor, start: start, count: count)
          break
        } catch {
          // Another program is just closing the vault. The descriptor stays open whatever happens: closing it would drop
          // every lock of this process on the file.
          guard [.wouldBlock, .refused].contains(error), patience.pause() else { throw error }
        }
      }
      _ = held.object.inodes.withLock { $0.insert(facts.inode) }
    } catch {
      throw VaultError(error, part: .database, fileName: name)
    }
  }
}
