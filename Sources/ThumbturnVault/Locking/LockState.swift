/// Whether a vault with a passcode is open: no clocks, files or threads, each event returns what the owner has to do.
///
/// Times are nanoseconds of the machine's running time. A vault without a passcode has no such state.
package struct LockState: Hashable, Sendable {
  package enum Phase: Hashable, Sendable {
    /// Nobody gave the passcode since the start: only the classes *always* are open.
    case beforeFirstUnlock
    /// Everything is open.
    case unlocked
    /// The screen was locked; everything stays open until then.
    case locking(untilNanoseconds: Int64)
    /// The classes *when unlocked* are closed, those *after first unlock* stay open.
    case locked
  }

  /// What the owner has to do.
  package enum Action: Hashable, Sendable {
    case none
    /// Wipe the keys of the classes *when unlocked*.
    case dropKeys
  }

  package private(set) var phase = Phase.beforeFirstUnlock
  package var settings: LockSettings
  private var lastUseNanoseconds: Int64 = 0

  package init(settings: LockSettings = LockSettings()) { self.settings = settings }

  /// The right passcode was given.
  package mutating func unlocked(at now: Int64) {
    phase = .unlocked
    lastUseNanoseconds = now
  }

  /// Somebody asked for the lock, or the machine goes to sleep: at once.
  package mutating func lock() -> Action {
    switch phase {
    case .beforeFirstUnlock, .locked: return .none
    case .unlocked, .locking:
      phase = .locked
      return .dropKeys
    }
  }

  /// The screen was locked: after the grace period.
  package mutating func screenLocked(at now: Int64) -> Action {
    guard phase == .unlocked else { return .none }
    guard settings.graceSeconds > 0 else { return lock() }
    phase = .locking(untilNanoseconds: now + Int64(settings.graceSeconds) * 1_000_000_000)
    return .none
  }

  /// The screen was unlocked: within the grace period nothing has happened, after it the passcode is needed.
  package mutating func screenUnlocked(at now: Int64) -> Action {
    let action = tick(at: now)
    if case .locking = phase {
      phase = .unlocked
      lastUseNanoseconds = now
    }
    return action
  }

  /// A call came in.
  package mutating func used(at now: Int64) -> Action {
    let action = tick(at: now)
    if phase == .unlocked { lastUseNanoseconds = now }
    return action
  }

  /// Time has gone by, the machine's sleep included.
  package mutating func tick(at now: Int64) -> Action {
    guard let end = nextEndNanoseconds, now >= end else { return .none }
    return lock()
  }

  /// When it locks by itself, if nothing happens until then; nil when it does not.
  package var nextEndNanoseconds: Int64? {
    switch phase {
    case .beforeFirstUnlock, .locked: nil
    case .locking(let until): until
    case .unlocked:
      settings.idleSeconds > 0 ? lastUseNanoseconds + Int64(settings.idleSeconds) * 1_000_000_000 : nil
    }
  }

  /// Whether the key of a class is in memory.
  package func opens(_ protection: ProtectionClass) -> Bool {
    switch phase {
    case .beforeFirstUnlock: protection.isAlwaysOpen
    case .locked: !protection.isDroppedByLock
    case .unlocked, .locking: true
    }
  }
}
