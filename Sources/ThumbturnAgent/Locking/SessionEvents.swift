#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import ThumbturnCrypto

/// What happens to the session and the machine that locks a vault.
package enum SessionEvent: Hashable, Sendable {
  /// The screen was locked.
  case screenLocked
  /// The screen was unlocked.
  case screenUnlocked
  /// The machine is about to sleep, and waits a moment until it is told that everything is locked.
  case goingToSleep
  /// It woke up.
  case wokeUp
}

/// Where such events come from.
package protocol SessionEvents: Sendable {
  /// Whether events would be heard now.
  var isListening: Bool { get }
  /// Everything is locked: the machine may sleep.
  func sleepLockDone()
}

extension VaultService {
  /// Does what an event asks for.
  package func handle(_ event: SessionEvent, from events: (any SessionEvents)?) {
    switch event {
    case .screenLocked: screenLocked()
    case .screenUnlocked: screenUnlocked()
    case .goingToSleep:
      // Memory is about to lie in a machine that nobody watches.
      try? lock()
      events?.sleepLockDone()
    case .wokeUp: tick()
    }
  }
}

/// Holds the events' source, which is made after the service that it tells.
final class EventsBox: Sendable {
  private let state = Mutex<(any SessionEvents)?>(nil)

  var events: (any SessionEvents)? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
