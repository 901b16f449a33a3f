internal import ThumbturnCrypto

/// `device/attempts`, under `device/attempts.lock`: every try is counted, and on the disk, before it is checked (VAULT.md §9).
///
/// The lock is held from reading the count through the derivation to writing the result, so that tries of the library, the
/// command line and an agent queue, and each counts.
final class AttemptsFile {
  static let fileName = "attempts"
  static let lockName = "attempts.lock"
  /// While it is made.
  static let temporaryName = "attempts.new"
  /// How long a try waits for those before it, in seconds: five of them can derive before the delay sets in, on a machine
  /// that does other things too.
  static let waitSecondsMax: Int64 = 30

  private let folder: Folder
  private let mac: HMAC
  private let lock: FileLock
  private let moment: @Sendable () -> BootMoment
  private var descriptor: Int32?
  /// The count as it stands in the file; nil when no slot is valid.
  private var count: AttemptCount?
  /// The count before the try that runs now.
  private var before: AttemptCount?

  /// Takes the lock and reads the count. Nothing is written.
  ///
  /// - Throws: ``VaultError/Code/writerBusy`` when others kept the lock.
  init(
    in folder: Folder, _ deviceKey: borrowing SecretBytes, _ vault: Identifier,
    _ moment: @escaping @Sendable () -> BootMoment
  ) throws(VaultError) {
    self.folder = folder
    self.moment = moment
    mac = try Self.mac(deviceKey, vault)
    lock = try Self.take(in: folder)
    descriptor = nil
    count = nil
    do throws(VaultError) {
      descriptor = try folder.open(Self.fileName, as: .attempts, writing: true)
      if let descriptor { count = try Self.read(descriptor, mac) }
    } catch {
      lock.give()
      throw error
    }
  }

  deinit {
    if let descriptor { system_close(descriptor) }
    lock.give()
  }

  private static func mac(_ deviceKey: borrowing SecretBytes, _ vault: Identifier) throws(VaultError) -> HMAC {
    do throws(CryptoError) {
      let key = try DeviceKey.derive(from: deviceKey, "attempts", vault)
      return try HMAC(key: key.bytes)
    } catch { throw VaultError(error) }
  }

  private static func take(in folder: Folder) throws(VaultError) -> FileLock {
    let patience = Patience(seconds: waitSecondsMax)
    while true {
      let lock = try FileLock(in: folder, name: lockName, part: .attempts, mode: .exclusive)
      while try !lock.take() {
        guard patience.pause() else {
          throw VaultError(.writerBusy, "other tries of a passcode kept it", part: .attempts, fileName: lockName)
        }
      }
      if try lock.isCurrent(in: folder) { return lock }
      lock.give()
      guard patience.pause() else {
        throw VaultError(.writerBusy, "the lock was removed again and again", part: .attempts, fileName: lockName)
      }
    }
  }

  /// The count as it stands there now, without the lock. Nil when no slot is valid.
  static func present(
    in folder: Folder, _ deviceKey: borrowing SecretBytes, _ vault: Identifier, _ now: BootMoment
  ) throws(VaultError) -> LockOut? {
    guard let descriptor = try folder.open(fileName, as: .attempts) else { return nil }
    defer { system_close(descriptor) }
    return try read(descriptor, try mac(deviceKey, vault)).map { LockOut($0, now) }
  }

  private static func read(_ descriptor: Int32, _ mac: borrowing HMAC) throws(VaultError) -> AttemptCount? {
    // One byte more than the file may have, to see that it has no more.
    var bytes = [UInt8](repeating: 0, count: 2 * AttemptCount.slotCount + 1)
    var out = bytes.mutableSpan
    let read: Int
    do { read = try system_pread(descriptor, into: &out, at: 0) } catch {
      throw VaultError(error, part: .attempts)
    }
    guard read == 2 * AttemptCount.slotCount else { return nil }
    var newest: AttemptCount?
    for index in 0..<2 {
      let slot = bytes.span.extracting((index * AttemptCount.slotCount)..<((index + 1) * AttemptCount.slotCount))
      do throws(CryptoError) {
        guard let found = try AttemptCount(slot: slot, mac) else { continue }
        if found.sequence >= newest?.sequence ?? 0 { newest = found }
      } catch { throw VaultError(error) }
    }
    return newest
  }

  /// Counts a try that is about to be checked; on the disk when this returns.
  ///
  /// A file that is not there, or not valid, is taken for five failures that have just happened, and written so.
  ///
  /// - Throws: ``VaultError/Code/lockedOut`` when it is too early for one: nothing is counted then.
  func begin() throws(VaultError) {
    let now = moment()
    guard let count else {
      let assumed = AttemptCount.assumed(now)
      try write(assumed)
      throw Self.lockedOut(assumed.secondsToWait(now))
    }
    let seconds = count.secondsToWait(now)
    guard seconds == 0 else { throw Self.lockedOut(seconds) }
    before = count
    let failures = count.failures == .max ? count.failures : count.failures + 1
    try write(
      AttemptCount(
        sequence: count.sequence + 1, failures: failures, fingerFailures: count.fingerFailures, now))
  }

  /// The try that was counted was of a passcode that had been counted before.
  func takeBack() throws(VaultError) {
    guard let count, var before else { return }
    before.sequence = count.sequence + 1
    try write(before)
  }

  /// The passcode was right: nothing is counted any more, of fingers neither.
  func succeed() throws(VaultError) {
    try write(AttemptCount(sequence: (count?.sequence ?? 0) + 1, failures: 0, moment()))
  }

  /// Writes a count of zero that another device key of the vault will read, beside the one that counts now: whichever of
  /// the two the keybag names after a crash finds its own.
  func prepare(for deviceKey: borrowing SecretBytes, _ vault: Identifier) throws(VaultError) {
    let next = AttemptCount(sequence: (count?.sequence ?? 0) + 1, failures: 0, moment())
    let mac = try Self.mac(deviceKey, vault)
    let slot: [UInt8]
    do throws(CryptoError) { slot = try next.slot(mac) } catch { throw VaultError(error) }
    try put(slot, next.sequence)
  }

  /// The present count, for who may only look. Nil when no slot is valid.
  var present: LockOut? { count.map { LockOut($0, moment()) } }

  // MARK: Fingers

  /// Counts a wrong finger before a reader looks at one; on the disk when this returns. What is counted of passcodes stays.
  ///
  /// - Returns: How many there are now.
  /// - Throws: ``VaultError/Code/lockedOut`` when there are too many, or no slot is valid: nothing is counted then.
  func beginFinger() throws(VaultError) -> Int {
    guard var next = count, next.fingerFailures < AttemptCount.fingerFailuresMax else {
      throw VaultError(.lockedOut, "too many wrong fingers: the passcode is needed", part: .attempts)
    }
    next.fingerFailures += 1
    try writeNext(next)
    return Int(next.fingerFailures)
  }

  /// What was counted was no wrong finger. Without a valid slot there is nothing to take back.
  func withdrawFinger() throws(VaultError) {
    guard var next = count, next.fingerFailures > 0 else { return }
    next.fingerFailures -= 1
    try writeNext(next)
  }

  /// The finger was right: no wrong one is counted any more. Without a valid slot nothing is written, since that would give
  /// fingers back which only a passcode can.
  func fingerMatched() throws(VaultError) {
    guard var next = count, next.fingerFailures > 0 else { return }
    next.fingerFailures = 0
    try writeNext(next)
  }

  private func writeNext(_ next: AttemptCount) throws(VaultError) {
    var next = next
    next.sequence += 1
    try write(next)
  }

  static func lockedOut(_ seconds: Int) -> VaultError {
    VaultError(.lockedOut, "too many wrong passcodes", part: .attempts, secondsToWait: seconds)
  }

  private func write(_ next: AttemptCount) throws(VaultError) {
    let slot: [UInt8]
    do throws(CryptoError) { slot = try next.slot(mac) } catch { throw VaultError(error) }
    try put(slot, next.sequence)
    count = next
  }

  private func put(_ slot: [UInt8], _ sequence: UInt64) throws(VaultError) {
    if descriptor == nil || count == nil { try make() }
    guard let descriptor else { throw VaultError(.inputOutput, "the file of attempts vanished", part: .attempts) }
    do {
      try system_pwrite(descriptor, slot.span, at: Int64(sequence % 2) * Int64(AttemptCount.slotCount))
      try system_fsync(descriptor)
    } catch { throw VaultError(error, part: .attempts) }
  }

  /// A new file with two empty slots under its name: what stood there is not to be used, or is another key's.
  private func make() throws(VaultError) {
    try folder.remove(Self.temporaryName)
    let empty = [UInt8](repeating: 0, count: 2 * AttemptCount.slotCount)
    let kept = try foreignSlots() ?? empty
    try folder.write(kept.span, to: Self.temporaryName, as: .attempts)
    try folder.rename(Self.temporaryName, to: Self.fileName, as: .attempts)
    try folder.synchronize()
    if let descriptor { system_close(descriptor) }
    descriptor = try folder.open(Self.fileName, as: .attempts, writing: true)
  }

  /// What stands in a file of the right size: while the device key is exchanged, one slot is the old key's and still counts
  /// if the exchange does not happen.
  private func foreignSlots() throws(VaultError) -> [UInt8]? {
    guard let descriptor else { return nil }
    let count = 2 * AttemptCount.slotCount
    var bytes = [UInt8](repeating: 0, count: count)
    var out = bytes.mutableSpan
    do {
      guard try system_fstat(descriptor).sizeBytes == Int64(count) else { return nil }
      guard try system_pread(descriptor, into: &out, at: 0) == count else { return nil }
    } catch { throw VaultError(error, part: .attempts) }
    return bytes
  }
}
