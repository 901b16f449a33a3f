import Foundation
import Glibc
import Testing
import ThumbturnAuthentication

@testable import ThumbturnDevice

/// fprintd, bus and reader that come, go, and say nothing.
@Suite("The fingerprint service")
struct FprintServiceTests {
  private static func failed(_ reason: AuthenticationFailure.Reason) -> FingerEnd {
    .failed(AuthenticationFailure(.biometryNotAvailable, reason))
  }

  private static func sensor(_ bus: PrivateBus, userID: UInt32? = geteuid()) -> FprintSensor {
    var surroundings = FprintSurroundings()
    surroundings.place = .address(bus.address)
    surroundings.serviceUserID = userID
    return FprintSensor(surroundings)
  }

  @Test("is one of the system, by its name, unless a test says otherwise")
  func real() {
    let surroundings = FprintSurroundings()
    #expect(surroundings.service == .system("net.reactivated.Fprint"))
    #expect(surroundings.place == .system)
    #expect(surroundings.checksSenders)
    #expect(surroundings.printsFolder == "/var/lib/fprint")
  }

  @Test("is started by the bus when it does not run")
  func started() throws {
    let bench = try FprintBench(starts: false)
    #expect(bench.startedProcess == nil)
    var state: SensorState?
    #expect(seconds { state = bench.sensor().state() } < 3)
    #expect(state == .notEnrolled)
    let processID = try #require(bench.startedProcess)
    try bench.enrol(.rightIndex, as: "A")
    // As after its own 30 seconds of rest.
    kill(processID, SIGTERM)
    #expect(eventually { kill(processID, 0) != 0 })
    let verification = try Verification(bench.sensor())
    try bench.socket(.simple).send("SCAN A")
    #expect(verification.end() == .enough)
    #expect(bench.startedProcess != processID)
  }

  @Test("that neither runs nor can be started is told as missing")
  func missing() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    #expect(Self.sensor(bus).state() == .unavailable(.noService))
    #expect(try Verification(Self.sensor(bus)).end() == Self.failed(.noService))
    _ = daemon
  }

  @Test("that does not come up is told as missing")
  func broken() throws {
    let bus = try PrivateBus(activatable: ["net.reactivated.Fprint": "/bin/false"])
    let daemon = try bus.start()
    #expect(Self.sensor(bus).state() == .unavailable(.noService))
    _ = daemon
  }

  @Test("that never comes up ends in time")
  func slow() throws {
    let bus = try PrivateBus(activatable: ["net.reactivated.Fprint": "/bin/sleep 5"])
    let daemon = try bus.start()
    var state: SensorState?
    let time = seconds { state = Self.sensor(bus).state() }
    #expect(state == .unavailable(.serviceSilent))
    #expect(time > 1.9 && time < 3)
    _ = daemon
  }

  @Test("on a bus that is not there, or never lets in, is told so in time")
  func noBus() throws {
    let bus = try PrivateBus()
    var state: SensorState?
    #expect(seconds { state = Self.sensor(bus).state() } < 1)
    #expect(state == .unavailable(.noBus))
    #expect(try Verification(Self.sensor(bus)).end() == Self.failed(.noBus))

    let listener = try Listener(accepts: false)
    var surroundings = FprintSurroundings()
    surroundings.place = .address(listener.address)
    #expect(seconds { state = FprintSensor(surroundings).state() } < 3)
    #expect(state == .unavailable(.noBus))
  }

  @Test("that is killed in the middle ends it at once, and so does the bus", arguments: [true, false])
  func killed(isBus: Bool) throws {
    let bench = try FprintBench()
    try bench.enrol(.rightIndex, as: "A")
    let verification = try Verification(bench.sensor())
    _ = try bench.waitForVerification()
    let time = seconds {
      (isBus ? bench.daemon : bench.fprintd)?.stop(signal: SIGKILL)
      #expect(verification.end() == Self.failed(isBus ? .noBus : .noService))
    }
    #expect(time < 2)
    #expect(verification.events == [])
  }

  @Test("that is killed in the middle and starts again tells that the reader failed, and works afterwards")
  func killedAndStarted() throws {
    let bench = try FprintBench(starts: false)
    try bench.enrol(.rightIndex, as: "A")
    let verification = try Verification(bench.sensor())
    _ = try bench.waitForVerification()
    kill(try #require(bench.startedProcess), SIGKILL)
    #expect(verification.end() == Self.failed(.readerFailed))
    let next = try Verification(bench.sensor())
    try bench.socket(.simple).send("SCAN A")
    #expect(next.end() == .enough)
  }

  @Test("that is stopped ends a state within 3 seconds, and a verification as silent")
  func stopped() throws {
    let bench = try FprintBench()
    try bench.enrol(.rightIndex, as: "A")
    let processID = try #require(bench.fprintd).processID
    kill(processID, SIGSTOP)
    defer { kill(processID, SIGCONT) }
    var state: SensorState?
    #expect(seconds { state = bench.sensor().state() } < 3)
    #expect(state == .unavailable(.serviceSilent))
    let verification = try Verification(bench.sensor())
    #expect(verification.end() == Self.failed(.serviceSilent))
    #expect(verification.time < 3)
  }

  @Test("that is stopped is not told as silent when the caller's limit is shorter than its own")
  func shortLimit() throws {
    let bench = try FprintBench()
    try bench.enrol(.rightIndex, as: "A")
    let processID = try #require(bench.fprintd).processID
    kill(processID, SIGSTOP)
    defer { kill(processID, SIGCONT) }
    let verification = try Verification(bench.sensor(), limit: .milliseconds(700))
    #expect(verification.end() == .timedOut)
    #expect(verification.time < 0.9)
  }

  @Test("that is stopped in the middle keeps neither the limit nor a stop from ending it", arguments: [true, false])
  func stoppedInTheMiddle(isLimit: Bool) throws {
    let bench = try FprintBench()
    try bench.enrol(.rightIndex, as: "A")
    let verification = try Verification(bench.sensor(), limit: isLimit ? .seconds(2) : .seconds(20))
    _ = try bench.waitForVerification()
    let processID = try #require(bench.fprintd).processID
    kill(processID, SIGSTOP)
    let time = seconds {
      if !isLimit { verification.stop.set() }
      #expect(verification.end() == (isLimit ? .timedOut : .stopped))
    }
    #expect(time < (isLimit ? 2.2 : 2.5))
    #expect(verification.time < (isLimit ? 2.1 : 20))
    // The end of the connection has let the reader go.
    kill(processID, SIGCONT)
    var last: FingerEnd?
    _ = try eventually {
      last = try Verification(bench.sensor(), limit: .milliseconds(400)).end()
      return last == .timedOut
    }
    #expect(last == .timedOut)
    #expect(verification.events == [])
  }

  @Test("may take its own time for a state only within 3 seconds in all, however slow each answer is")
  func slowAnswers() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    let reader = try TrickReader(bus, "slow")
    var state: SensorState?
    let time = seconds { state = Self.sensor(bus).state() }
    #expect(state == .unavailable(.serviceSilent))
    #expect(time > 2 && time < 3.2)
    _ = (daemon, reader)
  }
}
