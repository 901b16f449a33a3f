package import Foundation
import Glibc
import TestFixtures
import ThumbturnAgentClient

/// `TestAgent` in a process of its own; killed when it is let go.
package final class SpawnedAgent {
  /// Its process.
  package let process: pid_t
  private let output: String
  private var isOver = false

  /// The folder of the programs that were built with these tests.
  package static var buildFolder: String {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    let path = bundle ?? ((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "")
    return (path as NSString).deletingLastPathComponent
  }

  /// Starts it with these arguments.
  ///
  /// - Parameters:
  ///   - passed: A descriptor that it gets as number 3, with the variables of a hand-over by systemd.
  package init(
    _ arguments: [String], program name: String = "TestAgent", passed: Int32? = nil, wrongProcess: Bool = false
  ) throws {
    output = NSTemporaryDirectory() + "/thumbturn-agent-\(UUID().uuidString)"
    let program = Self.buildFolder + "/" + name
    var line = [program] + arguments
    if passed != nil {
      let number = wrongProcess ? "1" : "$$"
      line =
        ["/bin/sh", "-c", "LISTEN_PID=\(number) LISTEN_FDS=1 LISTEN_FDNAMES=agent exec \"$0\" \"$@\"", program]
        + arguments
    }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    if let passed { unsafe posix_spawn_file_actions_adddup2(&actions, passed, 3) }
    var words = unsafe line.map { unsafe strdup($0) } + [nil]
    var variables = unsafe ProcessInfo.processInfo.environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
    defer { unsafe (words + variables).forEach { unsafe free($0) } }
    var process = pid_t()
    let failed = unsafe posix_spawn(&process, line[0], &actions, nil, &words, &variables)
    guard failed == 0 else { throw CocoaError(.executableLoad) }
    self.process = process
  }

  deinit {
    if !isOver { end(SIGKILL) }
    try? FileManager.default.removeItem(atPath: output)
  }

  /// What it has printed.
  package var printed: String {
    String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
  }

  /// Whether it says within 10 seconds that it listens.
  package func isReady() -> Bool {
    for _ in 0..<1_000 {
      if printed.contains("READY\n") { return true }
      usleep(10_000)
    }
    return false
  }

  /// Stops it, so that it answers nothing more, and waits until it has stopped.
  package func pause() {
    kill(process, SIGSTOP)
    var status: Int32 = 0
    _ = unsafe waitpid(process, &status, WUNTRACED)
  }

  /// Lets it go on.
  package func resume() { kill(process, SIGCONT) }

  /// Sends a signal that ends it, and waits for that.
  package func end(_ signal: Int32) {
    kill(process, signal)
    _ = waitForEnd(seconds: 10)
  }

  /// Its exit code; nil when it does not end within `seconds`, or a signal ended it.
  package func waitForEnd(seconds: Double) -> Int32? {
    var status: Int32 = 0
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
      if unsafe waitpid(process, &status, WNOHANG) == process {
        isOver = true
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
      }
      usleep(2_000)
    }
    return nil
  }
}
