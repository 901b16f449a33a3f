internal import CSystemd
internal import Glibc
internal import ThumbturnAuthentication

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

extension StopSignal {
  var pollEntry: PollEntry { PollEntry(descriptor: descriptor, events: Int16(POLLIN)) }

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

/// The name of the user that this process acts as, which a bus sees; nil when there is none.
func system_userName() -> String? {
  var entry = unsafe passwd()
  var found: UnsafeMutablePointer<passwd>?
  var buffer = [CChar](repeating: 0, count: 16_384)
  guard unsafe getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found) == 0, unsafe found != nil,
    let name = unsafe entry.pw_name
  else { return nil }
  return unsafe String(validatingCString: name)
}

/// What is in a folder, but for `.` and `..`: empty when there is no such folder, it is none, or is closed to this user.
///
/// - Returns: Nil when it cannot be read for another reason, or holds more than `countMax`.
func system_names(in folder: String, countMax: Int) -> [String]? {
  guard let stream = unsafe opendir(folder) else {
    return [ENOENT, ENOTDIR, EACCES, EPERM].contains(errno) ? [] : nil
  }
  defer { unsafe closedir(stream) }
  var names: [String] = []
  while true {
    errno = 0
    guard let entry = unsafe readdir(stream) else { return errno == 0 ? names : nil }
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
      unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(validatingCString: $0) }
    }
    guard let name else { return nil }
    if name == "." || name == ".." { continue }
    guard names.count < countMax else { return nil }
    names.append(name)
  }
}

/// Size and time of the last change of a file's content or name; nil when it cannot be asked for.
func system_stamp(of path: String) -> (size: Int64, seconds: Int64, nanoseconds: Int64)? {
  var status = stat()
  guard unsafe lstat(path, &status) == 0 else { return nil }
  return (Int64(status.st_size), Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec))
}
