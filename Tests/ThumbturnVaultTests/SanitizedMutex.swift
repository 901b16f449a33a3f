#if SANITIZE_THREAD
  internal import ThumbturnCrypto

  /// Hides Synchronization's `Mutex` from this module under the thread sanitizer; the reason stands at the type.
  typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
