internal import Foundation

/// Instructions of one point read, counted by callgrind: of 2N reads less those of N, so that opening and leaving cancel.
struct InstructionRows {
  private static let readCount = 1_000
  private static let valgrind = "/usr/bin/valgrind"

  let store: Store

  func instructions(of side: String) throws -> Double {
    let once = try total(side, Self.readCount)
    return (try total(side, 2 * Self.readCount) - once) / Double(Self.readCount)
  }

  private func total(_ side: String, _ count: Int) throws -> Double {
    // Valgrind gives up on the debug information of the Swift runtime.
    let program = store.home + "/bench-stripped"
    defer { try? FileManager.default.removeItem(atPath: program) }
    _ = try Program.time(["/usr/bin/strip", "--strip-debug", "-o", program, try Program.own()], environment: [:])
    let path = store.home + "/callgrind-\(side)"
    _ = try Program.time(
      [
        Self.valgrind, "--quiet", "--tool=callgrind", "--callgrind-out-file=\(path)", program, "profile", "reads", side,
        String(count), store.home,
      ], environment: ["PATH": "/usr/bin:/bin"])
    let text = try String(contentsOfFile: path, encoding: .utf8)
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("summary: ") }),
      let sum = Double(line.dropFirst("summary: ".count))
    else { throw Failure("callgrind gave no sum") }
    return sum
  }
}
