internal import Glibc
internal import Synchronization
internal import ThumbturnAuthentication

/// ^C and its like while something is under way that has to be ended properly.
enum Interruption {
  private static let signals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP]
  /// How often is looked whether `body` has ended.
  private static let pauseNanoseconds = 50_000_000

  /// Runs `body` with a stop signal that each of the signals sets. They end nothing else meanwhile, and are used up.
  ///
  /// - Throws: A failure with ``ExitCode/failed`` when the kernel gives no thread or descriptor.
  static func stops<Value>(_ body: (StopSignal) -> Value) throws(CommandFailure) -> Value {
    guard let stop = StopSignal() else { throw noRoom }
    var held = sigset_t()
    unsafe sigemptyset(&held)
    for signal in signals { unsafe sigaddset(&held, signal) }
    var before = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    let isOver = Flag()
    let thread: SideThread
    do { thread = try SideThread { watch(isOver, stop) } } catch { throw noRoom }
    defer {
      isOver.value.store(true, ordering: .releasing)
      thread.join()
    }
    return body(stop)
  }

  private static var noRoom: CommandFailure {
    CommandFailure(.failed, "the kernel gave no thread or descriptor", hint: "end other programs and try again")
  }

  private final class Flag: Sendable {
    let value = Atomic(false)
  }

  private static func watch(_ isOver: Flag, _ stop: StopSignal) {
    var awaited = sigset_t()
    unsafe sigemptyset(&awaited)
    for signal in signals { unsafe sigaddset(&awaited, signal) }
    var pause = timespec(tv_sec: 0, tv_nsec: pauseNanoseconds)
    while !isOver.value.load(ordering: .acquiring) {
      if unsafe sigtimedwait(&awaited, nil, &pause) > 0 { stop.set() }
    }
  }
}
