internal import ThumbturnAgent
internal import ThumbturnDevice

/// logind's events as the agent takes them.
final class SessionWatch: SessionEvents {
  private let watch: LogindWatch

  init(_ onEvent: @escaping @Sendable (SessionEvent) -> Void) {
    watch = LogindWatch { event in
      switch event {
      case .lock: onEvent(.screenLocked)
      case .unlock: onEvent(.screenUnlocked)
      case .goingToSleep: onEvent(.goingToSleep)
      case .wokeUp: onEvent(.wokeUp)
      }
    }
  }

  var isListening: Bool { watch.isListening }
  func sleepLockDone() { watch.sleepLockDone() }
}
