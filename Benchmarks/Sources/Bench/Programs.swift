internal import Foundation

/// A program that is run to its end, its output thrown away or kept.
enum Program {
  /// The path of this program.
  static func own() throws -> String { try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") }

  /// Nanoseconds from before the start to after the end.
  static func time(_ line: [String], environment: [String: String]) throws -> Double {
    var exitCode: Int32 = 0
    let spent = try nanoseconds { exitCode = try run(line, environment: environment, output: "/dev/null") }
    guard exitCode == 0 else { throw Failure("\(line[0]) ended with \(exitCode)") }
    return spent
  }

  /// What it prints.
  static func output(_ line: [String], environment: [String: String], scratch: String) throws -> Data {
    let path = scratch + "/output"
    let exitCode = try run(line, environment: environment, output: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    guard exitCode == 0 else { throw Failure("\(line[0]) ended with \(exitCode)") }
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private static func run(_ line: [String], environment: [String: String], output: String) throws -> Int32 {
    let ending = try wait(try start(line, environment: environment, output: output))
    guard ending & 0x7F == 0 else { throw Failure("\(line[0]) was ended by signal \(ending & 0x7F)") }
    return (ending >> 8) & 0xFF
  }

  /// Its process, for which somebody has to wait.
  static func start(_ line: [String], environment: [String: String], output: String) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var arguments = unsafe line.map { unsafe strdup($0) } + [nil]
    var variables = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
    defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
    var process = pid_t()
    let status = unsafe posix_spawn(&process, line[0], &actions, nil, &arguments, &variables)
    guard status == 0 else { throw Failure("\(line[0]) did not start: error \(status)") }
    return process
  }

  /// How it ended, as waitpid says.
  static func wait(_ process: pid_t) throws -> Int32 {
    var ending: Int32 = 0
    while unsafe waitpid(process, &ending, 0) < 0 {
      guard errno == EINTR else { throw Failure("waitpid failed: \(errno)") }
    }
    return ending
  }
}
