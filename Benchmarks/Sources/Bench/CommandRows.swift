internal import Foundation

/// The program `thumbturn` of a release build, against a C program that only opens the database and decrypts one row.
struct CommandRows {
  let command: String
  let peer: String
  let store: Store

  /// Whole runs of both programs, their output thrown away.
  func getPairs() throws -> Pairs {
    let number = store.count / 2
    let line = [command, "get", Items.service(number), Items.account(number)]
    let environment = ["THUMBTURN_HOME": store.home, "PATH": "/usr/bin:/bin"]
    // Rows are numbered from 1.
    let peerLine = [peer, try store.vaultDatabase(), String(number + 1)]
    let secret = try Program.output(line, environment: environment, scratch: store.home)
    guard secret == Data(repeating: 7, count: Items.secretCount) else {
      throw Failure("thumbturn get gave another secret")
    }
    return try Pairs(
      40, batchCount: 1, ours: { try Program.time(line, environment: environment) },
      peer: { try Program.time(peerLine, environment: environment) })
  }

  /// Size of the program without symbols, in 1,000,000 bytes.
  func strippedMegabytes() throws -> Double {
    let path = store.home + "/stripped"
    defer { try? FileManager.default.removeItem(atPath: path) }
    _ = try Program.time(["/usr/bin/strip", "-o", path, command], environment: [:])
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    return Double(size ?? 0) / 1e6
  }
}
