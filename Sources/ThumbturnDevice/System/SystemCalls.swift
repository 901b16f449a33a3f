internal import CSystemd
internal import Glibc

// Every system call of this module that is not a call of libsystemd stands in this folder; EINTR is retried here and
// nowhere else.

/// Microseconds of the clock that libsystemd's own time limits use. It stands still while the machine sleeps.
func system_monotonicMicroseconds() -> UInt64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
}

/// What a wait waits for: a descriptor, and poll(2)'s events of it.
struct PollEntry {
  let descriptor: Int32
  let events: Int16
}

/// Waits until one of at most two descriptors has an event, and at most `milliseconds`.
///
/// - Returns: Whether the first and the second have one. After a signal handler ran: neither; the caller's loop looks at
///   its own deadline and waits again.
func system_poll(_ first: PollEntry, _ second: PollEntry?, milliseconds: Int32) -> (first: Bool, second: Bool) {
  // poll(2) leaves out negative descriptors.
  var entries = [
    pollfd(fd: first.descriptor, events: first.events, revents: 0),
    pollfd(fd: second?.descriptor ?? -1, events: second?.events ?? 0, revents: 0),
  ]
  guard unsafe poll(&entries, 2, milliseconds) > 0 else { return (false, false) }
  return (entries[0].revents != 0, entries[1].revents != 0)
}

/// The user that this process runs as.
func system_user() -> UInt32 { getuid() }

/// The number of this process.
func system_process() -> UInt32 { UInt32(getpid()) }

/// A variable of the environment; nil in a program with raised rights.
func system_environment(_ name: String) -> String? {
  guard let value = unsafe secure_getenv(name) else { return nil }
  return unsafe String(validatingCString: value)
}

/// A file descriptor with one owner, closed when the owner ends.
struct OwnedDescriptor: ~Copyable, Sendable {
  let number: Int32

  /// Takes over `number`.
  init(adopting number: Int32) { self.number = number }

  /// A copy of a borrowed descriptor, which no program that is started inherits. Nil when the process has no room.
  init?(copying number: Int32) {
    let copy = tt_duplicate(number)
    guard copy >= 0 else { return nil }
    self.number = copy
  }

  deinit { close(number) }
}

private func tt_duplicate(_ number: Int32) -> Int32 { fcntl(number, F_DUPFD_CLOEXEC, 3) }

/// A flag that can be waited for: set once, never taken back.
final class Latch: Sendable {
  private let descriptor: OwnedDescriptor

  /// Nil when the process has no room for a descriptor.
  init?() {
    let number = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard number >= 0 else { return nil }
    descriptor = OwnedDescriptor(adopting: number)
  }

  var pollEntry: PollEntry { PollEntry(descriptor: descriptor.number, events: Int16(POLLIN)) }

  var isSet: Bool { system_poll(pollEntry, nil, milliseconds: 0).first }

  func set() { eventfd_write(descriptor.number, 1) }

  /// Waits until it is set, at most until `deadline`.
  ///
  /// - Returns: Whether it is set.
  @discardableResult
  func wait(until deadline: BusDeadline) -> Bool {
    repeat {
      if system_poll(pollEntry, nil, milliseconds: deadline.milliseconds).first { return true }
    } while !deadline.hasPassed
    return false
  }
}

/// Runs `body` on a thread of its own, which ends with it.
///
/// - Returns: Whether the kernel gave a thread.
func system_startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
  let context = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
  var thread = pthread_t()
  let status = unsafe pthread_create(
    &thread, nil,
    { context in
      guard let context = unsafe context else { return nil }
      let body = unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
      body.run()
      return nil
    }, context)
  guard status == 0 else {
    unsafe Unmanaged<Body>.fromOpaque(context).release()
    return false
  }
  pthread_detach(thread)
  return true
}

/// A number of the thread that calls.
func system_thread() -> UInt { UInt(pthread_self()) }
