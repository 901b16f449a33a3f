import Glibc
import Testing

@testable import ThumbturnDevice

/// Bus and logind that come, go, restart, and say nothing.
@Suite("The watch over a logind that comes and goes")
struct LogindReturnTests {
  @Test("hears again after the bus was killed and started anew, and is told what came meanwhile")
  func busRestart() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    var logind = try MockLogind(bus)
    try logind.addSession("c1", userID: 1_000)
    let (watch, heard) = startWatch(bus)
    #expect(eventually { watch.isListening })
    try logind.lock("c1")
    #expect(heard.wait(for: 1) == [.lock])

    daemon.stop(signal: SIGKILL)
    #expect(eventually { !watch.isListening })
    let again = try bus.start()
    var next = try MockLogind(bus)
    #expect(eventually { watch.isListening })
    #expect(heard.all == [.lock])
    try next.addSession("c1", userID: 1_000)
    try next.unlock("c1")
    #expect(heard.wait(for: 2) == [.lock, .unlock])
    #expect(try eventually { try next.inhibitors() == ["sleep Thumbturn delay"] })

    // The connection is cut off. Before the next one a session is locked, and the machine about to sleep.
    again.stop(signal: SIGKILL)
    let third = try bus.start()
    let player = try Player(bus)
    try player.run("lockedLogind")
    #expect(heard.wait(for: 4) == [.lock, .unlock, .goingToSleep, .lock])
    #expect(eventually { watch.isListening })
    watch.sleepLockDone()
    #expect(!watch.delaysSleep)

    third.stop(signal: SIGKILL)
    let fourth = try bus.start()
    var last = try MockLogind(bus)
    #expect(heard.wait(for: 5) == [.lock, .unlock, .goingToSleep, .lock, .wokeUp])
    #expect(try eventually { try last.inhibitors() == ["sleep Thumbturn delay"] })
    #expect(watch.stop())
    _ = fourth
  }

  @Test("hears again after logind alone restarted")
  func logindRestart() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    var logind = try MockLogind(bus)
    let old = try logind.owner
    try logind.addSession("c1", userID: 1_000)
    let (watch, heard) = startWatch(bus)
    #expect(eventually { watch.isListening })
    logind.process.stop()
    #expect(eventually { !watch.isListening })
    var next = try MockLogind(bus)
    #expect(try next.owner != old)
    #expect(eventually { watch.isListening })
    try next.addSession("c1", userID: 1_000)
    try next.lock("c1")
    #expect(heard.wait(for: 1) == [.lock])
    #expect(try eventually { try next.inhibitors() == ["sleep Thumbturn delay"] })
    _ = daemon
  }

  @Test("finds a logind that starts later than it")
  func lateLogind() throws {
    let bus = try PrivateBus()
    let (watch, heard) = startWatch(bus)
    let daemon = try bus.start()
    #expect(!watch.isListening)
    var logind = try MockLogind(bus)
    try logind.addSession("c1", userID: 1_000)
    #expect(eventually { watch.isListening })
    try logind.lock("c1")
    #expect(heard.wait(for: 1) == [.lock])
    _ = daemon
  }

  @Test("does not listen without a bus, says so, and ends in time")
  func noBus() throws {
    let bus = try PrivateBus()
    let (watch, heard) = startWatch(bus)
    usleep(200_000)
    #expect(!watch.isListening)
    #expect(!watch.delaysSleep)
    watch.sleepLockDone()
    var hasEnded = false
    #expect(seconds { hasEnded = watch.stop() } < 1)
    #expect(hasEnded)
    #expect(watch.stop())
    #expect(heard.all == [])
  }

  @Test("neither begins nor ends late where a bus accepts and then says nothing")
  func silentBus() throws {
    let listener = try Listener(accepts: false)
    let heard = Heard()
    var surroundings = LogindWatch.Surroundings()
    surroundings.place = .address(listener.address)
    var made: LogindWatch?
    #expect(seconds { made = LogindWatch(surroundings) { heard.add($0) } } < 0.5)
    let watch = try #require(made)
    usleep(200_000)
    #expect(!watch.isListening)
    var hasEnded = false
    #expect(seconds { hasEnded = watch.stop() } < 1)
    #expect(hasEnded)
  }

  @Test("ends in time while the bus is stopped")
  func stoppedBus() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    let logind = try MockLogind(bus)
    let (watch, heard) = startWatch(bus)
    #expect(eventually { watch.isListening })
    kill(daemon.processID, SIGSTOP)
    defer { kill(daemon.processID, SIGCONT) }
    logind.process.stop(signal: SIGKILL)
    var hasEnded = false
    #expect(seconds { hasEnded = watch.stop() } < 1)
    #expect(hasEnded)
    #expect(heard.all == [])
  }

  @Test("tries a bus that hangs up at most once a second")
  func pauses() throws {
    let listener = try Listener(accepts: true)
    var surroundings = LogindWatch.Surroundings()
    surroundings.place = .address(listener.address)
    // Without the doubling, which would hide what is counted.
    surroundings.pauseMax = LogindLimits.pauseMin
    let watch = LogindWatch(surroundings) { _ in }
    usleep(3_500_000)
    #expect((2...4).contains(listener.count))
    #expect(watch.stop())
  }

  @Test("says within a second and a bit when an event keeps its thread from ending")
  func slowEvent() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    var logind = try MockLogind(bus)
    let heard = Heard()
    var surroundings = LogindWatch.Surroundings()
    surroundings.place = .address(bus.address)
    surroundings.logindUserID = geteuid()
    let watch = LogindWatch(surroundings) { event in
      heard.add(event)
      usleep(2_000_000)
    }
    #expect(eventually { watch.isListening })
    try logind.prepareForSleep(true)
    try logind.prepareForSleep(false)
    #expect(heard.wait(for: 1) == [.goingToSleep])
    var hasEnded = true
    #expect(seconds { hasEnded = watch.stop() } < 1.5)
    #expect(!hasEnded)
    #expect(eventually { watch.stop() })
    // The second event waited, and does not begin after the stop.
    #expect(heard.all == [.goingToSleep])
    _ = daemon
  }
}
