import AgentFixtures
import Foundation
import TestFixtures
import ThumbturnAgentClient
@_spi(Benchmarks) import ThumbturnKeychain
import ThumbturnVault

/// A find of one item over an agent in another process, beside an echo of packets of the same size, by turns.
struct RoundTrips {
  private static let roundCount = 9
  private static let callCount = 2_000
  private static let itemCount = 1_000

  /// Over a keychain in memory, and over a vault of a thousand items.
  static func measure() throws {
    print("load \(load())")
    let plain = try ScratchFolder("bench")
    let home = try ScratchFolder("bench-vault")
    let location = VaultLocation(home: home.path)
    let backend = LocalBackend(location: location)
    try backend.addTogether(try (0..<itemCount).map { try item($0) }, for: Caller())
    let vaultID = try backend.status().vaultIDBytes
    backend.close()
    try RoundTrips("tests' agent, memory", ["serve", plain.path], plain.path, Samples.vaultID, itemCount: 1).run()
    let name = "tests' agent, vault of \(itemCount)"
    try RoundTrips(name, ["vault", home.path], home.path, vaultID, itemCount: itemCount).run()
    // The real one has no clock and no cgroups of ours to look for at each request.
    unsafe setenv("THUMBTURN_HOME", home.path, 1)
    try RoundTrips("thumbturnd, vault of \(itemCount)", [], home.path, vaultID, itemCount: itemCount).run()
    print("load \(load())")
  }

  private static func load() -> String {
    let text = FileManager.default.contents(atPath: "/proc/loadavg").map { String(decoding: $0, as: UTF8.self) }
    return text?.split(separator: " ").first.map(String.init) ?? "unknown"
  }

  private static func attributes(_ number: Int) -> [Attribute: AttributeValue] {
    [.service: .text("example.org"), .account: .text("somebody \(number)")]
  }

  private static func item(_ number: Int) throws -> NewItem {
    NewItem(.genericPassword, attributes(number), secret: try Samples.secret(Array(repeating: 7, count: 64)))
  }

  private let name: String
  private let agent: SpawnedAgent
  private let link: AgentLink
  private let itemCount: Int

  private init(
    _ name: String, _ arguments: [String], _ folder: String, _ vaultID: [UInt8], itemCount: Int
  ) throws {
    self.name = name
    self.itemCount = itemCount
    link = AgentLink(SocketPlace(folder: folder), vaultID: vaultID)
    agent = try SpawnedAgent(arguments, of: arguments.isEmpty ? SpawnedAgent.buildFolder + "/thumbturnd" : nil)
    for _ in 0..<1_000 {
      if (try? AgentControl(link).status()) != nil { break }
      usleep(10_000)
    }
    if itemCount == 1 { _ = try RemoteBackend(link).add(Self.item(0), for: Caller()) }
  }

  private func run() throws {
    let echoFolder = try ScratchFolder("echo")
    let echo = try SpawnedAgent(["echo", echoFolder.path])
    guard echo.isReady() else { FrameFuzz.fail("the echo did not start") }
    let keychain = RemoteBackend(link)
    let control = AgentControl(link)
    let caller = Caller()
    let queries = (0..<itemCount).map { ItemQuery(.genericPassword, Self.attributes($0), wantsSecret: true) }
    let found = try keychain.find(queries[0], for: caller)
    let asked = try Encoding.packet(.find(queries[0], caller)).bytes.count
    let answered = try Encoding.packet(ReplyMessage.answer(.items(found))).bytes.count
    let client = try RawClient(SocketPlace(folder: echoFolder.path))
    var packet = [UInt8](repeating: 1, count: max(asked, answered))
    var (finds, statuses, echoes): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<Self.roundCount {
      finds.append(try Self.median { _ = try keychain.find(queries[$0 &* 7_919 % itemCount], for: caller) })
      echoes.append(try Self.median { _ in if !client.echo(&packet) { FrameFuzz.fail("no echo") } })
      statuses.append(try Self.median { _ in _ = try control.status() })
    }
    let ratios = zip(finds, echoes).map { $0 / $1 }.sorted()
    print("\(name): request \(asked) bytes, answer \(answered) bytes; \(Self.roundCount) rounds of \(Self.callCount)")
    print(
      "  find \(rounded(middle(finds))) us, status \(rounded(middle(statuses))) us, echo \(rounded(middle(echoes))) us")
    let (lowest, highest) = (rounded(ratios[0]), rounded(ratios[ratios.count - 1]))
    print("  a find is \(rounded(middle(ratios))) echoes (\(lowest) to \(highest) of the rounds)")
    withExtendedLifetime((agent, echo)) {}
  }

  private func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
  private func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }

  /// The median of many calls, in microseconds.
  private static func median(_ body: (Int) throws -> Void) throws -> Double {
    var times: [Double] = []
    for number in 0..<callCount {
      let began = ContinuousClock.now
      try body(number)
      times.append((ContinuousClock.now - began) / .microseconds(1))
    }
    return times.sorted()[callCount / 2]
  }
}
