/// What logind tells of the person's session and of the machine.
public enum LogindEvent: Hashable, Sendable {
  /// The screen is to be locked: the person asked for it, or was away.
  case lock
  /// The screen was unlocked. It opens nothing here: a vault opens by its passcode.
  case unlock
  /// The machine is about to sleep. It waits for ``LogindWatch/sleepLockDone()``, as long as logind lets it: 5 seconds by
  /// logind's default.
  case goingToSleep
  /// The machine woke up.
  case wokeUp
}

/// The limits of ``LogindWatch``.
public enum LogindLimits {
  /// Each call to the bus or to logind. A local service answers within milliseconds; logind itself may be starting.
  public static let call = Duration.seconds(5)
  /// From one attempt to connect to the next, at the least. It doubles with each attempt in vain, up to ``pauseMax``.
  public static let pauseMin = Duration.seconds(1)
  /// From one attempt to connect to the next, at the most.
  public static let pauseMax = Duration.seconds(32)
  /// Until the next attempt to delay sleep, after logind refused one.
  public static let inhibitorPause = Duration.seconds(60)
  /// How long ``LogindWatch/stop()`` waits for the thread.
  public static let stop = Duration.seconds(1)
  /// The most sessions of one user that are asked whether they are locked.
  public static let sessionCountMax = 16
}
