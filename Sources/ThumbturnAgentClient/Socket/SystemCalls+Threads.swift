internal import Glibc
package import ThumbturnCrypto

// Threads.

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Starts a thread that nobody joins. No signal of the program comes to it.
package func system_detachThread(_ run: @escaping @Sendable () -> Void) throws(SystemError) {
  let body = unsafe Unmanaged.passRetained(ThreadBody(run))
  var (all, before) = (sigset_t(), sigset_t())
  unsafe sigfillset(&all)
  unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
  var thread = pthread_t()
  let failed = unsafe pthread_create(
    &thread, nil,
    { context in
      guard let context = unsafe context else { return nil }
      unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
      return nil
    }, body.toOpaque())
  guard failed == 0 else {
    unsafe body.release()
    throw SystemError(number: failed)
  }
  _ = pthread_detach(thread)
}
