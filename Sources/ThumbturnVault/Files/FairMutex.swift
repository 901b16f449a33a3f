internal import Synchronization
internal import ThumbturnCrypto

/// A mutex that is waited for with patience, and that lets nobody starve.
///
/// A thread that holds it may itself be waiting, so nobody blocks: who finds it taken sleeps and asks again. But who has just
/// let go and comes back at once would win again and again. So a thread that has waited for long asks more often, and all
/// others stand back until it had its turn.
struct FairMutex<Value: ~Copyable>: ~Copyable {
  /// After this a waiting thread goes first.
  private static var longNanoseconds: Int64 { 50_000_000 }

  private let mutex: Mutex<Value>
  /// How many have waited for long.
  private let urgentCount = Atomic<Int>(0)

  init(_ value: consuming sending Value) { mutex = Mutex(value) }

  /// Runs `body` with the value, at once or after others.
  borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock(body)
  }

  /// As above, but gives up when the patience is over.
  borrowing func withLock<Result, Failure: Error>(
    _ patience: Patience, elseThrow timeout: @autoclosure () -> Failure,
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    // The usual case, without a clock.
    if urgentCount.load(ordering: .relaxed) == 0, let result = try mutex.withLockIfAvailable(body) { return result }
    let began = system_bootNanoseconds()
    var isUrgent = false
    defer { if isUrgent { urgentCount.subtract(1, ordering: .relaxed) } }
    while true {
      guard patience.pause(isNext: isUrgent) else { throw timeout() }
      if !isUrgent, system_bootNanoseconds() - began > Self.longNanoseconds {
        isUrgent = true
        urgentCount.add(1, ordering: .relaxed)
      }
      guard isUrgent || urgentCount.load(ordering: .relaxed) == 0 else { continue }
      if let result = try mutex.withLockIfAvailable(body) { return result }
    }
  }
}
