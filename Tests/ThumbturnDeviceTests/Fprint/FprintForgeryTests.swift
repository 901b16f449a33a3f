import Glibc
import Testing
import ThumbturnAuthentication

@testable import ThumbturnDevice

/// Words about a finger that fprintd did not say.
@Suite("A forged finger")
struct FprintForgeryTests {
  /// Whether the forger runs as another user.
  enum Forger: String, CaseIterable { case sameUser, otherUser }
  /// To whom it is sent: to each connection, or to everybody.
  enum Way: String, CaseIterable {
    case unicast = "*"
    case broadcast = "-"
  }

  private static func userID(_ forger: Forger) throws -> UInt32? {
    guard forger == .otherUser else { return nil }
    try requireRoot("a finger forged by another user")
    return 65_534
  }

  private static func forge(_ player: Player, _ way: Way, _ path: String) throws {
    try player.run("signal", way.rawValue, path, FprintLink.device, "VerifyStatus", "verify-match", "true")
  }

  @Test("is ignored", arguments: PrivateBus.Policy.allCases, Forger.allCases)
  func ignored(policy: PrivateBus.Policy, forger: Forger) throws {
    let userID = try Self.userID(forger)
    let bench = try FprintBench(policy: policy)
    try bench.enrol(.rightIndex, as: "A")
    let path = try bench.path(.simple)
    let player = try Player(bench.bus, userID: userID)
    for way in Way.allCases {
      let verification = try Verification(bench.sensor()) { _ in .stop }
      _ = try bench.waitForVerification()
      try Self.forge(player, way, path)
      // It comes after the forged one, so it would be told after it.
      try bench.socket(.simple).send("SCAN B")
      #expect(verification.end() == .enough)
      #expect(verification.events == [.notMatched])
    }
  }

  @Test("is taken when senders are not checked", arguments: PrivateBus.Policy.allCases, Forger.allCases)
  func control(policy: PrivateBus.Policy, forger: Forger) throws {
    let userID = try Self.userID(forger)
    let bench = try FprintBench(policy: policy)
    try bench.enrol(.rightIndex, as: "A")
    let player = try Player(bench.bus, userID: userID)
    let verification = try Verification(bench.sensor(checksSenders: false)) { _ in .stop }
    _ = try bench.waitForVerification()
    try Self.forge(player, .unicast, try bench.path(.simple))
    #expect(verification.end() == .enough)
    #expect(verification.events == [.matched])
  }

  @Test("of one who owns the service's name as another user is not looked at")
  func foreignOwner() throws {
    try requireRoot("a fingerprint service of another user")
    let bus = try PrivateBus()
    let daemon = try bus.start()
    let reader = try TrickReader(bus, "", userID: 65_534)
    var surroundings = FprintSurroundings()
    surroundings.place = .address(bus.address)
    // As it is without a test: root.
    #expect(FprintSensor(surroundings).state() == .unavailable(.noService))
    let end = try Verification(FprintSensor(surroundings)).end()
    #expect(end == .failed(AuthenticationFailure(.biometryNotAvailable, .noService)))
    // The control: without the check of its user it is a reader like any other.
    surroundings.serviceUserID = nil
    #expect(FprintSensor(surroundings).state() == .ready(Enrolment(device: "A reader", fingers: ["left-thumb"])))
    _ = (daemon, reader)
  }

  @Test("of one who takes the name over in the middle is not told, whoever it is", arguments: Forger.allCases)
  func takenOver(forger: Forger) throws {
    let userID = try Self.userID(forger)
    let bench = try FprintBench()
    try bench.enrol(.rightIndex, as: "A")
    let path = try bench.path(.simple)
    let player = try Player(bench.bus, userID: userID)
    let verification = try Verification(bench.sensor()) { _ in .stop }
    _ = try bench.waitForVerification()
    // It waits for the name, so it has it at once.
    try player.run("queue", "net.reactivated.Fprint")
    bench.fprintd?.stop(signal: SIGKILL)
    for _ in 0..<3 { try Self.forge(player, .unicast, path) }
    let end = try #require(verification.end())
    guard case .failed = end else {
      Issue.record("\(end)")
      return
    }
    #expect(verification.events == [])
  }
}
