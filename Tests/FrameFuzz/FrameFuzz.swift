import AgentFixtures
import Foundation
import Glibc
import Synchronization
import TestFixtures
import ThumbturnAgentClient
import ThumbturnCrypto

/// Mutated messages: `FrameFuzz [SEED]`, or `make fuzz-frames`; `FrameFuzz --bench` measures round trips. A million against the decoders in this process, then a
/// hundred thousand against an agent in another, while an honest client measures how long its calls take.
@main
enum FrameFuzz {
  private static let decoderCount = 1_000_000
  private static let socketCount = 100_000
  private static let laneCount = 2
  /// What the agent may take more than before, in bytes.
  private static let grownBytesMax = 96 << 20

  /// What 99 of 100 honest calls may take, in microseconds. Attackers, agent and client share the processors here, so that
  /// this bounds what the agent does, and the two lines that are printed are what is to be compared.
  private static let p99MicrosecondsMax = 50_000.0

  static func main() {
    if CommandLine.arguments.dropFirst().first == "--bench" {
      do { try RoundTrips.measure() } catch { fail("\(error)") }
      return
    }
    let seed = CommandLine.arguments.dropFirst().first.flatMap { UInt64($0) } ?? UInt64(system_realNanoseconds())
    print("seed \(seed)")
    do {
      try decoders(seed)
      try socket(seed)
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

  /// Times of calls in microseconds, in ascending order.
  private struct Times {
    let sorted: [Double]
    func quantile(_ part: Double) -> Double { sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))] }
    var text: String {
      "\(sorted.count) calls, p50 \(Int(quantile(0.5))) us, p99 \(Int(quantile(0.99))) us, "
        + "longest \(Int(quantile(1))) us"
    }
  }

  /// Calls until `isDone`, every half millisecond.
  private static func measure(_ control: AgentControl, until isDone: () -> Bool) throws -> Times {
    var times: [Double] = []
    while !isDone() {
      let began = ContinuousClock.now
      _ = try control.status()
      times.append((ContinuousClock.now - began) / .microseconds(1))
      usleep(500)
    }
    return Times(sorted: times.sorted())
  }

  /// Sends mutated messages over connections that said hello, and some that did not; how many, and how often hung up.
  private static func attack(_ place: SocketPlace, _ seed: UInt64, _ sent: borrowing Atomic<Int>, count: Int) throws
    -> Int
  {
    let messages = try Samples.requests().filter {
      // What ends the agent is no attack.
      if case .stop = $0 { false } else { true }
    }.map { try Encoding.packet($0).bytes }
    var mutator = Mutator(seed: seed, others: messages)
    var hungUp = 0
    var client: RawClient?
    for index in 0..<count {
      if client == nil {
        client = try? RawClient(place)
        if index % 8 != 0 { _ = try client?.sayHello() }
      }
      var message = mutator.next()
      // The operation that ends it must not come of a mutation either.
      if message.count > 7, message[6] == 15, message[7] == 0 { message[6] = 6 }
      let isSent = client?.send(message) ?? false
      sent.add(1, ordering: .relaxed)
      // What is there of answers; one in three is not read.
      var answer: [UInt8]? = index % 3 == 0 ? nil : client?.receive(seconds: 0.000_1)
      while answer?.isEmpty == false { answer = client?.receive(seconds: 0) }
      if !isSent || answer?.isEmpty == true {
        hungUp += 1
        client = nil
      }
    }
    return hungUp
  }

  private static func socket(_ seed: UInt64) throws {
    let folder = try ScratchFolder("fuzz")
    let agent = try SpawnedAgent(["serve", folder.path])
    guard agent.isReady() else { fail("the agent did not start: \(agent.printed)") }
    let place = SocketPlace(folder: folder.path)
    let control = AgentControl(AgentLink(place, vaultID: Samples.vaultID))
    let quietEnd = ContinuousClock.now + .seconds(5)
    let quiet = try measure(control) { ContinuousClock.now > quietEnd }
    let before = MemoryUse.residentBytes(of: agent.process)
    let hungUp = Atomic(0)
    let sent = Atomic(0)
    let ended = Atomic(0)
    let began = ContinuousClock.now
    for lane in 0..<laneCount {
      Thread.detachNewThread {
        let count = (try? attack(place, seed &+ UInt64(lane), sent, count: socketCount / laneCount)) ?? -1
        hungUp.add(count, ordering: .relaxed)
        ended.add(1, ordering: .releasing)
      }
    }
    var most = 0
    let busy = try measure(control) {
      most = max(most, MemoryUse.residentBytes(of: agent.process))
      return ended.load(ordering: .acquiring) == laneCount
    }
    print(
      "agent: \(sent.load(ordering: .relaxed)) messages in \(ContinuousClock.now - began), hung up \(hungUp.load(ordering: .relaxed)) times"
    )
    print("  memory: \(before >> 10) KiB before, at most \(most >> 10) KiB")
    print("  honest client, alone: \(quiet.text)")
    print("  honest client, meanwhile: \(busy.text)")
    guard sent.load(ordering: .relaxed) == socketCount / laneCount * laneCount else {
      fail("not every message was sent")
    }
    guard most - before < grownBytesMax else { fail("the agent took too much memory") }
    guard busy.quantile(0.99) <= Self.p99MicrosecondsMax else { fail("the honest client waited too long") }
    agent.end(SIGKILL)
  }
}
