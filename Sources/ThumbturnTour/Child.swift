import Foundation
import Synchronization

/// This program once more, in a process of its own; its output is collected as it comes.
///
/// No wait is without an end.
final class Child: Sendable {
  private struct State {
    var output = Data()
    var isAtEnd = false
  }
  private let state = Mutex(State())
  private let processID: Int32

  /// Starts the program with `arguments`.
  init(_ arguments: [String]) throws(TourFailure) {
    let process = Process()
    let pipe = Pipe()
    do {
      let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = arguments
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = pipe
      try process.run()
    } catch {
      throw TourFailure(message: "this program cannot be started again")
    }
    processID = process.processIdentifier
    let reading = pipe.fileHandleForReading
    Thread.detachNewThread { [self] in
      // What has come until now, not a full buffer: the lines are counted while the program runs.
      while case let piece = reading.availableData, !piece.isEmpty { state.withLock { $0.output += piece } }
      state.withLock { $0.isAtEnd = true }
      withExtendedLifetime(process) {}
    }
  }

  /// The whole lines printed until now.
  var lines: [String] {
    let text = String(decoding: state.withLock { $0.output }, as: UTF8.self)
    guard let end = text.lastIndex(of: "\n") else { return [] }
    return text[..<end].split(separator: "\n").map(String.init)
  }

  /// Waits until `condition` holds or the output has ended, at most `seconds`.
  ///
  /// - Returns: Whether it held.
  func wait(seconds: Int, until condition: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      if condition() { return true }
      if state.withLock({ $0.isAtEnd }) { return condition() }
      Thread.sleep(forTimeInterval: 0.001)
    }
    return condition()
  }

  /// Waits until the program has closed its output, at most `seconds`; then it is ended.
  func waitForEnd(seconds: Int) -> Bool {
    let isOver = wait(seconds: seconds) { state.withLock { $0.isAtEnd } }
    if !isOver { end() }
    return isOver
  }

  /// Ends the program as a power cut would: it gets no chance to tidy up.
  func end() { kill(processID, SIGKILL) }
}
