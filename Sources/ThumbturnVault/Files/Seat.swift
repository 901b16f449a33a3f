internal import Synchronization
internal import ThumbturnCrypto

/// Who may open the vault now: an agent holds the seat while it runs, a call in process takes it for that call
/// (VAULT.md §7). Also knows whether folder and keybag are still those that were opened.
final class Seat: Sendable {
  static let fileName = "seat.lock"
  /// File times come from a coarse clock: a stamp younger than this could hide a change within the same tick.
  private static let settledNanoseconds: Int64 = 20_000_000

  /// What changes when folder or keybag do.
  private struct Stamps: Equatable {
    let folder: [Int64]
    let keybag: [Int64]
    let newestNanoseconds: Int64

    init(folder: FileFacts, keybag: FileFacts) {
      self.folder = [Int64(bitPattern: folder.device), Int64(bitPattern: folder.inode), folder.changedNanoseconds]
      self.keybag = [
        Int64(bitPattern: keybag.inode), keybag.linkCount > 0 ? 1 : 0, keybag.sizeBytes, keybag.changedNanoseconds,
      ]
      newestNanoseconds = max(folder.changedNanoseconds, keybag.changedNanoseconds)
    }
  }

  let folder: Folder
  private let path: String
  private let keybag: KeybagFile
  private let lock: FileLock
  /// Whether this process keeps the seat, as an agent does: a call then takes nothing.
  private let isHeld: Bool
  /// The database's file when it was opened: one that was removed or exchanged would take writes that nobody finds again.
  private let database = Mutex<(name: String, inode: UInt64)?>(nil)
  private let remembered = Mutex<Stamps?>(nil)

  /// - Parameters:
  ///   - keybag: The keybag's file, open since it was read.
  ///   - held: The lock of a process that keeps the seat; nil in one that takes it for each call.
  init(_ folder: Folder, path: String, keybag: KeybagFile, held: FileLock? = nil) throws(VaultError) {
    self.folder = folder
    self.path = path
    self.keybag = keybag
    isHeld = held != nil
    if let held {
      guard try held.isCurrent(in: folder) else {
        throw VaultError(.seatTaken, "the vault folder was exchanged while an agent holds it", part: .seatLock)
      }
      lock = held
      return
    }
    lock = try FileLock(in: folder, name: Self.fileName, part: .seatLock, mode: .shared)
  }

  /// From now on the database must be the file that it is now.
  func holdDatabase(_ name: String) throws(VaultError) {
    guard let facts = try folder.facts(of: name) else {
      throw VaultError(.missing, "the database is missing", part: .database, fileName: name)
    }
    database.withLock { $0 = (name, facts.inode) }
  }

  /// Takes the seat for one call; every call needs one ``give()``.
  func take() throws(VaultError) {
    guard !isHeld else { return }
    guard try lock.take() else {
      throw VaultError(.seatTaken, "another process holds the vault, and no agent answers", part: .seatLock)
    }
  }

  func give() { if !isHeld { lock.give() } }

  /// Whether folder and keybag are those that were opened. With the seat taken.
  func isCurrent() throws(VaultError) -> Bool {
    let now = try stamps()
    if remembered.withLock({ $0 == now }) { return true }
    guard try isCurrentByPath() else { return false }
    let isSettled = now.newestNanoseconds + Self.settledNanoseconds <= system_coarseNanoseconds()
    remembered.withLock { $0 = isSettled ? now : nil }
    return true
  }

  private func stamps() throws(VaultError) -> Stamps {
    Stamps(folder: try folder.facts(), keybag: try keybag.facts())
  }

  private func isCurrentByPath() throws(VaultError) -> Bool {
    let there: FileFacts
    do { there = try system_fstatat(system_currentFolder, path) } catch .missing { return false } catch {
      throw VaultError(error, part: .vaultFolder)
    }
    let here = try folder.facts()
    guard there.device == here.device, there.inode == here.inode else { return false }
    guard try lock.isCurrent(in: folder) else { return false }
    if let database = database.withLock({ $0 }) {
      guard try folder.facts(of: database.name)?.inode == database.inode else { return false }
    }
    guard let keybagThere = try folder.facts(of: Keybag.fileName) else { return false }
    let keybagHere = try keybag.facts()
    return keybagThere.inode == keybagHere.inode && keybagHere.linkCount > 0
      && keybagThere.changedNanoseconds == keybag.readNanoseconds
  }
}

/// The keybag's file, kept open so that one `fstat` tells whether it is still the one that was read.
final class KeybagFile: Sendable {
  private let descriptor: Int32
  /// Its change time when it was read: an edit in place makes it another.
  let readNanoseconds: Int64

  init(descriptor: Int32) throws(VaultError) {
    self.descriptor = descriptor
    do { readNanoseconds = try system_fstat(descriptor).changedNanoseconds } catch {
      system_close(descriptor)
      throw VaultError(error, part: .keybag)
    }
  }
  deinit { system_close(descriptor) }

  func facts() throws(VaultError) -> FileFacts {
    do { return try system_fstat(descriptor) } catch { throw VaultError(error, part: .keybag) }
  }

  /// All bytes of the file, which hold only wrapped keys.
  func read() throws(VaultError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Keybag.fileCountMax + 1)
    var out = bytes.mutableSpan
    let count: Int
    do { count = try system_read(descriptor, into: &out) } catch { throw VaultError(error, part: .keybag) }
    guard count <= Keybag.fileCountMax else { throw VaultError(.damaged, "the keybag is too large", part: .keybag) }
    return Array(bytes.prefix(count))
  }
}
