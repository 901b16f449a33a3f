/// A moment up to which a wait may last, on the clock of ``system_monotonicMicroseconds()``.
struct BusDeadline: Comparable, Sendable {
  let microseconds: UInt64

  init(microseconds: UInt64) { self.microseconds = microseconds }

  /// - Parameter limit: Negative counts as zero; more than a day counts as a day.
  init(after limit: Duration) {
    let (seconds, attoseconds) = min(max(limit, .zero), .seconds(86_400)).components
    let wait = UInt64(seconds) * 1_000_000 + UInt64(attoseconds) / 1_000_000_000_000
    microseconds = system_monotonicMicroseconds() + wait
  }

  var hasPassed: Bool { system_monotonicMicroseconds() >= microseconds }

  /// What is left, for poll(2): rounded up, so that a loop does not spin through the last millisecond.
  var milliseconds: Int32 {
    let now = system_monotonicMicroseconds()
    guard microseconds > now else { return 0 }
    return Int32(min((microseconds - now + 999) / 1_000, 86_400_000))
  }

  /// What is left; zero when it has passed.
  var remaining: Duration {
    let now = system_monotonicMicroseconds()
    return microseconds > now ? .microseconds(microseconds - now) : .zero
  }

  /// Earlier by `duration`.
  func earlier(by duration: Duration) -> Self {
    let (seconds, attoseconds) = max(duration, .zero).components
    let difference = UInt64(seconds) * 1_000_000 + UInt64(attoseconds) / 1_000_000_000_000
    return Self(microseconds: microseconds > difference ? microseconds - difference : 0)
  }

  static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }
}
