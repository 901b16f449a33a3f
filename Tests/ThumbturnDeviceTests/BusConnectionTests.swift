import Glibc
import Testing
import ThumbturnAuthentication

@testable import ThumbturnDevice

@Suite("A connection to a bus")
struct BusConnectionTests {
  private static let limit = Duration.seconds(10)

  /// What `body` throws; a connection cannot stand in a closure of #expect.
  private static func failure(_ body: () throws(BusError) -> Void) -> BusError? {
    do throws(BusError) { try body() } catch { return error }
    return nil
  }

  private static func connect(_ bus: PrivateBus) throws(BusError) -> BusConnection {
    try BusConnection(.address(bus.address), limit: limit)
  }

  @Test("is refused at once where no bus is")
  func noBus() throws {
    let bus = try PrivateBus()
    var error: BusError?
    #expect(seconds { error = Self.failure { () throws(BusError) in _ = try Self.connect(bus) } } < 1)
    #expect(error?.code == .noBus)
  }

  @Test("comes back within its limit from a bus that accepts and never lets in")
  func silentBus() throws {
    let listener = try Listener(accepts: false)
    var error: BusError?
    let time = seconds {
      error = Self.failure { () throws(BusError) in
        _ = try BusConnection(.address(listener.address), limit: .milliseconds(500))
      }
    }
    #expect(error?.code == .timedOut)
    #expect(time >= 0.5 && time < 1.5)
  }

  @Test("comes back within its limit from a service that does not answer, and works afterwards")
  func silentService() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    let player = try Player(bus)
    let service = BusService(name: "org.example.Silent", userID: nil)
    try player.run("own", service.name)
    var connection = try Self.connect(bus)
    try connection.follow(service, limit: Self.limit)
    let owner = try connection.owner(of: service)
    kill(player.service.processID, SIGSTOP)
    let message = try connection.message(to: owner, path: "/", interface: "org.example", member: "Anything")
    let start = system_monotonicMicroseconds()
    var code: BusError.Code?
    do throws(BusError) { _ = try connection.call(message, limit: .milliseconds(300)) } catch { code = error.code }
    let time = Double(system_monotonicMicroseconds() - start) / 1_000_000
    kill(player.service.processID, SIGCONT)
    #expect(code == .timedOut)
    #expect(time >= 0.3 && time < 1.3)
    var answer = try connection.callBus("GetNameOwner", service.name, limit: Self.limit)
    let name = try answer.readText()
    #expect(name == player.name)
    _ = daemon
  }

  @Test("takes no answer from another than the one it called")
  func forgedAnswer() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    let player = try Player(bus)
    let forger = try Player(bus)
    let service = BusService(name: "org.example.Silent", userID: nil)
    try player.run("own", service.name)
    var connection = try Self.connect(bus)
    try connection.follow(service, limit: Self.limit)
    let message = try connection.message(
      to: try connection.owner(of: service), path: "/", interface: "org.example", member: "Anything")
    kill(player.service.processID, SIGSTOP)
    // They wait in the socket when the call begins, and one of them has its number.
    try forger.run("answer", "64")
    var code: BusError.Code?
    do throws(BusError) { _ = try connection.call(message, limit: .milliseconds(300)) } catch { code = error.code }
    kill(player.service.processID, SIGCONT)
    #expect(code == .timedOut)
    _ = daemon
  }

  @Test("says that it is closed when the bus dies within a call, and within a wait")
  func busDies() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    var connection = try Self.connect(bus)
    daemon.stop(signal: SIGKILL)
    var codes: [BusError.Code] = []
    do throws(BusError) { _ = try connection.nextEvent(limit: Self.limit) } catch { codes.append(error.code) }
    do throws(BusError) { _ = try connection.callBus("GetNameOwner", "a.b", limit: Self.limit) } catch {
      codes.append(error.code)
    }
    #expect(codes == [.closed, .closed])
  }

  @Test("keeps the name of an error, and says nothing of it in its description")
  func errorName() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    var connection = try Self.connect(bus)
    var found: BusError?
    do throws(BusError) { _ = try connection.callBus("GetNameOwner", "org.example.secret", limit: Self.limit) } catch {
      found = error
    }
    #expect(found?.code == .answeredError)
    #expect(found?.name == "org.freedesktop.DBus.Error.NameHasNoOwner")
    #expect(found?.description == "answeredError: the answer is an error")
    _ = daemon
  }

  @Test("has no owner to call of a service that does not run, that is another user's, or that it does not follow")
  func noOwner() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    let player = try Player(bus)
    try player.run("own", "org.example.Foreign")
    var connection = try Self.connect(bus)
    let absent = BusService.system("org.example.Absent")
    let foreign = BusService(name: "org.example.Foreign", userID: geteuid() + 1)
    try connection.follow(absent, limit: Self.limit)
    try connection.follow(foreign, limit: Self.limit)
    var codes: [BusError.Code?] = []
    for service in [absent, foreign, BusService(name: "org.example.Foreign", userID: nil)] {
      do throws(BusError) {
        _ = try connection.owner(of: service)
        codes.append(nil)
      } catch { codes.append(error.code) }
    }
    #expect(codes == [.noOwner, .noOwner, .noOwner])
    _ = daemon
  }

  @Test("has the bus start a service that it knows, and says why not where it cannot")
  func start() throws {
    let bus = try PrivateBus(activatable: ["org.example.Broken": "/bin/false"])
    let daemon = try bus.start()
    let player = try Player(bus)
    try player.run("own", "org.example.Runs")
    var connection = try Self.connect(bus)
    let runs = BusService(name: "org.example.Runs", userID: nil)
    let foreign = BusService(name: "org.example.Runs", userID: geteuid() + 1)
    let broken = BusService(name: "org.example.Broken", userID: nil)
    let unknown = BusService(name: "org.example.Unknown", userID: nil)
    for service in [runs, broken, unknown] { try connection.follow(service, limit: Self.limit) }
    var errors: [BusError?] = []
    for service in [runs, foreign, broken, unknown] {
      do throws(BusError) {
        try connection.start(service, limit: Self.limit)
        errors.append(nil)
      } catch { errors.append(error) }
    }
    #expect(errors.map { $0?.code } == [nil, .noOwner, .answeredError, .answeredError])
    #expect(errors[2]?.name == "org.freedesktop.DBus.Error.Spawn.ChildExited")
    #expect(errors[3]?.name == "org.freedesktop.DBus.Error.ServiceUnknown")

    var strict = try Self.connect(bus)
    try strict.follow(foreign, limit: Self.limit)
    var code: BusError.Code?
    do throws(BusError) { try strict.start(foreign, limit: Self.limit) } catch { code = error.code }
    #expect(code == .noOwner)
    _ = daemon
  }

  @Test("follows as many services as it may, and not one more")
  func serviceCount() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    var connection = try Self.connect(bus)
    for number in 1...BusLimits.serviceCountMax {
      try connection.follow(.system("org.example.S\(number)"), limit: Self.limit)
    }
    // One that is followed already is no other.
    try connection.follow(.system("org.example.S1"), limit: Self.limit)
    var code: BusError.Code?
    do throws(BusError) { try connection.follow(.system("org.example.More"), limit: Self.limit) } catch {
      code = error.code
    }
    #expect(code == .tooMany)
    _ = daemon
  }

  @Test("keeps as many signals during a call as it may, and ends with one more", arguments: [0, 1])
  func waitingSignals(more: Int) throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    let player = try Player(bus)
    let service = BusService(name: "org.example.Many", userID: nil)
    try player.run("own", service.name)
    var connection = try Self.connect(bus)
    try connection.follow(service, limit: Self.limit)
    let count = BusLimits.waitingSignalCountMax + more
    try player.run("many", "\(count)", "*", "/", "org.example", "Signal")
    var code: BusError.Code?
    // The answer comes behind the signals.
    do throws(BusError) { _ = try connection.callBus("GetNameOwner", service.name, limit: Self.limit) } catch {
      code = error.code
    }
    if more > 0 {
      #expect(code == .tooMany)
    } else {
      #expect(code == nil)
      var heard = 0
      while heard < count, try connection.nextEvent(limit: Self.limit) != nil { heard += 1 }
      #expect(heard == count)
    }
    _ = daemon
  }

  @Test("ends a wait when it is told to stop")
  func stop() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    let stop = try #require(StopSignal())
    var connection = try BusConnection(.address(bus.address), limit: Self.limit, stop: stop)
    stop.set()
    var code: BusError.Code?
    let start = system_monotonicMicroseconds()
    do throws(BusError) { _ = try connection.nextEvent(limit: Self.limit) } catch { code = error.code }
    #expect(code == .stopped)
    #expect(system_monotonicMicroseconds() - start < 1_000_000)
    _ = daemon
  }
}
