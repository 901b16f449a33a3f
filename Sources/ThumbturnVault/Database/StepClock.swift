internal import CSQLite
internal import ThumbturnCrypto

/// Ends a step of SQLite's that does not come to an end by itself: a file can be made in which a tree has the same page
/// again and again. Belongs to one connection, and has its owner.
final class StepClock {
  /// Far above what the largest sound database needs for one step, in seconds.
  static let usualSeconds: Int64 = 60
  /// Instructions of SQLite's between two looks at the clock: some 20 ms.
  private static let instructionCount: Int32 = 1_000_000

  /// How long one step may take, in seconds.
  var limitSeconds = StepClock.usualSeconds
  private var startNanoseconds: Int64?

  /// A step begins. Time counts from its first million instructions on, so that a short one asks no clock.
  func begin() { startNanoseconds = nil }

  private var isOver: Bool {
    let now = system_bootNanoseconds()
    guard let start = startNanoseconds else {
      startNanoseconds = now
      return false
    }
    return now - start > limitSeconds * 1_000_000_000
  }

  /// From now on SQLite asks this clock. It must outlive the connection's last step.
  func watch(_ connection: OpaquePointer) {
    unsafe sqlite3_progress_handler(
      connection, Self.instructionCount,
      { clock in
        guard let clock = unsafe clock else { return 0 }
        return unsafe Unmanaged<StepClock>.fromOpaque(clock).takeUnretainedValue().isOver ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
