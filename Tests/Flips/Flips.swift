import Dispatch
import Foundation
import Glibc
import ThumbturnCrypto
import ThumbturnVault

/// Damage of every kind to a vault's files: flipped bits and cut ends. `make flips` runs all of it, `--short` the tier of
/// `make test`.
@main
enum Flips {
  private static let laneCount = 2

  static func main() {
    let isShort = CommandLine.arguments.contains("--short")
    let base = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
    let scratch = base + "/thumbturn-flips-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    do {
      try FileManager.default.createDirectory(
        atPath: scratch, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      let small = try Subject(home: scratch + "/small", count: 4)
      try selfTest(small)
      try flips(small, every: isShort ? 64 : 1)
      try truncations(small, every: isShort ? 64 : 1)
      let large = try Subject(home: scratch + "/large", count: 10_000)
      try batches(large, count: isShort ? 2_000 : 100_000, batch: isShort ? 50 : 20)
    } catch {
      FileHandle.standardError.write(Data("thumbturn: error: \(error)\n".utf8))
      try? FileManager.default.removeItem(atPath: scratch)
      exit(1)
    }
  }

  /// A sound vault passes; a secret that is another one, and an item that is not there, are seen.
  private static func selfTest(_ subject: Subject) throws {
    _ = try subject.judge("self-test", pointCount: .max, salvages: false)
    var planted = subject
    for (account, secret) in [("account 0", Array("another".utf8)), ("account 99", [])] {
      planted.secrets = subject.secrets
      planted.secrets[account] = secret
      do { _ = try planted.judge("self-test", pointCount: .max, salvages: false) } catch is Flaw { continue }
      throw Flaw(description: "self-test: a planted flaw was not seen")
    }
  }

  /// One case for each number of `cases`, in lanes with a copy of the vault each.
  private static func run(
    _ name: String, _ subject: Subject, cases: [Int],
    _ body: @Sendable (Subject, [String], Int) throws -> Verdict
  ) throws {
    let totals = Totals()
    DispatchQueue.concurrentPerform(iterations: laneCount) { lane in
      let home = "\(subject.home)-\(lane)"
      defer { try? FileManager.default.removeItem(atPath: home) }
      do {
        let copy = try Subject(copying: subject, to: home)
        let files = try copy.files()
        for index in stride(from: lane, to: cases.count, by: laneCount) where totals.flaw == nil {
          _ = totals.take { try body(copy, files, cases[index]) }
        }
      } catch { _ = totals.take { throw error } }
    }
    try totals.print(name)
  }

  private static func flips(_ subject: Subject, every step: Int) throws {
    let contents = try subject.files().map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    let bitCount = contents.reduce(0) { $0 + $1.count * 8 }
    // Not always the same bit of a byte.
    let cases = stride(from: 0, to: bitCount, by: step).map { $0 + (step == 1 ? 0 : $0 / step % min(step, 8)) }
    try run("flips of a small vault, every \(step). bit of \(bitCount)", subject, cases: cases) { copy, files, bit in
      var (rest, file) = (bit, 0)
      while file < contents.count - 1, rest >= contents[file].count * 8 {
        rest -= contents[file].count * 8
        file += 1
      }
      rest = min(rest, contents[file].count * 8 - 1)
      let byte = contents[file][rest / 8]
      try put([byte ^ 1 << UInt8(rest % 8)], at: rest / 8, in: files[file])
      let salvages = bit / step % 61 == 0
      let verdict = try copy.judge("bit \(rest) of \(files[file])", pointCount: .max, salvages: salvages)
      if salvages { try restore(copy, files, contents) } else { try put([byte], at: rest / 8, in: files[file]) }
      return verdict
    }
  }

  private static func truncations(_ subject: Subject, every step: Int) throws {
    let contents = try subject.files().map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    let count = contents.reduce(0) { $0 + $1.count }
    let cases = Array(stride(from: 0, to: count, by: step))
    try run("truncations of a small vault, every \(step). length", subject, cases: cases) { copy, files, length in
      var (rest, file) = (length, 0)
      while rest >= contents[file].count {
        rest -= contents[file].count
        file += 1
      }
      guard unsafe truncate(files[file], rest) == 0 else { throw Flaw(description: "truncate failed") }
      let verdict = try copy.judge(
        "length \(rest) of \(files[file])", pointCount: .max, salvages: length / step % 61 == 0)
      try restore(copy, files, contents)
      return verdict
    }
  }

  private static func batches(_ subject: Subject, count: Int, batch: Int) throws {
    let database = try subject.files()[1]
    let content = try Data(contentsOf: URL(fileURLWithPath: database))
    let name = "\(count) random flips of a vault of 10,000 items, \(batch) at a time"
    try run(name, subject, cases: Array(0..<(count / batch))) { copy, files, index in
      let bits = (0..<batch).map { _ in Int.random(in: 0..<(content.count * 8)) }
      for bit in bits { try put([content[bit / 8] ^ 1 << UInt8(bit % 8)], at: bit / 8, in: files[1]) }
      let salvages = index % 10 < 2
      let verdict = try copy.judge("bits \(bits)", pointCount: 100, salvages: salvages)
      if salvages {
        try restore(copy, [files[1]], [content])
      } else {
        for bit in bits { try put([content[bit / 8]], at: bit / 8, in: files[1]) }
      }
      return verdict
    }
  }

  /// Writes bytes into a file that nobody has open.
  private static func put(_ bytes: [UInt8], at offset: Int, in path: String) throws {
    let file = try system_open(Array(path.utf8), flags: O_WRONLY)
    defer { system_close(file) }
    guard unsafe pwrite(file, bytes, bytes.count, offset) == bytes.count else {
      throw Flaw(description: "pwrite failed")
    }
  }

  /// The whole files again, and none that a salvage left.
  private static func restore(_ subject: Subject, _ files: [String], _ contents: [Data]) throws {
    let folder = subject.location.vaultFolder
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasPrefix("vault-") {
      try FileManager.default.removeItem(atPath: folder + "/" + name)
    }
    for (path, content) in zip(files, contents) {
      try content.write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
  }
}
