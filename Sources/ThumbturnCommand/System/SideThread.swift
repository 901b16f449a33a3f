internal import Glibc
internal import Synchronization
internal import ThumbturnAuthentication
internal import ThumbturnCrypto

/// A thread beside the command's own.
@safe
struct SideThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private let thread: pthread_t

  init(_ run: @escaping @Sendable () -> Void) throws(SystemError) {
    let body = unsafe Unmanaged.passRetained(Body(run))
    var thread = pthread_t()
    let failed = unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    guard failed == 0 else {
      unsafe body.release()
      throw SystemError(number: failed)
    }
    self.thread = thread
  }

  /// Waits for its end; once only, and not after ``leave()``.
  func join() { _ = pthread_join(thread, nil) }

  /// Does not wait for it.
  func leave() { pthread_detach(thread) }
}

/// A value that comes from another thread.
final class Awaited<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let isThere: StopSignal

  /// Nil when the process has no room for a descriptor.
  init?() {
    guard let signal = StopSignal() else { return nil }
    isThere = signal
  }

  /// Gives the value; a second one is ignored.
  func give(_ new: Value) {
    value.withLock { if $0 == nil { $0 = new } }
    isThere.set()
  }

  /// Waits for it; nil when it has not come by then.
  func wait(milliseconds: Int64) -> Value? {
    let end = system_bootNanoseconds() / 1_000_000 + milliseconds
    while true {
      if let value = value.withLock({ $0 }) { return value }
      let left = end - system_bootNanoseconds() / 1_000_000
      guard left > 0 else { return nil }
      _ = try? System.waitReadable(isThere.descriptor, milliseconds: Int32(min(left, 60_000)))
    }
  }

  /// What `body` gives, on a thread of its own. One that takes longer is left alone: the program ends soon.
  static func value(within milliseconds: Int64, _ body: @escaping @Sendable () -> Value) -> Value? {
    guard let awaited = Awaited(), let thread = try? SideThread({ awaited.give(body()) }) else { return nil }
    thread.leave()
    return awaited.wait(milliseconds: milliseconds)
  }
}
