import Foundation

/// How a program ended.
struct Ending: Equatable {
  /// The exit code, or nil when a signal ended it.
  let exitCode: Int32?
  let signal: Int32
  let output: [UInt8]
  let errors: [UInt8]

  /// strace ends as its program did; a shell in between says 128 + signal.
  var wasKilled: Bool { signal == SIGKILL || exitCode == 128 + SIGKILL }
  var errorText: String { String(decoding: errors, as: UTF8.self) }
}

/// A program that runs, with its output in two files.
final class Child {
  let process: pid_t
  fileprivate let folder: String

  /// - Parameter line: The program's path and its arguments.
  init(_ line: [String], input: [UInt8] = [], environment: [String: String], scratch: String) throws {
    folder = scratch + "/streams-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Files.write(input, to: folder + "/0")
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, folder + "/0", O_RDONLY, 0)
    for number in Int32(1)...2 {
      unsafe posix_spawn_file_actions_addopen(
        &actions, number, folder + "/\(number)", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    }
    var arguments = unsafe line.map { unsafe strdup($0) } + [nil]
    var variables = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
    defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
    var process = pid_t()
    let status = unsafe posix_spawn(&process, line[0], &actions, nil, &arguments, &variables)
    guard status == 0 else { throw Fault("\(line[0]) did not start: error \(status)") }
    self.process = process
  }

  /// Waits; after `seconds` the program is ended, which is a fault.
  func wait(seconds: Double = 30) throws -> Ending {
    var status: Int32 = 0
    let end = Date().addingTimeInterval(seconds)
    var pause: UInt32 = 200
    while true {
      let got = unsafe waitpid(process, &status, WNOHANG)
      if got == process { break }
      guard got == 0 || errno == EINTR else { throw Fault("waitpid failed: \(errno)") }
      guard Date() < end else {
        kill(process, SIGKILL)
        _ = unsafe waitpid(process, &status, 0)
        throw Fault("a program ran longer than \(Int(seconds)) s: it hangs")
      }
      usleep(pause)
      pause = min(pause * 2, 5_000)
    }
    let signal = status & 0x7F
    let ending = Ending(
      exitCode: signal == 0 ? (status >> 8) & 0xFF : nil, signal: signal, output: try Files.read(folder + "/1"),
      errors: try Files.read(folder + "/2"))
    try? FileManager.default.removeItem(atPath: folder)
    return ending
  }
}

extension Child {
  /// Waits until the program has printed `line`.
  func waitFor(_ line: String, seconds: Double = 30) throws {
    try wait(seconds, "a program did not say: \(line)") {
      String(decoding: try Files.read(folder + "/1"), as: UTF8.self).split(separator: "\n").contains { $0 == line }
    }
  }

  /// Waits until the kernel says that every thread of the program is stopped.
  func waitUntilStopped(seconds: Double = 5) throws {
    let folder = "/proc/\(process)/task"
    try wait(seconds, "a program did not stop") {
      try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { thread in
        // NUMBER (NAME) STATE
        let text = String(decoding: try Files.read("\(folder)/\(thread)/stat"), as: UTF8.self)
        return text[(text.lastIndex(of: ")") ?? text.startIndex)...].hasPrefix(") T")
      }
    }
  }

  private func wait(_ seconds: Double, _ fault: String, until isDone: () throws -> Bool) throws {
    let end = Date().addingTimeInterval(seconds)
    while try !isDone() {
      guard Date() < end else { throw Fault(fault) }
      usleep(1_000)
    }
  }
}

/// What went wrong, in words for whoever runs the harness.
struct Fault: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
