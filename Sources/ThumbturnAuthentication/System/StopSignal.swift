internal import Glibc
internal import ThumbturnShims

/// A flag that can be polled: set once, never taken back. It ends a wait for a person.
public final class StopSignal: Sendable {
  /// Readable once the flag is set; only to be polled.
  public let descriptor: Int32

  /// Nil when the process has no room for a descriptor.
  public init?() {
    descriptor = makeWakeup()
    guard descriptor >= 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether it is set. From any thread.
  public var isSet: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, 0) > 0
  }

  /// Waits until it is set, at most so long; false when it was not by then. No change of a clock moves it.
  public func wait(for limit: Duration) -> Bool {
    let end = ContinuousClock.now + limit
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let left = max(.zero, end - ContinuousClock.now)
      // Upwards, so that the last wait is not none.
      let (seconds, attoseconds) = left.components
      let milliseconds = Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
      if unsafe poll(&entry, 1, milliseconds) > 0 { return true }
      if left == .zero { return false }
    }
  }

  /// Sets it. From any thread, any number of times.
  public func set() {
    var one: UInt64 = 1
    _ = unsafe write(descriptor, &one, 8)
  }
}
