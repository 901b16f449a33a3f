import Foundation
import Glibc
import Testing
import ThumbturnAuthentication

@testable import ThumbturnDevice

/// A fprintd that says what the real one does not: Services/reader.py.
final class TrickReader: Sendable {
  private let service: Service

  /// - Parameter userID: Whom it runs as; only root can choose.
  init(_ bus: PrivateBus, _ trick: String, userID: UInt32? = nil) throws {
    let script = Bundle.module.bundleURL.appending(path: "Services/reader.py").path
    // Through an argument, because another user may not be able to read the folder of the build.
    let text = try String(contentsOfFile: script, encoding: .utf8)
    service = try Service(
      ["/usr/bin/python3", "-c", text, bus.address, trick] + (userID.map { ["\($0)"] } ?? []), readsInput: true)
    guard service.line() == "ready" else { throw Service.Failure(description: "reader.py does not start") }
  }
}

@Suite("What a fingerprint service says")
struct FprintTrickTests {
  private static func sensor(_ bus: PrivateBus) -> FprintSensor {
    var surroundings = FprintSurroundings()
    surroundings.place = .address(bus.address)
    surroundings.serviceUserID = geteuid()
    return FprintSensor(surroundings)
  }

  private static func verify(
    _ trick: String, limit: Duration = .seconds(1)
  ) throws -> (end: FingerEnd?, events: [FingerEvent]) {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    let reader = try TrickReader(bus, trick)
    let verification = try Verification(sensor(bus), limit: limit) { $0 == .notMatched ? .stop : .goOn }
    let end = verification.end()
    _ = (daemon, reader)
    return (end, verification.events)
  }

  @Test(
    "does not count before our verification begins, of another reader, or when it is no end",
    arguments: ["before", "elsewhere", "unfinished"])
  func notOurs(trick: String) throws {
    let (end, events) = try Self.verify(trick)
    #expect(end == .timedOut)
    #expect(events == [])
  }

  @Test("of a reader that was disconnected is looked into: it may be there, or gone", arguments: [true, false])
  func disconnected(isGone: Bool) throws {
    let (end, events) = try Self.verify(isGone ? "gone" : "disconnected")
    #expect(
      end
        == .failed(
          isGone
            ? AuthenticationFailure(.biometryDisconnected, .readerUnplugged)
            : AuthenticationFailure(.biometryNotAvailable, .readerFailed)))
    #expect(events == [])
  }

  @Test("in a word that is not known is no event while it goes on, and a failure at the end")
  func unknown() throws {
    let going = try Self.verify("unknownWord")
    #expect(going.end == .enough)
    #expect(going.events == [.notMatched])
    let ended = try Self.verify("unknownEnd")
    #expect(ended.end == .failed(AuthenticationFailure(.biometryNotAvailable, .readerFailed)))
    #expect(ended.events == [])
  }

  @Test("that is none of its signals, or far too much, ends it as failed", arguments: ["nonsense", "flood"])
  func nonsense(trick: String) throws {
    let (end, events) = try Self.verify(trick)
    #expect(end == .failed(AuthenticationFailure(.biometryNotAvailable, .readerFailed)))
    #expect(events == [])
  }

  @Test("without an end puts off neither the limit nor a stop", arguments: ["endless", "endlessElsewhere"])
  func endless(trick: String) throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    let reader = try TrickReader(bus, trick)
    for isLimit in [true, false] {
      let verification = try Verification(Self.sensor(bus), limit: isLimit ? .milliseconds(800) : .seconds(20)) { _ in
        // So that the next one waits already.
        usleep(10_000)
        return .goOn
      }
      if !isLimit {
        usleep(300_000)
        verification.stop.set()
      }
      #expect(verification.end() == (isLimit ? .timedOut : .stopped))
      #expect(verification.time < (isLimit ? 1 : 3))
      // The reader is told to end, and goes on all the same.
      let count = verification.events.count
      #expect((count > 0) == (trick == "endless"))
    }
    _ = (daemon, reader)
  }

  @Test("after our verification was told to end does not count", arguments: [true, false])
  func afterEnd(isLimit: Bool) throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    let reader = try TrickReader(bus, "after")
    let verification = try Verification(Self.sensor(bus), limit: isLimit ? .seconds(1) : .seconds(20))
    if !isLimit {
      usleep(300_000)
      verification.stop.set()
    }
    #expect(verification.end() == (isLimit ? .timedOut : .stopped))
    #expect(verification.events == [])
    _ = (daemon, reader)
  }

  @Test("at the end is waited for: the reader is free when a verification has ended", arguments: [true, false])
  func slowStop(isLimit: Bool) throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    let reader = try TrickReader(bus, "slowStop")
    let verification = try Verification(Self.sensor(bus), limit: isLimit ? .seconds(3) : .seconds(20))
    if !isLimit { usleep(500_000) }
    let time = seconds {
      if !isLimit { verification.stop.set() }
      #expect(verification.end() == (isLimit ? .timedOut : .stopped))
    }
    #expect(time > 0.28 && time < 3.1)
    let enrolment = Enrolment(device: "A reader", fingers: ["left-thumb", "right-thumb"])
    #expect(Self.sensor(bus).state() == .ready(enrolment))
    _ = (daemon, reader)
  }

  @Test("at the end is waited for within 2 seconds in all")
  func slowEnding() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    let reader = try TrickReader(bus, "slowEnding")
    let verification = try Verification(Self.sensor(bus))
    usleep(500_000)
    let time = seconds {
      verification.stop.set()
      #expect(verification.end() == .stopped)
    }
    #expect(time > 1.9 && time < 2.3)
    _ = (daemon, reader)
  }

  @Test("after a stop is not told, though it came before")
  func waiting() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    let reader = try TrickReader(bus, "waiting")
    let stop = try #require(StopSignal())
    var count = 0
    let end = Self.sensor(bus).verify(limit: .seconds(20), stop: stop) { _ in
      count += 1
      stop.set()
      return .goOn
    }
    #expect(end == .stopped)
    #expect(count == 1)
    _ = (daemon, reader)
  }

  @Test("of fingers counts when people have them, each once")
  func names() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    let reader = try TrickReader(bus, "names")
    let enrolment = Enrolment(device: "A reader", fingers: ["left-thumb", "right-index-finger"])
    #expect(Self.sensor(bus).state() == .ready(enrolment))
    _ = (daemon, reader)
  }

  @Test("of nothing but fingers that nobody has is told as none enrolled")
  func noNames() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    let reader = try TrickReader(bus, "toe")
    #expect(Self.sensor(bus).state() == .notEnrolled)
    #expect(try Verification(Self.sensor(bus)).end() == .failed(AuthenticationFailure(.biometryNotEnrolled)))
    _ = (daemon, reader)
  }

  @Test("of a reader that does not know its number of stages is one stage")
  func stages() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    let reader = try TrickReader(bus, "")
    var surroundings = FprintSurroundings()
    surroundings.place = .address(bus.address)
    surroundings.serviceUserID = geteuid()
    let found = try FprintEnrolment(surroundings).readers()
    #expect(found.map(\.stageCount) == [1])
    #expect(found.map(\.isSwiped) == [false])
    _ = (daemon, reader)
  }

  @Test(
    "by each of its errors has its own reason",
    arguments: [
      ("net.reactivated.Fprint.Error.NoSuchDevice", FprintFailure.unavailable(.noReader)),
      ("net.reactivated.Fprint.Error.PermissionDenied", .unavailable(.permissionDenied)),
      ("org.freedesktop.DBus.Error.AccessDenied", .unavailable(.permissionDenied)),
      ("net.reactivated.Fprint.Error.AlreadyInUse", .unavailable(.readerBusy)),
      ("net.reactivated.Fprint.Error.NoEnrolledPrints", .notEnrolled),
      ("net.reactivated.Fprint.Error.FingerAlreadyEnrolled", .alreadyEnrolled),
      ("net.reactivated.Fprint.Error.Internal", .unavailable(.readerFailed)),
      ("net.reactivated.Fprint.Error.ClaimDevice", .unavailable(.readerFailed)),
      ("org.freedesktop.DBus.Error.UnknownMethod", .unavailable(.readerFailed)),
      ("org.freedesktop.DBus.Error.ServiceUnknown", .unavailable(.noService)),
      ("org.freedesktop.DBus.Error.NoReply", .unavailable(.noService)),
      ("org.freedesktop.DBus.Error.Spawn.ChildExited", .unavailable(.noService)),
      ("org.freedesktop.DBus.Error.TimedOut", .unavailable(.serviceSilent)),
    ])
  func errors(name: String, failure: FprintFailure) {
    #expect(FprintFailure(BusError(.answeredError, "", name: name)) == failure)
  }

  @Test(
    "and what the bus does has its own reason",
    arguments: [
      (BusError.Code.stopped, FprintFailure.stopped), (.timedOut, .unavailable(.serviceSilent)),
      (.noOwner, .unavailable(.noService)), (.noBus, .unavailable(.noBus)), (.closed, .unavailable(.noBus)),
      (.malformed, .unavailable(.readerFailed)), (.tooMany, .unavailable(.readerFailed)),
      (.tooLarge, .unavailable(.readerFailed)), (.outOfMemory, .unavailable(.readerFailed)),
    ])
  func busErrors(code: BusError.Code, failure: FprintFailure) {
    #expect(FprintFailure(BusError(code, "")) == failure)
    if code == .timedOut { #expect(FprintFailure(BusError(code, ""), isCut: true) == .outOfTime) }
  }
}
