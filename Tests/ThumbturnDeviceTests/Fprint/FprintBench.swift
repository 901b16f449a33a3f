import Foundation
import Glibc
import Synchronization
import Testing
import ThumbturnAuthentication

@testable import ThumbturnDevice

/// A virtual reader of libfprint: what is on it is said over a socket.
enum VirtualReader: String, CaseIterable, Sendable {
  /// It compares with one finger at a time.
  case simple
  /// It compares with all enrolled fingers, and keeps prints.
  case identifying

  var variable: String { self == .simple ? "FP_VIRTUAL_DEVICE" : "FP_VIRTUAL_DEVICE_STORAGE" }
  var driver: String { self == .simple ? "virtual_device" : "virtual_device_storage" }
  var stageCount: Int { self == .simple ? 5 : 6 }
  var name: String {
    self == .simple
      ? "Virtual device for debugging" : "Virtual device with storage and identification for debugging"
  }
}

/// The socket of a virtual reader.
struct ReaderSocket: Sendable {
  let path: String

  /// Has the reader do something. It listens from when it is claimed; until then this waits, at most 10 seconds.
  func send(_ command: String) throws {
    guard try eventually({ try attempt(command) }) else {
      throw Service.Failure(description: "the reader does not listen")
    }
  }

  private func attempt(_ command: String) throws -> Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let status = unsafe withUnsafePointer(to: &name) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else { return false }
    let bytes = Array(command.utf8)
    guard unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return false }
    shutdown(descriptor, Int32(SHUT_WR))
    var some = [UInt8](repeating: 0, count: 256)
    // It closes when it has taken the command in.
    while unsafe recv(descriptor, &some, some.count, 0) > 0 {}
    return true
  }
}

/// The real fprintd with virtual readers, on a bus of the test's own.
final class FprintBench {
  static let actions = ["verify", "enroll"].map { "net.reactivated.fprint.device.\($0)" }
  private static let program = "/usr/libexec/fprintd"

  let bus: PrivateBus
  let daemon: Service
  private let polkit: Service
  private(set) var fprintd: Service?
  private let readers: [VirtualReader]
  private var control: BusConnection
  private let service = BusService(name: "net.reactivated.Fprint", userID: nil)

  /// - Parameters:
  ///   - allowed: The actions that polkit allows, by dbusmock; nil asks the real polkitd, which allows root everything,
  ///     and without root the mock, with all actions.
  ///   - starts: Whether fprintd runs at once; else only ``start()``, or the bus.
  init(
    _ readers: [VirtualReader] = [.simple], policy: PrivateBus.Policy = .open, allowed: [String]? = nil,
    starts: Bool = true
  ) throws {
    self.readers = readers
    // The environment of what a bus starts is the bus's own, so the bus has fprintd's.
    bus = try PrivateBus(
      policy, activatable: starts ? [:] : ["net.reactivated.Fprint": "/bin/sh FOLDER/start-fprintd"])
    try FileManager.default.createDirectory(
      atPath: bus.folder + "/state", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    daemon = try bus.start()
    control = try BusConnection(.address(bus.address), limit: .seconds(10))
    polkit = try Self.startPolkit(bus, &control, allowed: allowed)
    try control.follow(service, limit: .seconds(10))
    try control.subscribe(
      to: "VerifyFingerSelected", of: FprintLink.device, service: service, limit: .seconds(10))
    let line = environment.map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
    try "echo $$ >'\(bus.folder)/started'\nexec env \(line) \(Self.program)\n"
      .write(toFile: bus.folder + "/start-fprintd", atomically: true, encoding: .utf8)
    if starts { try start() }
  }

  deinit {
    // What the bus has started is not the bus's child any more when that ends.
    if let processID = startedProcess { kill(processID, SIGKILL) }
  }

  /// The process that the bus has started.
  var startedProcess: Int32? {
    (try? String(contentsOfFile: bus.folder + "/started", encoding: .utf8)).flatMap {
      Int32($0.trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }

  private var environment: [String: String] {
    var all = [
      "DBUS_SYSTEM_BUS_ADDRESS": bus.address, "STATE_DIRECTORY": bus.folder + "/state",
      // A driver that is not there when there is none, so that no real reader of the machine is used.
      "FP_DRIVERS_WHITELIST": readers.isEmpty ? "virtual_image" : readers.map(\.driver).joined(separator: ":"),
    ]
    for reader in readers { all[reader.variable] = socket(reader).path }
    return all
  }

  func socket(_ reader: VirtualReader) -> ReaderSocket { ReaderSocket(path: "\(bus.folder)/\(reader.rawValue)") }

  /// Starts fprintd, and waits until it owns its name.
  func start() throws {
    fprintd = try Service([Self.program, "--no-timeout"], environment: environment, isHeard: false)
    try Self.wait(for: service, &control)
  }

  private static func startPolkit(
    _ bus: PrivateBus, _ control: inout BusConnection, allowed: [String]?
  ) throws -> Service {
    let name = BusService(name: "org.freedesktop.PolicyKit1", userID: nil)
    let environment = ["DBUS_SYSTEM_BUS_ADDRESS": bus.address]
    let isReal = allowed == nil && geteuid() == 0
    let service = try Service(
      isReal
        ? ["/usr/lib/polkit-1/polkitd", "--no-debug"]
        : ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "polkitd"],
      environment: environment, isHeard: false)
    try control.follow(name, limit: .seconds(10))
    try wait(for: name, &control)
    guard !isReal else { return service }
    var message = try control.message(
      to: try control.owner(of: name), path: "/org/freedesktop/PolicyKit1/Authority", interface: MockLogind.mock,
      member: "SetAllowed")
    try message.appending(.array, of: "s") { message throws(BusError) in
      for action in allowed ?? actions { try message.append(action) }
    }
    _ = try control.call(message, limit: .seconds(10))
    return service
  }

  /// Has dbusmock's polkit take questions and not answer them.
  func holdPolkit() throws {
    let name = BusService(name: "org.freedesktop.PolicyKit1", userID: nil)
    var message = try control.message(
      to: try control.owner(of: name), path: "/org/freedesktop/PolicyKit1/Authority", interface: MockLogind.mock,
      member: "SimulateHang")
    try message.append(true)
    _ = try control.call(message, limit: .seconds(10))
  }

  private static func wait(for service: BusService, _ control: inout BusConnection) throws {
    let deadline = BusDeadline(after: .seconds(10))
    while (try? control.owner(of: service)) == nil {
      guard !deadline.hasPassed else { throw Service.Failure(description: "a service does not start") }
      _ = try control.nextEvent(limit: .milliseconds(100))
    }
  }

  /// Waits until a verification runs, and tells which finger it is that fprintd looks for.
  func waitForVerification() throws -> String {
    let deadline = BusDeadline(after: .seconds(10))
    while !deadline.hasPassed {
      guard let event = try control.nextEvent(limit: deadline.remaining) else { break }
      if case .signal(var signal) = consume event { return try signal.readText() }
    }
    throw Service.Failure(description: "no verification begins")
  }

  /// The path of a reader's object.
  func path(_ reader: VirtualReader) throws -> String {
    try #require(try enrolment().readers().first { $0.name == reader.name }).path
  }

  func surroundings(checksSenders: Bool = true) -> FprintSurroundings {
    var surroundings = FprintSurroundings()
    surroundings.place = .address(bus.address)
    surroundings.serviceUserID = geteuid()
    surroundings.printsFolder = bus.folder + "/state"
    surroundings.checksSenders = checksSenders
    return surroundings
  }

  func sensor(checksSenders: Bool = true) -> FprintSensor {
    FprintSensor(surroundings(checksSenders: checksSenders))
  }

  func enrolment() -> FprintEnrolment { FprintEnrolment(surroundings()) }

  /// Enrols a finger: what the reader sees is `print`.
  func enrol(_ finger: Finger, as print: String, on reader: VirtualReader = .simple) throws {
    let socket = socket(reader)
    let found = try #require(try enrolment().readers().first { $0.name == reader.name })
    let stop = try #require(StopSignal())
    Thread.detachNewThread { try? socket.send("SCAN \(print)") }
    let end = try enrolment().enrol(finger, on: found, limit: .seconds(20), stop: stop) { step in
      if case .seen(let done, let total) = step, done < total { try? socket.send("SCAN \(print)") }
    }
    guard end == .enrolled else { throw Service.Failure(description: "\(finger) was not enrolled: \(end)") }
  }
}

/// A verification on a thread of its own.
final class Verification: Sendable {
  private struct State {
    var events: [FingerEvent] = []
    var end: FingerEnd?
    var seconds = 0.0
  }

  let stop: StopSignal
  private let state = Mutex(State())

  /// - Parameter step: What follows an event; by default a match is enough.
  init(
    _ sensor: FprintSensor, limit: Duration = .seconds(20),
    _ step: @escaping @Sendable (FingerEvent) -> FingerStep = { $0 == .matched ? .stop : .goOn }
  ) throws {
    let stop = try #require(StopSignal())
    self.stop = stop
    Thread.detachNewThread {
      var end = FingerEnd.cancelled
      let time = seconds {
        end = sensor.verify(limit: limit, stop: stop) { event in
          self.state.withLock { $0.events.append(event) }
          return step(event)
        }
      }
      let found = end
      self.state.withLock {
        $0.end = found
        $0.seconds = time
      }
    }
  }

  var events: [FingerEvent] { state.withLock { $0.events } }

  /// What was told, after `count` events or 10 seconds.
  func wait(for count: Int) -> [FingerEvent] {
    _ = eventually { events.count >= count }
    return events
  }

  /// Why it ended; nil when it has not after 10 seconds.
  func end() -> FingerEnd? {
    _ = eventually { state.withLock { $0.end != nil } }
    return state.withLock { $0.end }
  }

  /// How long it took.
  var time: Double { state.withLock { $0.seconds } }
}
