import Foundation
import Glibc

/// A program that a test starts, and that ends with the test: also when the test crashes, because its shell waits for the
/// end of its input.
final class Service: Sendable {
  struct Failure: Error, CustomStringConvertible { let description: String }

  private let shell: Process
  private let input: FileHandle
  private let output: LineReader
  /// The program's own process.
  let processID: Int32

  /// Starts `words[0]`, found by its path or in PATH.
  ///
  /// - Parameter readsInput: Whether it takes lines, and ends by itself when there are no more.
  init(_ words: [String], environment: [String: String] = [:], readsInput: Bool = false) throws {
    let shell = Process()
    let input = Pipe()
    let output = Pipe()
    shell.executableURL = URL(filePath: "/bin/sh")
    // What stands before & has an empty standard input, unless it is given one.
    let script =
      readsInput
      ? "exec 3<&0; \"$@\" <&3 & p=$!; echo $p; exec <&- 3<&-; wait $p"
      : "\"$@\" & p=$!; echo $p; read nothing; kill $p 2>&-; wait $p"
    shell.arguments = ["-c", script, "sh"] + words
    shell.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    shell.standardInput = input
    shell.standardOutput = output
    shell.standardError = FileHandle.nullDevice
    try shell.run()
    self.shell = shell
    self.input = input.fileHandleForWriting
    self.output = LineReader(output.fileHandleForReading)
    guard let line = self.output.next(), let number = Int32(line) else {
      throw Failure(description: "\(words[0]) does not start")
    }
    processID = number
  }

  deinit { stop() }

  /// The next line that it says; nil after 10 seconds without one, or at the end.
  func line() -> String? { output.next() }

  func write(_ line: String) throws { try input.write(contentsOf: Data((line + "\n").utf8)) }

  /// Ends it at once and waits for that.
  func stop(signal: Int32 = SIGTERM) {
    guard shell.isRunning else { return }
    kill(processID, signal)
    try? input.close()
    for _ in 0..<200 where shell.isRunning { usleep(10_000) }
    if shell.isRunning { kill(processID, SIGKILL) }
    shell.waitUntilExit()
  }
}

/// Lines of a pipe, each waited for at most 10 seconds.
final class LineReader: @unchecked Sendable {  // One test's thread uses it.
  private let handle: FileHandle
  private var buffer = Data()

  init(_ handle: FileHandle) { self.handle = handle }

  func next() -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer = Data(buffer[buffer.index(after: end)...]) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      var entry = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&entry, 1, 10_000) > 0 else { return nil }
      let some = handle.availableData
      guard !some.isEmpty else { return nil }
      buffer += some
    }
  }
}
