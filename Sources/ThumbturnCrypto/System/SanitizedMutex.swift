#if SANITIZE_THREAD
  internal import Glibc

  /// Hides Synchronization's `Mutex` from this module. Each module with a `Mutex` that the sanitizer runs has such a line.
  typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>

  /// Stands in for Synchronization's `Mutex` under the thread sanitizer, and only there.
  ///
  /// On Linux that one hands over a contended lock in the kernel, where the sanitizer does not see it: each contended use
  /// is then reported as a race (measured with Swift 6.3.1, on a counter behind one `Mutex`). The sanitizer knows pthread
  /// mutexes. So what it checks is that everything shared is touched under its lock, not Swift's lock itself.
  @safe
  package struct SanitizedMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let handle: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    package init(_ initialValue: consuming sending Value) {
      unsafe handle = .allocate(capacity: 1)
      unsafe pthread_mutex_init(handle, nil)
      unsafe value = .allocate(capacity: 1)
      unsafe value.initialize(to: initialValue)
    }

    deinit {
      unsafe value.deinitialize(count: 1)
      unsafe value.deallocate()
      unsafe pthread_mutex_destroy(handle)
      unsafe handle.deallocate()
    }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      unsafe pthread_mutex_lock(handle)
      defer { unsafe pthread_mutex_unlock(handle) }
      return try unsafe body(&value.pointee)
    }

    package borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
      guard unsafe pthread_mutex_trylock(handle) == 0 else { return nil }
      defer { unsafe pthread_mutex_unlock(handle) }
      return try unsafe body(&value.pointee)
    }
  }
#endif
