import Glibc
import Testing

/// A pseudoterminal: the test holds the person's side, the program under test the other.
final class Pseudoterminal: Sendable {
  /// The person's side.
  let person: Int32
  /// The program's side.
  let program: Int32
  let path: String

  init() throws {
    var (person, program): (Int32, Int32) = (0, 0)
    var name = [CChar](repeating: 0, count: 256)
    try #require(unsafe openpty(&person, &program, &name, nil, nil) == 0)
    for end in [person, program] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (self.person, self.program) = (person, program)
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Types like a person.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe write(person, bytes, bytes.count)
  }

  /// What the terminal shows until `text` is among it, at most 20 seconds.
  func read(until text: String) -> String {
    var shown = ""
    for _ in 0..<200 {
      shown += readWhatIsThere(milliseconds: 100)
      if shown.contains(text) { break }
    }
    return shown
  }

  /// What the terminal shows now.
  func readWhatIsThere(milliseconds: Int32 = 50) -> String {
    var all: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1_000)
    var one = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&one, 1, milliseconds) > 0 {
      let got = unsafe Glibc.read(person, &piece, piece.count)
      guard got > 0 else { break }
      all += piece.prefix(got)
    }
    return String(decoding: all, as: UTF8.self)
  }

  /// The flags that a prompt changes.
  var flags: [UInt32] {
    var found = termios()
    _ = unsafe tcgetattr(program, &found)
    return [found.c_lflag, found.c_iflag, found.c_oflag]
  }
  var echoes: Bool { flags[0] & UInt32(ECHO) != 0 }

  /// Starts a program whose controlling terminal and standard descriptors this is.
  func start(_ path: String, _ arguments: [String], environment: [String]) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that the leader of a new session opens becomes its controlling terminal.
    unsafe posix_spawn_file_actions_addopen(&actions, 0, self.path, O_RDWR, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // What the test's own process ignores or blocks is no matter of the program.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    let newSession = 0x80  // POSIX_SPAWN_SETSID, which stands behind _GNU_SOURCE
    let flags = newSession | Int(POSIX_SPAWN_SETSIGMASK) | Int(POSIX_SPAWN_SETSIGDEF)
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var words: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer { unsafe (words + variables).forEach { unsafe free($0) } }
    var process: pid_t = 0
    var failed: Int32 = -1
    // Under the load of all tests a start fails now and then for a moment; the reason is shown when it stays.
    for _ in 0..<20 where failed != 0 {
      failed = unsafe posix_spawn(&process, path, &actions, &attributes, &words, &variables)
      if failed != 0 { usleep(50_000) }
    }
    try #require(failed == 0, "posix_spawn: errno \(failed)")
    return process
  }

  deinit {
    close(person)
    close(program)
  }
}

/// Waits for a process at most 20 seconds, while the terminal is read so that it cannot fill up.
///
/// - Returns: Its exit code, or minus the signal that ended it; nil when it goes on.
func wait(for process: pid_t) -> Int32? {
  for _ in 0..<2_000 {
    var status: Int32 = 0
    if unsafe waitpid(process, &status, WNOHANG) == process {
      return status & 0x7f == 0 ? (status >> 8) & 0xff : -(status & 0x7f)
    }
    usleep(10_000)
  }
  return nil
}

func send(_ signal: Int32, to process: pid_t) { kill(process, signal) }
