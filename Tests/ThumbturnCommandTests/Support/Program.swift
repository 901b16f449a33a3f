import Foundation
import Testing

/// The program that was built with these tests, in a folder of its own with an empty home.
final class Program {
  let folder: URL
  var path: String { folder.appending(path: "bin/thumbturn").path }
  var home: String { folder.appending(path: "home").path }

  /// The build folder: the test's resources lie in it.
  private static var buildFolder: URL { Bundle.module.bundleURL.deletingLastPathComponent() }

  /// The program is copied, so that another user can run it and no other of ours lies beside it.
  init() throws {
    // The name has no scheme that another user could guess and make first.
    folder = FileManager.default.temporaryDirectory.appending(path: "thumbturn-\(UUID().uuidString.lowercased())")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "bin"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    try FileManager.default.copyItem(
      at: Self.buildFolder.appending(path: "thumbturn"), to: folder.appending(path: "bin/thumbturn"))
    let detached = folder.appending(path: "bin/detached")
    try Self.detached.write(to: detached, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: detached.path)
  }

  /// Runs a program without what it would inherit beside the standard streams: whoever waits for the end of a line of shell
  /// waits for all who have the descriptor that tells of it.
  private static let detached = """
    #!/bin/bash
    for file in /proc/$$/fd/*; do
      number=${file##*/}
      ((number > 2)) && eval "exec $number>&-"
    done
    exec "$@"

    """

  private var hasAgent = false

  /// Puts the agent where `unlock` finds it.
  func installAgent() throws {
    let libexec = folder.appending(path: "libexec/thumbturn")
    try FileManager.default.createDirectory(at: libexec, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: Self.buildFolder.appending(path: "thumbturnd"), to: libexec.appending(path: "thumbturnd"))
    hasAgent = true
  }

  deinit {
    if hasAgent { _ = try? shell("thumbturn lock --stop") }
    try? FileManager.default.removeItem(at: folder)
  }

  /// The environment of the program: nothing of ours, so that no vault of a user can be meant.
  var environment: [String: String] {
    var found = [
      "HOME": folder.appending(path: "user").path, "THUMBTURN_HOME": home, "LC_ALL": "C.UTF-8",
      "PATH": folder.appending(path: "bin").path + ":/usr/bin:/bin",
    ]
    // A dynamically linked toolchain that lies in an unusual place.
    found["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
    return found
  }

  struct Answer {
    let exitCode: Int32
    let output: Data
    let errors: Data
  }

  /// Runs a line of shell in the folder; after 120 seconds it is ended and has failed.
  ///
  /// - Parameter user: The number of the user who runs it; nil is the one who runs the tests.
  func shell(_ line: String, input: Data = Data(), as user: UInt32? = nil) throws -> Answer {
    let names = (0..<3).map { folder.appending(path: ".stream\($0)") }
    try input.write(to: names[0])
    for name in names[1...] { try Data().write(to: name) }
    let process = Process()
    process.currentDirectoryURL = folder
    process.environment = environment
    process.executableURL = URL(filePath: "/usr/bin/timeout")
    process.arguments = ["-k", "5", "120"]
    if let user { process.arguments? += ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"] }
    process.arguments? += ["/bin/sh", "-c", line]
    process.standardInput = try FileHandle(forReadingFrom: names[0])
    process.standardOutput = try FileHandle(forWritingTo: names[1])
    process.standardError = try FileHandle(forWritingTo: names[2])
    try process.run()
    process.waitUntilExit()
    return Answer(
      exitCode: process.terminationStatus, output: try Data(contentsOf: names[1]),
      errors: try Data(contentsOf: names[2]))
  }
}
