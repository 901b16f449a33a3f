internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnAuthentication

#if !SANITIZE_THREAD
  internal import Synchronization
#endif

/// What was called, in order.
private final class Calls: Sendable {
  private let state = Mutex<[String]>([])
  var all: [String] { state.withLock { $0 } }
  func add(_ call: String) { state.withLock { $0.append(call) } }
}

@Suite("A context")
struct AuthenticationContextTests {
  private func session(_ number: UInt8, _ shown: Set<Factor>, _ calls: Calls) -> VerifiedSession {
    VerifiedSession(id: Array(repeating: number, count: 16), shown: shown) { calls.add("end \($0[0])") }
  }

  @Test("calls each hook once when it is invalidated, in order, and none that was taken back or comes later")
  func hooks() throws {
    let (context, calls) = (AuthenticationContext(), Calls())
    _ = context.addHook { calls.add("1") }
    let second = try #require(context.addHook { calls.add("2") })
    _ = context.addHook { calls.add("3") }
    context.removeHook(second)
    context.invalidate()
    context.invalidate()
    #expect(calls.all == ["1", "3"])
    #expect(context.addHook { calls.add("4") } == nil)
    #expect(calls.all == ["1", "3"] && context.isInvalidated)
  }

  @Test("invalidates itself when it is let go")
  func letGo() {
    let calls = Calls()
    do {
      let context = AuthenticationContext()
      _ = context.addHook { calls.add("hook") }
      context.keep(session(1, [.finger], calls))
      #expect(calls.all.isEmpty)
    }
    #expect(Set(calls.all) == ["hook", "end 1"])
  }

  @Test("keeps 16 sessions, ends the oldest, and all of them with itself")
  func sessions() {
    let (context, calls) = (AuthenticationContext(), Calls())
    for number in 0...UInt8(AuthenticationContext.sessionsCountMax) {
      context.keep(session(number, number == 0 ? [.passcode] : [.finger], calls))
    }
    #expect(calls.all == ["end 0"])
    #expect(context.sessionIDs.map { $0[0] } == Array(1...16))
    #expect(context.shown == [.finger])
    context.forgetSessions([Array(repeating: 3, count: 16), Array(repeating: 99, count: 16)])
    #expect(calls.all == ["end 0", "end 3"])
    context.invalidate()
    #expect(context.sessionIDs.isEmpty && context.shown.isEmpty)
    #expect(Set(calls.all).count == 17)
    context.keep(session(50, [.finger], calls))
    #expect(context.sessionIDs.isEmpty && calls.all.last == "end 50")
  }

  @Test("holds a session as long as one of two contexts does")
  func shared() {
    let (first, second, calls) = (AuthenticationContext(), AuthenticationContext(), Calls())
    do {
      let session = session(1, [.finger], calls)
      first.keep(session)
      second.keep(session)
    }
    first.invalidate()
    #expect(calls.all.isEmpty)
    second.invalidate()
    #expect(calls.all == ["end 1"])
  }

  @Test("takes no credential once it is invalidated")
  func credential() throws {
    let context = AuthenticationContext()
    let bytes: [UInt8] = [1]
    context.credential = SharedSecret(try SecretBytes(copying: bytes.span))
    #expect(context.credential?.count == 1)
    context.invalidate()
    #expect(context.credential == nil)
    context.credential = SharedSecret(try SecretBytes(copying: bytes.span))
    #expect(context.credential == nil)
  }
}

@Suite("The simulated reader")
struct SimulatedSensorTests {
  private func stop() throws -> StopSignal { try #require(StopSignal()) }

  private func verify(
    _ sensor: SimulatedSensor, _ stop: StopSignal, seconds: Double = 0.2, _ step: (FingerEvent) -> FingerStep
  ) -> FingerEnd {
    sensor.verify(limit: .seconds(seconds), stop: stop, onEvent: step)
  }

  @Test("has no finger at first, then one, and another one after it was taken away")
  func enrolment() throws {
    let sensor = SimulatedSensor()
    #expect(sensor.state() == .notEnrolled && sensor.isSimulated)
    let stop = try stop()
    #expect(verify(sensor, stop) { _ in .stop } == .failed(AuthenticationFailure(.biometryNotEnrolled, .nothingSimulated)))
    try sensor.simulate(.enrolled)
    let first = sensor.state()
    try sensor.simulate(.enrolled)
    #expect(sensor.state() == first && first != .notEnrolled)
    try sensor.simulate(.none)
    #expect(sensor.state() == .notEnrolled)
    try sensor.simulate(.enrolled)
    #expect(sensor.state() != first && sensor.state() != .notEnrolled)
  }

  @Test("shows nothing until an event says what, then that again and again")
  func events() throws {
    let (sensor, stop) = (SimulatedSensor(), try stop())
    try sensor.simulate(.enrolled)
    #expect(verify(sensor, stop) { _ in .stop } == .timedOut)
    try sensor.simulate(.match)
    #expect(verify(sensor, stop) { $0 == .matched ? .stop : .goOn } == .enough)
    try sensor.simulate(.noMatch)
    var count = 0
    let end = verify(sensor, stop, seconds: 5) { event in
      count += 1
      return event == .notMatched && count < 3 ? .goOn : .stop
    }
    #expect(end == .enough && count == 3)
    try sensor.simulate(.cancel)
    #expect(verify(sensor, stop) { _ in .stop } == .cancelled)
  }

  @Test("ends at once when it is stopped, and when the finger goes meanwhile")
  func ends() throws {
    let (sensor, stop) = (SimulatedSensor(), try stop())
    try sensor.simulate(.enrolled)
    stop.set()
    stop.set()
    let began = ContinuousClock.now
    #expect(verify(sensor, stop, seconds: 30) { _ in .stop } == .stopped)
    #expect(ContinuousClock.now - began < .seconds(5))
  }
}

@Suite("A stop signal")
struct StopSignalTests {
  @Test("waits until it is set, and no longer than its limit")
  func waits() throws {
    let signal = try #require(StopSignal())
    let began = ContinuousClock.now
    #expect(!signal.wait(for: .milliseconds(50)) && !signal.isSet)
    #expect(ContinuousClock.now - began >= .milliseconds(50))
    signal.set()
    #expect(signal.wait(for: .seconds(30)) && signal.isSet)
    #expect(ContinuousClock.now - began < .seconds(10))
  }
}
