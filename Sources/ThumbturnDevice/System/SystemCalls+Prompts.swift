internal import CSystemd
internal import Glibc

// MARK: Files

/// What a file is, for whoever asks whether to trust it.
struct FileFacts {
  let mode: UInt32
  let owner: UInt32

  var isFolder: Bool { mode & S_IFMT == S_IFDIR }
  var isFile: Bool { mode & S_IFMT == S_IFREG }
  var isCharacterDevice: Bool { mode & S_IFMT == S_IFCHR }
  /// Whether its group or others may write it.
  var isWritableByOthers: Bool { mode & 0o022 != 0 }
  /// Whether its group or others may read it.
  var isReadableByOthers: Bool { mode & 0o044 != 0 }
  var isExecutable: Bool { mode & 0o111 != 0 }
}

/// A file's facts, of a link itself and not of what it leads to.
func system_facts(_ path: String) -> FileFacts? {
  var facts = stat()
  return unsafe lstat(path, &facts) == 0 ? FileFacts(mode: facts.st_mode, owner: facts.st_uid) : nil
}

/// The facts of an open file.
func system_facts(_ descriptor: Int32) -> FileFacts? {
  var facts = stat()
  return unsafe fstat(descriptor, &facts) == 0 ? FileFacts(mode: facts.st_mode, owner: facts.st_uid) : nil
}

/// A path without links in it.
func system_realPath(_ path: String) -> String? {
  guard let real = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(real) }
  return unsafe String(validatingCString: real)
}

// MARK: Terminals

/// Opens a terminal by its own name, not through a link, and never as the terminal that controls this process: its
/// descriptor, or the errno, negative. Reads and writes never wait.
func system_openTerminal(_ path: String) -> Int32 {
  let descriptor = unsafe open(path, O_RDWR | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
  return descriptor >= 0 ? descriptor : -errno
}

func system_isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

/// How a terminal treats what is typed.
struct TerminalMode {
  fileprivate var flags: termios

  /// The same without echo, lines and signals: each byte arrives at once, and none means anything.
  var raw: TerminalMode {
    var raw = self
    unsafe cfmakeraw(&raw.flags)
    // Whoever else writes there meanwhile.
    raw.flags.c_oflag = flags.c_oflag
    return raw
  }
}

func system_terminalMode(_ descriptor: Int32) -> TerminalMode? {
  var flags = termios()
  return unsafe tcgetattr(descriptor, &flags) == 0 ? TerminalMode(flags: flags) : nil
}

/// Sets the mode at once, without waiting for output that is held up, and forgets what was typed until now.
@discardableResult
func system_setTerminalMode(_ descriptor: Int32, _ mode: TerminalMode) -> Bool {
  var flags = mode.flags
  var status: Int32 = 0
  repeat { status = unsafe tcsetattr(descriptor, TCSANOW, &flags) } while status != 0 && errno == EINTR
  tcflush(descriptor, TCIFLUSH)
  return status == 0
}

/// Runs `body` while the kernel does not stop this process for using a terminal in whose background it runs.
func system_withoutTerminalStops<Result>(_ body: () -> Result) -> Result {
  var stops = sigset_t()
  var before = sigset_t()
  unsafe sigemptyset(&stops)
  unsafe sigaddset(&stops, SIGTTOU)
  unsafe sigaddset(&stops, SIGTTIN)
  unsafe pthread_sigmask(SIG_BLOCK, &stops, &before)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
  return body()
}

// MARK: Bytes

/// What came of a read or write that does not wait.
enum Transfer {
  case count(Int)
  /// Nothing now.
  case later
  /// The other side is gone, or it failed.
  case ended
}

/// Reads what is there into `bytes`, from `start` on.
func system_read(_ descriptor: Int32, into bytes: inout MutableSpan<UInt8>, from start: Int) -> Transfer {
  let room = bytes.count - start
  precondition(room > 0, "no room to read into")
  while true {
    let count = unsafe bytes.withUnsafeMutableBytes { memory in
      unsafe read(descriptor, memory.baseAddress?.advanced(by: start), room)
    }
    if count > 0 { return .count(count) }
    if count == 0 { return .ended }
    if errno == EINTR { continue }
    return errno == EAGAIN ? .later : .ended
  }
}

/// Writes a part of `bytes`.
func system_write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Transfer {
  while true {
    let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 { return .count(count) }
    if errno == EINTR { continue }
    return errno == EAGAIN ? .later : .ended
  }
}

/// Sends all of `bytes` on a socket, without waiting and without SIGPIPE.
func system_send(_ socket: Int32, _ bytes: [UInt8]) -> Bool {
  let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
  while true {
    let count = unsafe bytes.withUnsafeBytes { unsafe send(socket, $0.baseAddress, $0.count, flags) }
    if count < 0 && errno == EINTR { continue }
    return count == bytes.count
  }
}

// MARK: Programs

/// A program that was started.
struct StartedProgram: ~Copyable {
  let number: Int32
  /// The other ends of the sockets that are its standard input and output; neither makes this process wait.
  let input: OwnedDescriptor
  let output: OwnedDescriptor
}

/// Starts a program in a session and process group of its own: at `/`, with these variables and no others, no descriptor
/// but sockets as standard input and output and /dev/null as standard error, no signal blocked or ignored.
///
/// - Parameter variables: `NAME=value` each.
func system_start(_ path: String, variables: [String]) -> StartedProgram? {
  // Sockets, because a write to a pipe without a reader would end this process.
  guard let input = socketPair(), let output = socketPair(),
    let number = spawn(path, variables, input.theirs.number, output.theirs.number)
  else { return nil }
  return StartedProgram(number: number, input: input.takeOurs(), output: output.takeOurs())
}

private struct SocketPair: ~Copyable {
  let ours: OwnedDescriptor
  let theirs: OwnedDescriptor

  consuming func takeOurs() -> OwnedDescriptor { ours }
}

private func socketPair() -> SocketPair? {
  var ends: [Int32] = [-1, -1]
  let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
  guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
  // The program waits.
  _ = fcntl(ends[1], F_SETFL, 0)
  return SocketPair(ours: OwnedDescriptor(adopting: ends[0]), theirs: OwnedDescriptor(adopting: ends[1]))
}

private func spawn(_ path: String, _ variables: [String], _ input: Int32, _ output: Int32) -> Int32? {
  var actions = unsafe posix_spawn_file_actions_t()
  unsafe posix_spawn_file_actions_init(&actions)
  defer { unsafe posix_spawn_file_actions_destroy(&actions) }
  unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
  unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
  unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
  unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
  unsafe posix_spawn_file_actions_addchdir_np(&actions, "/")
  var attributes = posix_spawnattr_t()
  unsafe posix_spawnattr_init(&attributes)
  defer { unsafe posix_spawnattr_destroy(&attributes) }
  var signals = sigset_t()
  unsafe sigemptyset(&signals)
  unsafe posix_spawnattr_setsigmask(&attributes, &signals)
  unsafe sigfillset(&signals)
  unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
  let newSession = 0x80  // POSIX_SPAWN_SETSID, which stands behind _GNU_SOURCE
  unsafe posix_spawnattr_setflags(
    &attributes, Int16(newSession | Int(POSIX_SPAWN_SETSIGMASK) | Int(POSIX_SPAWN_SETSIGDEF)))
  var arguments = unsafe [unsafe strdup(path), nil]
  var environment = unsafe variables.map { unsafe strdup($0) }
  unsafe environment.append(nil)
  defer { unsafe (arguments + environment).forEach { unsafe free($0) } }
  var number: pid_t = -1
  return unsafe posix_spawn(&number, path, &actions, &attributes, &arguments, &environment) == 0 ? number : nil
}

/// Says that no more will be sent.
func system_endSending(_ socket: Int32) { shutdown(socket, Int32(SHUT_WR)) }

/// Sends a signal to a program that was started and its children, as far as they are in its process group. Only before
/// ``system_reap(_:)``: then the number can be another's.
func system_signal(_ number: Int32, _ signal: Int32) { kill(-number, signal) }

/// Whether a program that was started has ended; it stays a zombie, which keeps its number.
func system_hasEnded(_ number: Int32) -> Bool {
  var facts = unsafe siginfo_t()
  let status = unsafe waitid(P_PID, id_t(number), &facts, WEXITED | WNOHANG | WNOWAIT)
  // Nobody's child: somebody else has waited for it.
  return status != 0 ? errno == ECHILD : unsafe facts.si_signo == SIGCHLD
}

/// Waits for the end of a program without limit.
func system_reap(_ number: Int32) {
  while waitpid(number, nil, 0) < 0 && errno == EINTR {}
}

func system_sleep(milliseconds: Int32) { _ = poll(nil, 0, milliseconds) }
