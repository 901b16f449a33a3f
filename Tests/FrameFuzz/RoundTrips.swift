import AgentFixtures
import Foundation
import TestFixtures
import ThumbturnAgentClient
import ThumbturnKeychain

/// A find of one item over an agent in another process, beside an echo of packets of the same size.
enum RoundTrips {
  private static let roundCount = 7
  private static let callCount = 5_000

  static func measure() throws {
    let (agentFolder, echoFolder) = (try ScratchFolder("bench"), try ScratchFolder("echo"))
    let agent = try SpawnedAgent(["serve", agentFolder.path])
    let echo = try SpawnedAgent(["echo", echoFolder.path])
    guard agent.isReady(), echo.isReady() else { FrameFuzz.fail("a program did not start") }
    let keychain = RemoteBackend(AgentLink(SocketPlace(folder: agentFolder.path), vaultID: Samples.vaultID))
    let caller = Caller()
    let secret = try Samples.secret(Array(repeating: 7, count: 64))
    let attributes: [Attribute: AttributeValue] = [.service: .text("example.org"), .account: .text("somebody")]
    let item = try keychain.add(NewItem(.genericPassword, attributes, secret: secret), for: caller)
    let query = ItemQuery(.genericPassword, attributes, wantsSecret: true)
    let (asked, answered) = (
      try Encoding.packet(.find(query, caller)).bytes.count,
      try Encoding.packet(ReplyMessage.answer(.items([item]))).bytes.count
    )
    let client = try RawClient(SocketPlace(folder: echoFolder.path))
    var packet = [UInt8](repeating: 1, count: max(asked, answered))
    var (found, echoed): ([Double], [Double]) = ([], [])
    let control = AgentControl(AgentLink(SocketPlace(folder: agentFolder.path), vaultID: Samples.vaultID))
    var plain: [Double] = []
    for _ in 0..<roundCount {
      plain.append(try median { _ = try control.status() })
      found.append(try median { _ = try keychain.find(query, for: caller) })
      echoed.append(try median { if !client.echo(&packet) { FrameFuzz.fail("no echo") } })
    }
    let (best, bestEcho) = (found.sorted()[roundCount / 2], echoed.sorted()[roundCount / 2])
    print("request \(asked) bytes, answer \(answered) bytes; medians of \(roundCount) rounds of \(callCount)")
    print("find over the agent \(rounded(best)) us, echo \(rounded(bestEcho)) us: \(rounded(best / bestEcho)) times")
    print("status over the agent \(rounded(plain.sorted()[roundCount / 2])) us")
    withExtendedLifetime((agent, echo)) {}
  }

  private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }

  /// The median of many calls, in microseconds.
  private static func median(_ body: () throws -> Void) throws -> Double {
    var times: [Double] = []
    for _ in 0..<callCount {
      let began = ContinuousClock.now
      try body()
      times.append((ContinuousClock.now - began) / .microseconds(1))
    }
    return times.sorted()[callCount / 2]
  }
}
