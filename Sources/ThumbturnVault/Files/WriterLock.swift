internal import Synchronization
internal import ThumbturnCrypto

/// The writer lock, with a queue before it (VAULT.md §6).
///
/// A blocking flock has no limit, and a stopped holder would hang everybody, so every writer asks again and again. But who
/// has just let go asks first, and wins: others can starve. So a writer first takes the place of the next one, which is a
/// lock on the first byte of the same file, and only who has it asks for the writer lock.
final class WriterLock: Sendable {
  static let fileName = "writer.lock"
  /// How long a writer waits for the place of the next one. Who has it may be stopped too.
  private static let queueNanoseconds: Int64 = 1_000_000_000
  /// How long the queue is left alone after that, by this process.
  private static let stuckNanoseconds: Int64 = 5_000_000_000

  private let lock: FileLock
  private let stuckUntil = Atomic<Int64>(0)

  init(in folder: Folder) throws(VaultError) {
    lock = try FileLock(in: folder, name: Self.fileName, part: .writerLock, mode: .exclusive)
  }

  /// Waits for the lock. Needs one ``give()``.
  ///
  /// - Throws: ``VaultError/Code/writerBusy`` when the patience is over.
  func take(_ patience: Patience) throws(VaultError) {
    let isNext = try queue(patience)
    defer { if isNext { system_unlockFirstByte(lock.descriptor) } }
    while try !lock.take() {
      guard patience.pause(isNext: isNext) else { throw Self.isBusy }
    }
  }

  /// Takes the lock if it is free now. Every true needs one ``give()``.
  func takeNow() throws(VaultError) -> Bool { try lock.take() }

  func give() { lock.give() }

  /// Whether the file in the folder is still the one that is open here.
  func isCurrent(in folder: Folder) throws(VaultError) -> Bool { try lock.isCurrent(in: folder) }

  static var isBusy: VaultError { VaultError(.writerBusy, "it was not free for 5 seconds", part: .writerLock) }

  /// Waits to be the next one; false when it goes without.
  private func queue(_ patience: Patience) throws(VaultError) -> Bool {
    let began = system_bootNanoseconds()
    guard began >= stuckUntil.load(ordering: .relaxed) else { return false }
    while true {
      do throws(SystemError) {
        try system_lockFirstByte(lock.descriptor)
        return true
      } catch {
        guard [.wouldBlock, .refused].contains(error) else { throw VaultError(error, part: .writerLock) }
      }
      guard patience.pause() else { throw Self.isBusy }
      guard system_bootNanoseconds() - began < Self.queueNanoseconds else {
        stuckUntil.store(system_bootNanoseconds() + Self.stuckNanoseconds, ordering: .relaxed)
        return false
      }
    }
  }
}
