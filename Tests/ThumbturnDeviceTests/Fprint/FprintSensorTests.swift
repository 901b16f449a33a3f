import Glibc
import Testing
import ThumbturnAuthentication

@testable import ThumbturnDevice

/// The real fprintd with the virtual readers of libfprint.
@Suite("A fingerprint reader")
struct FprintSensorTests {
  private static func failed(_ reason: AuthenticationFailure.Reason) -> FingerEnd {
    .failed(AuthenticationFailure(.biometryNotAvailable, reason))
  }

  @Test("tells of an enrolled finger, and is free afterwards", arguments: VirtualReader.allCases)
  func match(reader: VirtualReader) throws {
    let bench = try FprintBench([reader])
    try bench.enrol(.rightIndex, as: "A", on: reader)
    let state = bench.sensor().state()
    guard case .ready(let enrolment) = state else {
      Issue.record("\(state)")
      return
    }
    #expect(enrolment.device == reader.name)
    #expect(enrolment.fingers == ["right-index-finger"])
    for _ in 0..<2 {
      let verification = try Verification(bench.sensor())
      try bench.socket(reader).send("SCAN A")
      #expect(verification.end() == .enough)
      #expect(verification.events == [.matched])
      #expect(verification.time < 2)
    }
  }

  @Test("tells of a finger that is not enrolled, and ends when that is enough", arguments: VirtualReader.allCases)
  func noMatch(reader: VirtualReader) throws {
    let bench = try FprintBench([reader])
    try bench.enrol(.rightIndex, as: "A", on: reader)
    let verification = try Verification(bench.sensor()) { _ in .stop }
    try bench.socket(reader).send("SCAN B")
    #expect(verification.end() == .enough)
    #expect(verification.events == [.notMatched])
    #expect(verification.time < 3)
  }

  @Test(
    "tells why a finger has to be shown again, which is no failure, and looks on",
    arguments: zip(0...3, [FingerRetry.again, .tooShort, .notCentred, .removeFirst]))
  func retry(number: Int, why: FingerRetry) throws {
    let bench = try FprintBench()
    try bench.enrol(.rightIndex, as: "A")
    let verification = try Verification(bench.sensor())
    #expect(try bench.waitForVerification() == "right-index-finger")
    try bench.socket(.simple).send("RETRY \(number)")
    #expect(verification.wait(for: 1) == [.retry(why)])
    try bench.socket(.simple).send("SCAN A")
    #expect(verification.end() == .enough)
    #expect(verification.events == [.retry(why), .matched])
  }

  @Test("ends after a badly placed finger when that is enough, and tells of no failure")
  func retryIsEnough() throws {
    let bench = try FprintBench()
    try bench.enrol(.rightIndex, as: "A")
    let verification = try Verification(bench.sensor()) { _ in .stop }
    try bench.socket(.simple).send("RETRY 0")
    #expect(verification.end() == .enough)
    usleep(100_000)
    #expect(verification.events == [.retry(.again)])
  }

  @Test("tells of no failure when it is stopped, and is free afterwards", arguments: VirtualReader.allCases)
  func stop(reader: VirtualReader) throws {
    let bench = try FprintBench([reader])
    try bench.enrol(.rightIndex, as: "A", on: reader)
    let verification = try Verification(bench.sensor())
    _ = try bench.waitForVerification()
    let time = seconds {
      verification.stop.set()
      #expect(verification.end() == .stopped)
    }
    #expect(time < 1)
    #expect(verification.events == [])
    let next = try Verification(bench.sensor())
    _ = try bench.waitForVerification()
    try bench.socket(reader).send("SCAN A")
    #expect(next.end() == .enough)
  }

  @Test(
    "is free after a stop that comes while fprintd ends what a wrong finger ended",
    arguments: VirtualReader.allCases, [0, 100_000, 300_000] as [UInt32])
  func stopAfterWrongFinger(reader: VirtualReader, microseconds: UInt32) throws {
    let bench = try FprintBench([reader])
    try bench.enrol(.rightIndex, as: "one", on: reader)
    let verification = try Verification(bench.sensor())
    try bench.socket(reader).send("SCAN stranger")
    #expect(verification.wait(for: 1) == [.notMatched])
    usleep(microseconds)
    verification.stop.set()
    #expect(verification.end() == .stopped)
    let next = try Verification(bench.sensor())
    try bench.socket(reader).send("SCAN one")
    #expect(next.end() == .enough)
    #expect(next.events == [.matched])
  }

  @Test("does not begin when it is stopped already")
  func stoppedBefore() throws {
    let bench = try FprintBench()
    try bench.enrol(.rightIndex, as: "A")
    let stop = try #require(StopSignal())
    stop.set()
    var end: FingerEnd?
    #expect(seconds { end = bench.sensor().verify(limit: .seconds(20), stop: stop) { _ in .stop } } < 1)
    #expect(end == .stopped)
  }

  @Test("looks at several wrong fingers and then a right one", arguments: VirtualReader.allCases)
  func several(reader: VirtualReader) throws {
    let bench = try FprintBench([reader])
    try bench.enrol(.rightIndex, as: "A", on: reader)
    let verification = try Verification(bench.sensor())
    for print in ["B", "C", "A"] {
      _ = try bench.waitForVerification()
      try bench.socket(reader).send("SCAN \(print)")
    }
    #expect(verification.end() == .enough)
    #expect(verification.events == [.notMatched, .notMatched, .matched])
  }

  @Test("says that no finger is enrolled", arguments: VirtualReader.allCases)
  func notEnrolled(reader: VirtualReader) throws {
    let bench = try FprintBench([reader])
    #expect(bench.sensor().state() == .notEnrolled)
    let verification = try Verification(bench.sensor())
    #expect(verification.end() == .failed(AuthenticationFailure(.biometryNotEnrolled)))
  }

  @Test("that is not there is told as none")
  func noReader() throws {
    let bench = try FprintBench([])
    #expect(bench.sensor().state() == .unavailable(.noReader))
    #expect(try Verification(bench.sensor()).end() == Self.failed(.noReader))
  }

  @Test("that is plugged out in the middle is told as gone, and then as none", arguments: VirtualReader.allCases)
  func unplugged(reader: VirtualReader) throws {
    let bench = try FprintBench([reader])
    try bench.enrol(.rightIndex, as: "A", on: reader)
    let verification = try Verification(bench.sensor())
    _ = try bench.waitForVerification()
    try bench.socket(reader).send("UNPLUG")
    #expect(verification.end() == .failed(AuthenticationFailure(.biometryDisconnected, .readerUnplugged)))
    #expect(verification.events == [])
    #expect(bench.sensor().state() == .unavailable(.noReader))
  }

  @Test("that fails and is still there is told as failed")
  func readerFails() throws {
    let bench = try FprintBench()
    try bench.enrol(.rightIndex, as: "A")
    let verification = try Verification(bench.sensor())
    _ = try bench.waitForVerification()
    try bench.socket(.simple).send("ERROR 0")
    #expect(verification.end() == Self.failed(.readerFailed))
    #expect(verification.events == [])
  }

  @Test("that another program has is told as busy, and the other goes on; its state is told all the same")
  func busy() throws {
    let bench = try FprintBench()
    try bench.enrol(.rightIndex, as: "A")
    let first = try Verification(bench.sensor())
    _ = try bench.waitForVerification()
    let second = try Verification(bench.sensor())
    #expect(second.end() == Self.failed(.readerBusy))
    #expect(second.time < 1)
    guard case .ready = bench.sensor().state() else {
      Issue.record("a busy reader has no state")
      return
    }
    try bench.socket(.simple).send("SCAN A")
    #expect(first.end() == .enough)
    #expect(first.events == [.matched])
    #expect(second.events == [])
  }

  @Test("that polkit refuses is told as refused")
  func refused() throws {
    let bench = try FprintBench(allowed: [])
    #expect(bench.sensor().state() == .unavailable(.permissionDenied))
    #expect(try Verification(bench.sensor()).end() == Self.failed(.permissionDenied))
  }

  @Test("ends at its limit when no finger comes, and is free afterwards", arguments: VirtualReader.allCases)
  func noFinger(reader: VirtualReader) throws {
    let bench = try FprintBench([reader])
    try bench.enrol(.rightIndex, as: "A", on: reader)
    let verification = try Verification(bench.sensor(), limit: .milliseconds(1_500))
    #expect(verification.end() == .timedOut)
    #expect(verification.time > 1 && verification.time < 1.6)
    #expect(verification.events == [])
    let next = try Verification(bench.sensor())
    _ = try bench.waitForVerification()
    _ = try bench.waitForVerification()
    try bench.socket(reader).send("SCAN A")
    #expect(next.end() == .enough)
  }

  @Test("of a program that was killed can be had soon afterwards")
  func vanished() throws {
    let bench = try FprintBench()
    try bench.enrol(.rightIndex, as: "A")
    let path = try bench.path(.simple)
    let player = try Player(bench.bus)
    try player.run("call", "net.reactivated.Fprint", path, FprintLink.device, "Claim", "")
    try player.run("call", "net.reactivated.Fprint", path, FprintLink.device, "VerifyStart", "any")
    #expect(try Verification(bench.sensor()).end() == Self.failed(.readerBusy))
    kill(player.service.processID, SIGKILL)
    var last: Verification?
    var isFree = false
    let time = try seconds {
      isFree = try eventually {
        let verification = try Verification(bench.sensor(), limit: .milliseconds(400))
        last = verification
        return verification.end() == .timedOut
      }
    }
    #expect(isFree)
    #expect(time < 3)
    // What fprintd says at the end of the other's verification is not of ours.
    #expect(last?.events == [])
  }

  @Test("ignores what another program's verification on another reader says")
  func otherReader() throws {
    let bench = try FprintBench(VirtualReader.allCases)
    for reader in VirtualReader.allCases { try bench.enrol(.rightIndex, as: "A", on: reader) }
    let own = try #require(try bench.enrolment().readers().first)
    let other = try #require(VirtualReader.allCases.first { $0.name != own.name })
    let path = try bench.path(other)
    let verification = try Verification(bench.sensor())
    _ = try bench.waitForVerification()
    let player = try Player(bench.bus)
    try player.run("call", "net.reactivated.Fprint", path, FprintLink.device, "Claim", "")
    try player.run("call", "net.reactivated.Fprint", path, FprintLink.device, "VerifyStart", "any")
    #expect(try bench.waitForVerification() == "right-index-finger")
    try bench.socket(other).send("SCAN A")
    try player.run("call", "net.reactivated.Fprint", path, FprintLink.device, "VerifyStop")
    usleep(100_000)
    #expect(verification.events == [])
    verification.stop.set()
    #expect(verification.end() == .stopped)
    #expect(verification.events == [])
  }
}
