internal import Glibc
internal import Synchronization
internal import ThumbturnCrypto
internal import ThumbturnShims

/// A lock file with one descriptor for the whole process (VAULT.md §7).
///
/// Two shared takes on one descriptor would be freed by one unlock, so the users are counted and the last one unlocks. The
/// file is never removed. A forked child never unlocks: that would free its parent's lock. It closes the descriptor before
/// it does anything else, because the lock belongs to the open file and would outlive a parent that is killed.
final class FileLock: Sendable {
  let name: String
  let part: VaultError.Part
  let descriptor: Int32
  private let mode: LockMode
  private let process: Int32
  private let device: UInt64
  private let inode: UInt64
  private let users = Mutex(0)

  /// Opens the lock file, and makes it when it is not there.
  init(in folder: Folder, name: String, part: VaultError.Part, mode: LockMode) throws(VaultError) {
    self.name = name
    self.part = part
    self.mode = mode
    process = system_process()
    descriptor = try Self.open(in: folder, name, part, mode)
    do {
      let facts = try system_fstat(descriptor)
      (device, inode) = (facts.device, facts.inode)
    } catch {
      system_close(descriptor)
      throw VaultError(error, part: part, fileName: name)
    }
    guard closeInChildren(descriptor) else {
      system_close(descriptor)
      throw VaultError(.outOfMemory, "no memory for a lock", part: part)
    }
  }

  private static func open(
    in folder: Folder, _ name: String, _ part: VaultError.Part, _ mode: LockMode
  ) throws(VaultError) -> Int32 {
    // Only who may write takes an exclusive one, and a lock of bytes asks for it.
    let isWriting = mode == .exclusive
    if let found = try folder.open(name, as: part, writing: isWriting) { return found }
    do throws(VaultError) { return try folder.create(name, as: part) } catch {
      // Another process may have made it between the two calls.
      guard let found = try folder.open(name, as: part, writing: isWriting) else { throw error }
      return found
    }
  }

  deinit {
    // In a forked child it is closed already, and its number may be another file's.
    guard isHere else { return }
    keepInChildren(descriptor)
    system_close(descriptor)
  }

  /// Whether this process made it.
  private var isHere: Bool { process == system_process() }

  /// Takes the lock if nobody holds it against us. Every true needs one ``give()``.
  func take() throws(VaultError) -> Bool {
    guard isHere else { throw VaultError(.forkedInCall, "the lock is another process's", part: part) }
    return try users.withLock { (users: inout Int) throws(VaultError) -> Bool in
      if users == 0 {
        do throws(SystemError) { try system_flock(descriptor, mode) } catch {
          if error == .wouldBlock { return false }
          throw VaultError(error, part: part, fileName: name)
        }
      } else if mode == .exclusive {
        return false
      }
      users += 1
      return true
    }
  }

  func give() {
    users.withLock { users in
      users -= 1
      if users == 0, isHere { system_unlock(descriptor) }
    }
  }

  /// Whether the file in the folder is still the one that is open here.
  func isCurrent(in folder: Folder) throws(VaultError) -> Bool {
    guard isHere, let there = try folder.facts(of: name) else { return false }
    // While it is open here its number is not given to another file.
    return there.device == device && there.inode == inode
  }
}
