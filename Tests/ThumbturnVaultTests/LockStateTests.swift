internal import Testing

@testable internal import ThumbturnVault

@Suite("Lock state")
struct LockStateTests {
  private let second: Int64 = 1_000_000_000

  private func make(grace: Int = 10, idle: Int = 900) -> LockState {
    var settings = LockSettings()
    settings.graceSeconds = grace
    settings.idleSeconds = idle
    return LockState(settings: settings)
  }

  /// Each row is a class and whether it is open before the first unlock, unlocked, in the grace period, locked.
  @Test(
    "gives each class its own lifetime",
    arguments: [
      (ProtectionClass.whenUnlocked, [false, true, true, false]),
      (.afterFirstUnlock, [false, true, true, true]), (.always, [true, true, true, true]),
      (.whenUnlockedThisDeviceOnly, [false, true, true, false]),
      (.afterFirstUnlockThisDeviceOnly, [false, true, true, true]),
      (.alwaysThisDeviceOnly, [true, true, true, true]),
      (.whenPasscodeSetThisDeviceOnly, [false, true, true, false]),
    ])
  func lifetime(protection: ProtectionClass, opens: [Bool]) {
    var state = make()
    var seen = [state.opens(protection)]
    state.unlocked(at: 0)
    seen.append(state.opens(protection))
    #expect(state.screenLocked(at: 0) == .none)
    seen.append(state.opens(protection))
    #expect(state.tick(at: 10 * second) == .dropKeys)
    seen.append(state.opens(protection))
    #expect(seen == opens)
  }

  @Test("the grace period ends on its second, and an unlocked screen within it undoes the lock")
  func grace() {
    var state = make()
    state.unlocked(at: 0)
    #expect(state.screenLocked(at: 5 * second) == .none)
    #expect(state.nextEndNanoseconds == 15 * second)
    #expect(state.tick(at: 15 * second - 1) == .none)
    #expect(state.screenUnlocked(at: 15 * second - 1) == .none)
    #expect(state.phase == .unlocked)
    #expect(state.screenLocked(at: 20 * second) == .none)
    #expect(state.screenUnlocked(at: 30 * second) == .dropKeys)
    #expect(state.phase == .locked)
    #expect(state.screenUnlocked(at: 31 * second) == .none)
    #expect(state.phase == .locked)
  }

  @Test("without a grace period the lock of the screen is the lock")
  func noGrace() {
    var state = make(grace: 0)
    state.unlocked(at: 0)
    #expect(state.screenLocked(at: 1) == .dropKeys)
  }

  @Test("a second lock of the screen does not begin the grace period anew")
  func secondScreenLock() {
    var state = make()
    state.unlocked(at: 0)
    _ = state.screenLocked(at: 0)
    #expect(state.screenLocked(at: 9 * second) == .none)
    #expect(state.tick(at: 10 * second) == .dropKeys)
  }

  @Test("nobody calls for the idle time: locked; each call begins it anew, but not in the grace period")
  func idle() {
    var state = make()
    state.unlocked(at: 0)
    #expect(state.used(at: 899 * second) == .none)
    #expect(state.tick(at: 900 * second) == .none)
    #expect(state.tick(at: 1_799 * second) == .dropKeys)
    var other = make()
    other.unlocked(at: 0)
    _ = other.screenLocked(at: 100 * second)
    #expect(other.used(at: 105 * second) == .none)
    #expect(other.nextEndNanoseconds == 110 * second)
    var never = make(idle: 0)
    never.unlocked(at: 0)
    #expect(never.nextEndNanoseconds == nil && never.tick(at: .max) == .none)
  }

  @Test("a call after the idle time finds it locked, whether the clock's thread was there before or not")
  func idleBeforeCall() {
    var state = make()
    state.unlocked(at: 0)
    #expect(state.used(at: 900 * second) == .dropKeys)
    #expect(state.phase == .locked)
  }

  @Test("asked for, the lock is at once; before the first unlock there is nothing to drop")
  func asked() {
    var state = make()
    #expect(state.lock() == .none && state.phase == .beforeFirstUnlock)
    #expect(state.screenLocked(at: 0) == .none && state.phase == .beforeFirstUnlock)
    state.unlocked(at: 0)
    #expect(state.lock() == .dropKeys)
    #expect(state.lock() == .none)
    state.unlocked(at: 0)
    _ = state.screenLocked(at: 0)
    #expect(state.lock() == .dropKeys)
  }
}
