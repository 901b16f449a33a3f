internal import Glibc
internal import ThumbturnCrypto
internal import ThumbturnShims

// The system calls that only a server needs: waiting for many descriptors, threads, limits, the hand-over by systemd.

private func checked(_ answer: Int32) throws(SystemError) -> Int32 {
  guard answer >= 0 else { throw SystemError(number: -answer) }
  return answer
}

/// The next connection; nil when there is none now.
func system_accept(_ socket: Int32) throws(SystemError) -> Int32? {
  while true {
    let answer = acceptSocket(socket)
    if answer >= 0 { return answer }
    switch -answer {
    case EINTR, ECONNABORTED: continue
    case EAGAIN: return nil
    default: throw SystemError(number: -answer)
    }
  }
}

func system_peer(_ socket: Int32) -> AgentPeer {
  let peer = peer(of: socket)
  return AgentPeer(process: peer.process, user: peer.user, handle: peer.handle < 0 ? nil : peer.handle)
}

/// Whether the other side has not taken everything that was sent to it.
func system_hasUnread(_ socket: Int32) -> Bool { hasUnread(socket) }

func system_poller() throws(SystemError) -> Int32 { try checked(makePoller()) }

func system_watch(
  _ poller: Int32, _ descriptor: Int32, tag: UInt64, reads: Bool = true, writes: Bool = false, isNew: Bool = false
) throws(SystemError) {
  _ = try checked(watch(poller, descriptor, tag: tag, reads: reads, writes: writes, isNew: isNew))
}

/// Waits for events; none when a signal came.
func system_events(_ poller: Int32, _ body: (PollerEvent) -> Void) throws(SystemError) {
  _ = try checked(waitForEvents(poller, body))
}

/// A descriptor that becomes readable when its time is over; ``system_drain(_:)`` makes it unreadable again, and waits for the
/// time when it `waits`.
func system_ticker(waits: Bool) throws(SystemError) -> Int32 { try checked(makeTicker(waits: waits)) }

/// Sets the time, once or again and again; 0 stops it.
func system_setTicker(_ ticker: Int32, nanoseconds: Int64, repeats: Bool) {
  _ = setTicker(ticker, nanoseconds: nanoseconds, repeats: repeats)
}

func system_wakeup() throws(SystemError) -> Int32 { try checked(makeWakeup()) }

/// Makes a wakeup readable; safe in a signal handler.
func system_wake(_ wakeup: Int32) {
  var one: UInt64 = 1
  _ = unsafe write(wakeup, &one, 8)
}

/// Makes it unreadable again.
func system_drain(_ wakeup: Int32) {
  var count: UInt64 = 0
  _ = unsafe read(wakeup, &count, 8)
}

func system_makeNonblocking(_ descriptor: Int32) throws(SystemError) {
  let flags = fcntl(descriptor, F_GETFL)
  guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
  else { throw SystemError(number: errno) }
}

func system_isListening(_ descriptor: Int32) -> Bool { isListeningForPackets(descriptor) }

/// Lets this process have so many descriptors, as far as its hard limit allows; how many it may have then.
package func system_raiseDescriptorLimit(to wanted: UInt) -> UInt {
  var limit = rlimit()
  guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
  guard limit.rlim_cur < wanted else { return limit.rlim_cur }
  limit.rlim_cur = min(wanted, limit.rlim_max)
  _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  return limit.rlim_cur
}

/// The descriptor that systemd hands over (sd_listen_fds(3)): it says for which process, and how many from 3 on. Takes the
/// variables away, so that no program that is started later believes them; call it before there is a second thread.
///
/// - Returns: Nil when nothing is handed to this process.
func system_handedOver() -> (first: Int32, count: Int)? {
  defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsafe unsetenv(name) } }
  func number(_ name: String) -> Int? {
    guard let text = unsafe getenv(name) else { return nil }
    return unsafe String(validatingCString: text).flatMap { Int($0) }
  }
  guard let process = number("LISTEN_PID"), process == Int(getpid()) else { return nil }
  guard let count = number("LISTEN_FDS"), count > 0, count <= 1_024 else { return nil }
  return (3, count)
}

/// Counts what is ready; who waits for one sleeps until there is one.
@safe
final class Signal: Sendable {
  // Alive as long as this object; semaphores are made for being shared between threads.
  private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

  init() {
    unsafe semaphore = .allocate(capacity: 1)
    _ = unsafe sem_init(semaphore, 0, 0)
  }

  deinit {
    _ = unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  func post() { _ = unsafe sem_post(semaphore) }

  func wait() { while unsafe sem_wait(semaphore) != 0 {} }
}

/// A thread of the server, which its owner joins.
@safe
struct ServerThread: Sendable {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private let thread: pthread_t

  /// Starts a thread.
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

  /// Waits for its end; once only.
  func join() { _ = pthread_join(thread, nil) }
}

/// A small file of /proc as text; nil when it cannot be read.
func system_text(of path: String, countMax: Int) -> String? {
  guard case .bytes(let bytes) = system_configuration(of: path, countMax: countMax) else { return nil }
  return String(validating: bytes, as: UTF8.self)
}

enum ConfigurationText: Hashable {
  case missing
  case unreadable
  case bytes([UInt8])
}

/// A file that is read as a whole; larger than `countMax`, or no regular file, it is unreadable.
func system_configuration(of path: String, countMax: Int) -> ConfigurationText {
  let descriptor: Int32
  do throws(SystemError) {
    // Without O_NONBLOCK a FIFO in this place would block for ever.
    descriptor = try system_openat(system_currentFolder, path, flags: O_RDONLY | O_NONBLOCK)
  } catch { return error == .missing || error == .notAFolder ? .missing : .unreadable }
  defer { system_close(descriptor) }
  guard (try? system_fstat(descriptor))?.kind == .file else { return .unreadable }
  var bytes = [UInt8](repeating: 0, count: countMax + 1)
  var out = bytes.mutableSpan
  guard let count = try? system_read(descriptor, into: &out), count <= countMax else { return .unreadable }
  return .bytes(Array(bytes.prefix(count)))
}

/// Where a link points to.
func system_linkTarget(of path: String) -> String? {
  var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
  let count = unsafe buffer.withUnsafeMutableBytes {
    unsafe readlink(path, $0.baseAddress.unsafelyUnwrapped, $0.count)
  }
  return count > 0 ? String(validating: buffer.prefix(count), as: UTF8.self) : nil
}

/// Whether the process behind a pidfd still runs: it is readable when it does not.
func system_isRunning(handle: Int32) -> Bool {
  var one = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
  return unsafe poll(&one, 1, 0) == 0
}

/// Waits until a wakeup is readable, at most so long, and makes it unreadable again. No change of a clock moves it.
func system_waitForWakeup(_ wakeup: Int32, nanoseconds: Int64) {
  var one = pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)
  let milliseconds = Int32(clamping: (max(0, nanoseconds) + 999_999) / 1_000_000)
  if unsafe poll(&one, 1, milliseconds) > 0 { system_drain(wakeup) }
}

/// Waits until one of two is readable, at most so long; which is, nil at the end of the time. No change of a clock moves it.
func system_waitForEither(_ first: Int32, _ second: Int32?, nanoseconds: Int64) -> Int? {
  var entries = [pollfd(fd: first, events: Int16(POLLIN), revents: 0)]
  if let second { entries.append(pollfd(fd: second, events: Int16(POLLIN), revents: 0)) }
  let end = system_bootNanoseconds() + max(0, nanoseconds)
  while true {
    let left = max(0, end - system_bootNanoseconds())
    let milliseconds = Int32(clamping: (left + 999_999) / 1_000_000)
    if unsafe poll(&entries, nfds_t(entries.count), milliseconds) > 0 {
      return entries.firstIndex { $0.revents != 0 }
    }
    if left == 0 { return nil }
  }
}

private func endingSignals() -> sigset_t {
  var signals = sigset_t()
  unsafe sigemptyset(&signals)
  for signal in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, signal) }
  return signals
}

/// Leaves the signals that end a program to ``system_waitForEndingSignal()``, for this thread and those that it starts.
func system_blockEndingSignals() {
  var signals = endingSignals()
  unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
}

/// Waits until one of them comes.
func system_waitForEndingSignal() {
  var signals = endingSignals()
  var signal: Int32 = 0
  unsafe sigwait(&signals, &signal)
}

/// No core file, whatever the limits were before.
package func system_forbidCoreFiles() {
  var none = rlimit(rlim_cur: 0, rlim_max: 0)
  _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
}

/// Keeps no folder of who started this program from being removed or unmounted.
package func system_leaveFolder() { _ = unsafe chdir("/") }

/// New files are for this user alone.
package func system_setPrivateUmask() { _ = umask(0o077) }
