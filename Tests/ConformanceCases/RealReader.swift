internal import Foundation

/// The real fprintd with a virtual reader, and somebody at it, for a whole run of cases; see `Services/fingers.py`.
final class RealReader {
  private let folder: String
  private let process = Process()
  private let commands = Pipe()
  private let answers = Pipe()

  /// The address of the bus on which it is.
  var busAddress: String { "unix:path=\(folder)/bus" }

  init() throws(Problem) {
    // Not in the scratch folder: polkit runs as another user, and has to reach the bus.
    folder = NSTemporaryDirectory() + "/thumbturn-reader-\(UUID().uuidString)"
    guard let script = Bundle.module.url(forResource: "fingers", withExtension: "py", subdirectory: "Services") else {
      throw Problem("there is no script of the reader")
    }
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [script.path, folder]
    process.standardInput = commands
    process.standardOutput = answers
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
      try process.run()
    } catch { throw Problem("the reader cannot be started") }
    try expectAnswer()
  }

  deinit {
    try? commands.fileHandleForWriting.close()
    process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// What happens when a finger is asked for from now on: `success`, `fail` or `cancel`.
  func does(_ answer: String) throws(Problem) { try send("does \(answer)") }

  /// What is enrolled from now on.
  func enrols(_ fingers: [String]) throws(Problem) {
    try send("enrols \(fingers.isEmpty ? "none" : fingers.joined(separator: ","))")
  }

  private func send(_ line: String) throws(Problem) {
    do { try commands.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) } catch {
      throw Problem("the reader is gone")
    }
    try expectAnswer()
  }

  /// The script answers within its own limits, and ends with this process.
  private func expectAnswer() throws(Problem) {
    var line = ""
    while !line.hasSuffix("\n") {
      guard let more = try? answers.fileHandleForReading.read(upToCount: 1), !more.isEmpty else {
        throw Problem("the reader is gone: \(line)")
      }
      line += String(decoding: more, as: UTF8.self)
    }
    guard line == "ok\n" else { throw Problem("the reader does not do it: \(line)") }
  }
}
