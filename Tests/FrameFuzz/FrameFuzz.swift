import AgentFixtures
import Foundation
import Glibc
import ThumbturnAgentClient
import ThumbturnCrypto

/// Mutated messages: `FrameFuzz [SEED]`, or `make fuzz-frames`; `FrameFuzz --bench` measures round trips. A million against
/// the decoders in this process, then a hundred thousand and worse against an agent in another, while an honest client
/// measures how long its calls take.
@main
enum FrameFuzz {
  private static let decoderCount = 1_000_000

  static func main() {
    if CommandLine.arguments.dropFirst().first == "--bench" {
      do { try RoundTrips.measure() } catch { fail("\(error)") }
      return
    }
    let seed = CommandLine.arguments.dropFirst().first.flatMap { UInt64($0) } ?? UInt64(system_realNanoseconds())
    print("seed \(seed)")
    do {
      try decoders(seed)
      try Siege.run(seed)
    } catch { fail("\(error)") }
  }

  static func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("thumbturn: error: \(reason)\n".utf8))
    exit(1)
  }

  private static func decoders(_ seed: UInt64) throws {
    let began = ContinuousClock.now
    let totals = try DecoderFuzz.run(count: decoderCount, seed: seed)
    let refused = totals.refused.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }
    print("decoders: \(totals.count) messages in \(ContinuousClock.now - began): \(totals.accepted) taken")
    print("  refused: \(refused.joined(separator: ", "))")
    guard totals.different.isEmpty else { fail("a message was taken for another: \(totals.different[0])") }
    guard totals.accepted > 0, totals.refused.count > 5 else { fail("the mutations show nothing") }
  }
}
