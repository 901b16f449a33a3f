/// Listens to logind for what locks a vault: the lock of the session, and sleep.
///
/// A thread of its own does everything, so no call here waits for a bus. Events come on that thread, one after the other
/// and with no lock held; while one is handled the next waits. Bus and logind may come, go and restart: then it connects
/// again, with pauses, for ever. Without logind it does nothing, and ``isListening`` is false.
///
/// Only signals of the process that owns `org.freedesktop.login1` now and that runs as root count.
public final class LogindWatch: Sendable {
  /// What tests set, and nothing else.
  struct Surroundings: Sendable {
    var place = BusConnection.Place.system
    var logindUserID: UInt32? = 0
    var userID = system_user()
    var sessionID = system_environment("XDG_SESSION_ID")
    var checksSenders = true
    var call = LogindLimits.call
    var pauseMax = LogindLimits.pauseMax
  }

  private let core: LogindCore?

  /// Starts to listen.
  ///
  /// - Parameter onEvent: Called on the watch's own thread. It should come back soon; it may call anything here.
  public convenience init(onEvent: @escaping @Sendable (LogindEvent) -> Void) {
    self.init(Surroundings(), onEvent: onEvent)
  }

  init(_ surroundings: Surroundings, onEvent: @escaping @Sendable (LogindEvent) -> Void) {
    // Without a descriptor or a thread nothing is heard, and `isListening` says so.
    guard let core = LogindCore(surroundings, onEvent: onEvent), system_startThread({ core.run() }) else {
      self.core = nil
      return
    }
    self.core = core
  }

  deinit { core?.askToStop() }

  /// Whether events would be heard now: the bus is there, and logind with the right user on it.
  public var isListening: Bool { core?.isListening ?? false }

  /// Whether logind waits with sleep until ``sleepLockDone()``. It may refuse that, and events come all the same.
  public var delaysSleep: Bool { core?.delaysSleep ?? false }

  /// Everything that had to be locked before sleep is locked: the machine may sleep now. It does nothing unless
  /// ``LogindEvent/goingToSleep`` came and no ``LogindEvent/wokeUp`` since. From any thread.
  public func sleepLockDone() { core?.sleepLockDone() }

  /// Ends the thread, and waits at most ``LogindLimits/stop`` for it. No event begins afterwards. From any thread; on the
  /// watch's own thread it does not wait.
  ///
  /// - Returns: Whether the thread has ended. False means that an event is still being handled.
  @discardableResult
  public func stop() -> Bool { core?.stop() ?? true }
}
