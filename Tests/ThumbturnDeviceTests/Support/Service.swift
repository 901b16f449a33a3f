import Foundation
import Glibc

/// A program that a test starts, and that ends with the test: also when the test crashes, because its shell waits for the
/// end of its input.
final class Service: Sendable {
  struct Failure: Error, CustomStringConvertible { let description: String }

  /// The test's end of the program's input and output. A socket, because one that no other program inherits is made in
  /// one call.
  private let socket: Int32
  private let lines: LineReader
  private let shellID: Int32
  /// The program's own process.
  let processID: Int32

  /// Starts `words[0]`, found by its path or in PATH.
  ///
  /// - Parameters:
  ///   - readsInput: Whether it takes lines, and ends by itself when there are no more.
  ///   - isHeard: Whether the test reads what it says. A program that says much and is not read stands still.
  init(
    _ words: [String], environment: [String: String] = [:], readsInput: Bool = false, isHeard: Bool = true
  ) throws {
    // What stands before & has an empty input, unless it is given one.
    // It says its number before the program can say anything.
    let program = #"/bin/sh -c 'echo $$; exec "$@""# + (isHeard ? "" : " >/dev/null") + #"' sh "$@""#
    let script =
      readsInput
      ? "exec 3<&0; \(program) <&3 & wait $!" : "\(program) & p=$!; read nothing; kill $p 2>&-; wait $p"
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure(description: "no socket") }
    let shellID = Self.spawn(["/bin/sh", "-c", script, "sh"] + words, environment, end: ends[1])
    close(ends[1])
    socket = ends[0]
    lines = LineReader(ends[0])
    guard shellID > 0, let line = lines.next(), let number = Int32(line) else {
      // The end of its input ends it.
      close(ends[0])
      throw Failure(description: "\(words[0]) does not start")
    }
    self.shellID = shellID
    processID = number
  }

  deinit {
    stop()
    close(socket)
  }

  /// The next line that it says; nil after 10 seconds without one, or at the end.
  func line() -> String? { lines.next() }

  func write(_ line: String) throws {
    let bytes = Array((line + "\n").utf8)
    guard unsafe send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw Failure(description: "a program takes no input")
    }
  }

  /// Ends it and waits for that, at most 2 seconds; then it is killed.
  func stop(signal: Int32 = SIGTERM) {
    // The shell has not waited for the program yet, so the number cannot be another's.
    guard !hasEnded else { return }
    kill(processID, signal)
    shutdown(socket, Int32(SHUT_WR))
    for _ in 0..<400 {
      if hasEnded { return }
      usleep(5_000)
    }
    kill(processID, SIGKILL)
    kill(shellID, SIGKILL)
    waitpid(shellID, nil, 0)
  }

  /// Whether the shell, which ends after the program, has ended; it can be asked for again.
  private var hasEnded: Bool {
    waitpid(shellID, nil, WNOHANG) != 0
  }

  private static func spawn(_ words: [String], _ environment: [String: String], end: Int32) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, end, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, end, 1)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    // Threads of the tests block signals, and a program inherits that: it would not hear that it is to end.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var arguments = unsafe words.map { unsafe strdup($0) }
    unsafe arguments.append(nil)
    var variables = unsafe all.map { unsafe strdup("\($0.key)=\($0.value)") }
    unsafe variables.append(nil)
    defer {
      unsafe arguments.forEach { unsafe free($0) }
      unsafe variables.forEach { unsafe free($0) }
    }
    var number: pid_t = -1
    let status = unsafe posix_spawn(&number, words[0], &actions, &attributes, arguments, variables)
    return status == 0 ? number : -1
  }
}

/// Lines of a socket, each waited for at most 10 seconds.
final class LineReader: @unchecked Sendable {  // One test's thread uses it.
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  func next() -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(end + 1)
        return line
      }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&entry, 1, 10_000) > 0 else { return nil }
      var some = [UInt8](repeating: 0, count: 4_096)
      let count = unsafe recv(descriptor, &some, some.count, 0)
      guard count > 0 else { return nil }
      buffer += some[..<count]
    }
  }
}
