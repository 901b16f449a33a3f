internal import Synchronization
internal import ThumbturnAuthentication

/// What the watch and its thread share.
final class LogindCore: Sendable {
  private struct State: ~Copyable {
    var isListening = false
    var isGoingToSleep = false
    /// As long as it is open logind waits with sleep.
    var inhibitor: OwnedDescriptor?
  }

  let surroundings: LogindWatch.Surroundings
  private let onEvent: @Sendable (LogindEvent) -> Void
  private let state = Mutex(State())
  let stopped: StopSignal
  private let ended: StopSignal
  private let thread = Atomic<UInt>(0)

  /// Nil when the process has no room for two descriptors.
  init?(_ surroundings: LogindWatch.Surroundings, onEvent: @escaping @Sendable (LogindEvent) -> Void) {
    guard let stopped = StopSignal(), let ended = StopSignal() else { return nil }
    self.surroundings = surroundings
    self.onEvent = onEvent
    self.stopped = stopped
    self.ended = ended
  }

  var isListening: Bool { state.withLock { $0.isListening } }
  var delaysSleep: Bool { state.withLock { $0.inhibitor != nil } }
  var isGoingToSleep: Bool { state.withLock { $0.isGoingToSleep } }

  func askToStop() { stopped.set() }

  func stop() -> Bool {
    askToStop()
    guard thread.load(ordering: .acquiring) != system_thread() else { return false }
    return ended.wait(until: BusDeadline(after: LogindLimits.stop))
  }

  func setListening(_ isListening: Bool) { state.withLock { $0.isListening = isListening } }

  func sleepLockDone() {
    // Closed outside of the lock, where the value ends.
    _ = state.withLock { $0.isGoingToSleep ? $0.inhibitor.take() : nil }
  }

  /// Keeps `inhibitor`, unless sleep has begun meanwhile.
  func keep(_ inhibitor: consuming OwnedDescriptor?) {
    state.withLock { $0.inhibitor = inhibitor.take() }
  }

  func deliver(_ event: LogindEvent) {
    guard !stopped.isSet else { return }
    switch event {
    case .goingToSleep: state.withLock { $0.isGoingToSleep = true }
    case .wokeUp: state.withLock { $0.isGoingToSleep = false }
    case .lock, .unlock: break
    }
    onEvent(event)
  }

  /// The thread's whole life: connect, listen until something breaks, pause, and again.
  func run() {
    thread.store(system_thread(), ordering: .releasing)
    var pause = LogindLimits.pauseMin
    var isReturn = false
    while !stopped.isSet {
      let next = BusDeadline(after: pause)
      var link = LogindLink(core: self, isReturn: isReturn)
      // Whatever went wrong, the answer is the same: a new connection, later. There is nobody to tell.
      try? link.listen()
      setListening(false)
      if link.hasListened {
        isReturn = true
        pause = LogindLimits.pauseMin
      } else {
        pause = min(pause * 2, surroundings.pauseMax)
      }
      stopped.wait(until: next)
    }
    keep(nil)
    ended.set()
  }
}
