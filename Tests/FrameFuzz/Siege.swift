import AgentFixtures
import Foundation
import Synchronization
import TestFixtures
import ThumbturnAgentClient
import ThumbturnCrypto

/// An agent among clients without manners, and what an honest one notices.
///
/// The same attackers meet a program that does the least, while the honest client asks the agent: what it loses then is the
/// machine's share that they take, and no fault of the agent's. Compared is what it loses when they meet the agent itself.
enum Siege {
  private static let messageCount = 100_000
  private static let laneCount = 2
  private static let crowdCount = 900
  private static let strangerCount = 100
  /// What the agent may take more than before, in bytes.
  private static let grownBytesMax = 96 << 20
  /// How much longer 99 of 100 honest calls may take than beside the other program.
  private static let ratioMax = 3.0

  static func run(_ seed: UInt64) throws {
    guard MemoryUse.raiseDescriptors(to: 8_192) >= 4_096 else { FrameFuzz.fail("too few descriptors are allowed") }
    let (folder, sinkFolder) = (try ScratchFolder("fuzz"), try ScratchFolder("fuzz-sink"))
    let agent = try SpawnedAgent(["serve", folder.path])
    let sink = try SpawnedAgent(["sink", sinkFolder.path])
    guard agent.isReady(), sink.isReady() else { FrameFuzz.fail("a program did not start: \(agent.printed)") }
    let place = SocketPlace(folder: folder.path)
    let control = AgentControl(AgentLink(place, vaultID: Samples.vaultID))
    let quietEnd = ContinuousClock.now + .seconds(5)
    let quiet = try Times.measure(control) { ContinuousClock.now > quietEnd }
    let before = MemoryUse.residentBytes(of: agent.process)
    let beside = try attack(SocketPlace(folder: sinkFolder.path), seed, control)
    print("beside: \(beside.text)")
    let meant = try attack(place, seed, control, watching: agent.process)
    print("agent: \(meant.text)")
    print("  memory: \(before >> 10) KiB before, at most \(meant.mostBytes >> 10) KiB")
    print("  honest client, alone: \(quiet.text)")
    print("  honest client, beside: \(beside.times.text)")
    print("  honest client, among them: \(meant.times.text)")
    let ratio = meant.times.quantile(0.99) / beside.times.quantile(0.99)
    print("  p99 among them is \((ratio * 100).rounded() / 100) times that beside them")
    guard meant.mostBytes - before < grownBytesMax else { FrameFuzz.fail("the agent took too much memory") }
    guard ratio <= ratioMax else { FrameFuzz.fail("the honest client waited too long") }
    agent.end(SIGKILL)
    sink.end(SIGKILL)
  }

  /// What an attack was, and what the honest client saw.
  private struct Outcome {
    var messageCount = 0
    var hangUpCount = 0
    var strangerCount = 0
    var floodCount = 0
    var mostBytes = 0
    var seconds = 0.0
    var times: Times
    var text: String {
      "\(messageCount) messages in \((seconds * 10).rounded() / 10) s, hung up \(hangUpCount) times; \(crowdCount) clients "
        + "that only said hello, \(strangerCount) that said nothing, \(floodCount) that never read"
    }
  }

  private final class Counts: Sendable {
    let messages = Atomic(0)
    let hangUps = Atomic(0)
    let strangers = Atomic(0)
    let floods = Atomic(0)
    let endedLanes = Atomic(0)
    let endedCrowds = Atomic(0)
    var isOver: Bool { endedLanes.load(ordering: .acquiring) == laneCount }
  }

  /// Every kind of attack at once, until the mutated messages are all sent.
  private static func attack(
    _ place: SocketPlace, _ seed: UInt64, _ control: AgentControl, watching process: pid_t? = nil
  ) throws -> Outcome {
    let counts = Counts()
    let began = ContinuousClock.now
    for lane in 0..<laneCount {
      Thread.detachNewThread {
        try? mutate(place, seed &+ UInt64(lane), counts)
        counts.endedLanes.add(1, ordering: .releasing)
      }
    }
    Thread.detachNewThread {
      try? crowd(place, counts)
      counts.endedCrowds.add(1, ordering: .releasing)
    }
    var most = 0
    let times = try Times.measure(control) {
      if let process { most = max(most, MemoryUse.residentBytes(of: process)) }
      return counts.isOver
    }
    while counts.endedCrowds.load(ordering: .acquiring) == 0 { usleep(1_000) }
    var outcome = Outcome(times: times)
    outcome.messageCount = counts.messages.load(ordering: .relaxed)
    outcome.hangUpCount = counts.hangUps.load(ordering: .relaxed)
    outcome.strangerCount = counts.strangers.load(ordering: .relaxed)
    outcome.floodCount = counts.floods.load(ordering: .relaxed)
    outcome.mostBytes = most
    outcome.seconds = (ContinuousClock.now - began) / .seconds(1)
    guard outcome.messageCount == messageCount / laneCount * laneCount else {
      FrameFuzz.fail("not every message was sent")
    }
    guard outcome.floodCount > 0, outcome.strangerCount >= strangerCount else {
      FrameFuzz.fail("the crowd did not come")
    }
    return outcome
  }

  /// Sends mutated messages over connections that said hello, and some that did not.
  private static func mutate(_ place: SocketPlace, _ seed: UInt64, _ counts: Counts) throws {
    let messages = try Samples.requests().filter {
      // What ends the agent is no attack.
      if case .stop = $0 { false } else { true }
    }.map { try Encoding.packet($0).bytes }
    var mutator = Mutator(seed: seed, others: messages)
    var client: RawClient?
    for index in 0..<messageCount / laneCount {
      if client == nil {
        client = try? RawClient(place)
        if index % 8 != 0 { _ = try client?.sayHello() }
      }
      var message = mutator.next()
      // The operation that ends it must not come of a mutation either.
      if message.count > 7, message[6] == 15, message[7] == 0 { message[6] = 6 }
      let isSent = client?.send(message) ?? false
      counts.messages.add(1, ordering: .relaxed)
      // What there is of answers; two in three are read.
      var answer: [UInt8]? = index % 3 == 0 ? nil : client?.receive(seconds: 0.000_1)
      while answer?.isEmpty == false { answer = client?.receive(seconds: 0) }
      if !isSent || answer?.isEmpty == true {
        counts.hangUps.add(1, ordering: .relaxed)
        client = nil
      }
    }
  }

  /// Clients that say hello and nothing more, others that do not even say that, and one after the other that never reads.
  private static func crowd(_ place: SocketPlace, _ counts: Counts) throws {
    var crowd: [RawClient] = []
    while crowd.count < crowdCount, !counts.isOver {
      guard let client = try? RawClient(place), try client.sayHello() else { continue }
      crowd.append(client)
    }
    var strangers: [RawClient] = []
    let question = try Encoding.packet(.status).bytes
    while !counts.isOver {
      if let stranger = try? RawClient(place) {
        strangers.append(stranger)
        counts.strangers.add(1, ordering: .relaxed)
      }
      if strangers.count > strangerCount { strangers.removeFirst() }
      if let flood = try? RawClient(place), try flood.sayHello() {
        for _ in 0..<1_000 { if !flood.send(question) { break } }
        counts.floods.add(1, ordering: .relaxed)
      }
      usleep(5_000)
    }
    withExtendedLifetime(crowd) {}
  }
}

/// Times of calls in microseconds, in ascending order.
struct Times {
  let sorted: [Double]

  func quantile(_ part: Double) -> Double { sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))] }

  var text: String {
    "\(sorted.count) calls, p50 \(Int(quantile(0.5))) us, p99 \(Int(quantile(0.99))) us, "
      + "longest \(Int(quantile(1))) us"
  }

  /// Calls until `isDone`, every half millisecond.
  static func measure(_ control: AgentControl, until isDone: () -> Bool) throws -> Times {
    var times: [Double] = []
    while !isDone() {
      let began = ContinuousClock.now
      _ = try control.status()
      times.append((ContinuousClock.now - began) / .microseconds(1))
      usleep(500)
    }
    return Times(sorted: times.sorted())
  }
}
