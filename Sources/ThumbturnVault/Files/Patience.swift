internal import ThumbturnCrypto

/// How long a call may still wait. One limit for a whole call, whatever it waits for on its way.
struct Patience {
  /// Seconds that a call waits for other threads and processes: above the longest wait measured among 8 writers
  /// (0.5 s, VAULT.md §6), below what a person takes for a hang.
  static let seconds: Int64 = 5

  private let seconds: Int64
  private let endNanoseconds: Int64

  /// - Parameter seconds: Another limit, for what waits for work that is slow on purpose.
  init(seconds: Int64 = Self.seconds) {
    self.seconds = seconds
    endNanoseconds = system_bootNanoseconds() + seconds * 1_000_000_000
  }

  /// Sleeps 0.2 to 2 ms, and longer the longer the call has waited, up to 8 ms; false when the time is over.
  ///
  /// With hundreds of waiters on two cores the asking itself would keep the holder from its work. Who is next asks alone,
  /// and so every 0.1 to 0.5 ms.
  func pause(isNext: Bool = false) -> Bool {
    let left = endNanoseconds - system_bootNanoseconds()
    guard left > 0 else { return false }
    let waited = seconds * 1_000_000_000 - left
    let longest = 2_000_000 + min(6_000_000, max(0, waited) / 32)
    let nanoseconds = isNext ? Int64.random(in: 100_000...500_000) : Int64.random(in: 200_000...longest)
    ForkGate.pause { system_sleep(nanoseconds: nanoseconds) }
    return true
  }
}
