import Foundation
import Glibc
import Synchronization
import Testing
import ThumbturnAuthentication

@testable import ThumbturnDevice

@Suite("An enrolment of fingers")
struct FprintEnrolmentTests {
  private static func failure(_ body: () throws(AuthenticationFailure) -> Void) -> AuthenticationFailure? {
    do throws(AuthenticationFailure) { try body() } catch { return error }
    return nil
  }

  /// The steps that were told.
  private final class Steps: Sendable {
    private let steps = Mutex<[EnrolmentStep]>([])
    var all: [EnrolmentStep] { steps.withLock { $0 } }
    func add(_ step: EnrolmentStep) { steps.withLock { $0.append(step) } }
  }

  @Test("is listed, and removed one by one and as a whole", arguments: VirtualReader.allCases)
  func roundTrip(reader: VirtualReader) throws {
    let bench = try FprintBench([reader])
    let enrolment = bench.enrolment()
    let found = try #require(try enrolment.readers().first)
    #expect(try enrolment.readers().count == 1)
    #expect(found.name == reader.name)
    #expect(found.stageCount == reader.stageCount)
    #expect(found.isSwiped)
    #expect(try enrolment.fingers(on: found) == [])
    for (finger, print) in [(Finger.rightIndex, "A"), (.leftThumb, "B"), (.leftLittle, "C")] {
      try bench.enrol(finger, as: print, on: reader)
    }
    #expect(try enrolment.fingers(on: found) == [.leftThumb, .leftLittle, .rightIndex])
    try enrolment.remove(.leftThumb, on: found)
    #expect(try enrolment.fingers(on: found) == [.leftLittle, .rightIndex])
    try enrolment.removeAll(on: found)
    #expect(try enrolment.fingers(on: found) == [])
    #expect(bench.sensor().state() == .notEnrolled)
  }

  @Test("of every finger goes under its own name")
  func allFingers() throws {
    let bench = try FprintBench()
    for finger in Finger.allCases { try bench.enrol(finger, as: finger.rawValue) }
    let reader = try #require(try bench.enrolment().readers().first)
    #expect(try bench.enrolment().fingers(on: reader) == Finger.allCases)
    guard case .ready(let enrolment) = bench.sensor().state() else {
      Issue.record("nothing is enrolled")
      return
    }
    #expect(enrolment.fingers == Finger.allCases.map(\.rawValue).sorted())
  }

  @Test("tells each stage, and what was badly placed", arguments: VirtualReader.allCases)
  func stages(reader: VirtualReader) throws {
    let bench = try FprintBench([reader])
    let found = try #require(try bench.enrolment().readers().first)
    let socket = bench.socket(reader)
    let stop = try #require(StopSignal())
    let steps = Steps()
    Thread.detachNewThread { try? socket.send("RETRY 1") }
    let end = try bench.enrolment().enrol(.leftThumb, on: found, limit: .seconds(20), stop: stop) { step in
      steps.add(step)
      if step != .seen(done: found.stageCount, total: found.stageCount) { try? socket.send("SCAN A") }
    }
    #expect(end == .enrolled)
    let total = reader.stageCount
    #expect(steps.all.contains(.retry(.tooShort)))
    #expect(steps.all.filter { $0 != .retry(.tooShort) } == (1...total).map { .seen(done: $0, total: total) })
  }

  @Test("of a finger that is enrolled under another name is refused, where the reader notices")
  func duplicate() throws {
    let bench = try FprintBench([.identifying])
    try bench.enrol(.rightIndex, as: "A", on: .identifying)
    let found = try #require(try bench.enrolment().readers().first)
    let socket = bench.socket(.identifying)
    let stop = try #require(StopSignal())
    Thread.detachNewThread { try? socket.send("SCAN A") }
    let end = try bench.enrolment().enrol(.leftThumb, on: found, limit: .seconds(20), stop: stop) { _ in }
    #expect(end == .alreadyEnrolled)
    #expect(try bench.enrolment().fingers(on: found) == [.rightIndex])
  }

  @Test("ends at its limit and by a stop, leaves nothing, and the reader is free afterwards", arguments: [true, false])
  func ended(isLimit: Bool) throws {
    let bench = try FprintBench()
    let found = try #require(try bench.enrolment().readers().first)
    let socket = bench.socket(.simple)
    let stop = try #require(StopSignal())
    Thread.detachNewThread { try? socket.send("SCAN A") }
    var end: EnrolmentEnd?
    let time = try seconds {
      end = try bench.enrolment().enrol(
        .leftThumb, on: found, limit: isLimit ? .seconds(2) : .seconds(20), stop: stop
      ) { _ in if !isLimit { stop.set() } }
    }
    #expect(end == (isLimit ? .timedOut : .stopped))
    #expect(isLimit ? time > 1.4 && time < 2.1 : time < 2)
    #expect(try bench.enrolment().fingers(on: found) == [])
    try bench.enrol(.leftThumb, as: "A")
  }

  @Test("and all else that needs the right to it is refused by polkit without it")
  func refused() throws {
    // Verifying alone: so the claim is allowed, and what comes after it is not.
    let bench = try FprintBench(allowed: [FprintBench.actions[0]])
    let enrolment = bench.enrolment()
    let found = try #require(try enrolment.readers().first)
    let stop = try #require(StopSignal())
    let refused = AuthenticationFailure(.biometryNotAvailable, .permissionDenied)
    #expect(
      Self.failure { () throws(AuthenticationFailure) in
        _ = try enrolment.enrol(.leftThumb, on: found, limit: .seconds(20), stop: stop) { _ in }
      } == refused)
    #expect(Self.failure { () throws(AuthenticationFailure) in try enrolment.removeAll(on: found) } == refused)
    #expect(Self.failure { () throws(AuthenticationFailure) in try enrolment.remove(.leftThumb, on: found) } == refused)
    #expect(refused.text.contains("polkit"))
    // It was let go each time.
    #expect(try enrolment.fingers(on: found) == [])
    #expect(
      Self.failure { () throws(AuthenticationFailure) in _ = try enrolment.removeAll(on: found) } == refused)
  }

  @Test("that waits for a password ends by a stop")
  func passwordStopped() throws {
    let bench = try FprintBench(allowed: FprintBench.actions)
    let found = try #require(try bench.enrolment().readers().first)
    // The mock is asked and does not answer, as while somebody types.
    try bench.holdPolkit()
    let stop = try #require(StopSignal())
    Thread.detachNewThread {
      usleep(300_000)
      stop.set()
    }
    var end: EnrolmentEnd?
    let time = try seconds {
      end = try bench.enrolment().enrol(.leftThumb, on: found, limit: .seconds(20), stop: stop) { _ in }
    }
    #expect(end == .stopped)
    #expect(time > 0.25 && time < 3)
  }

  @Test("that is not there cannot be removed, and no reader is told as none")
  func absent() throws {
    let bench = try FprintBench()
    let found = try #require(try bench.enrolment().readers().first)
    let notEnrolled = AuthenticationFailure(.biometryNotEnrolled)
    #expect(
      Self.failure { () throws(AuthenticationFailure) in try bench.enrolment().remove(.leftThumb, on: found) }
        == notEnrolled)
    #expect(
      Self.failure { () throws(AuthenticationFailure) in try bench.enrolment().removeAll(on: found) } == notEnrolled)
    let empty = try FprintBench([])
    #expect(
      Self.failure { () throws(AuthenticationFailure) in _ = try empty.enrolment().readers() }
        == AuthenticationFailure(.biometryNotAvailable, .noReader))
  }

  @Test("lists the readers, first the one that a finger is asked for on")
  func readers() throws {
    let bench = try FprintBench(VirtualReader.allCases)
    let readers = try bench.enrolment().readers()
    #expect(Set(readers.map(\.name)) == Set(VirtualReader.allCases.map(\.name)))
    let first = try #require(VirtualReader.allCases.first { $0.name == readers.first?.name })
    try bench.enrol(.leftThumb, as: "A", on: first)
    guard case .ready(let enrolment) = bench.sensor().state() else {
      Issue.record("the first reader is not the one that is asked")
      return
    }
    #expect(enrolment.device == first.name)
  }

  @Test("lists with a service that the bus starts")
  func started() throws {
    let bench = try FprintBench(starts: false)
    #expect(bench.startedProcess == nil)
    #expect(try bench.enrolment().readers().map(\.name) == [VirtualReader.simple.name])
    #expect(bench.startedProcess != nil)
  }

  @Test("that cannot go on with a reader that was plugged out says so")
  func unplugged() throws {
    let bench = try FprintBench()
    let found = try #require(try bench.enrolment().readers().first)
    let socket = bench.socket(.simple)
    let stop = try #require(StopSignal())
    Thread.detachNewThread { try? socket.send("SCAN A") }
    let failure = Self.failure { () throws(AuthenticationFailure) in
      _ = try bench.enrolment().enrol(.leftThumb, on: found, limit: .seconds(20), stop: stop) { _ in
        try? socket.send("UNPLUG")
      }
    }
    #expect(failure == AuthenticationFailure(.biometryDisconnected, .readerUnplugged))
  }

  @Test("anew under the same name is another set where the files can be read, and the same where they cannot")
  func generation() throws {
    let bench = try FprintBench()
    var blind = bench.surroundings()
    blind.printsFolder = bench.bus.folder + "/nothing"
    func enrolment(_ surroundings: FprintSurroundings) throws -> Enrolment {
      guard case .ready(let enrolment) = FprintSensor(surroundings).state() else {
        throw Service.Failure(description: "nothing is enrolled")
      }
      return enrolment
    }
    try bench.enrol(.leftThumb, as: "A")
    let first = try enrolment(bench.surroundings())
    let unseen = try enrolment(blind)
    #expect(first.generation.count == 32)
    #expect(unseen.generation.isEmpty)
    // A look at it and a match change nothing.
    let verification = try Verification(bench.sensor())
    try bench.socket(.simple).send("SCAN A")
    #expect(verification.end() == .enough)
    #expect(try enrolment(bench.surroundings()) == first)
    // The same content, in another file.
    usleep(20_000)
    try bench.enrol(.leftThumb, as: "A")
    #expect(try enrolment(bench.surroundings()) != first)
    #expect(try enrolment(blind) == unseen)
  }

  @Test("of as many files as are looked at has a generation, and of one more none is made up", arguments: [0, 1])
  func fileCount(more: Int) throws {
    let folder = try ScratchPath()
    let user = try #require(system_userName())
    let prints = "\(folder.path)/\(user)/driver/0"
    try FileManager.default.createDirectory(atPath: prints, withIntermediateDirectories: true)
    #expect(printGeneration(below: folder.path) == [])
    for number in 0..<FprintLimits.printFileCountMax + more {
      try "".write(toFile: "\(prints)/\(number)", atomically: false, encoding: .utf8)
    }
    #expect(printGeneration(below: folder.path)?.count == (more == 0 ? 32 : nil))
    let names = system_names(in: prints, countMax: FprintLimits.printFileCountMax)
    #expect(names?.count == (more == 0 ? FprintLimits.printFileCountMax : nil))
  }
}
