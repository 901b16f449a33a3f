import Glibc
import Testing

@testable import ThumbturnDevice

@Suite("The watch over logind")
struct LogindWatchTests {
  @Test("tells of lock, unlock, sleep and waking up, in their order", arguments: PrivateBus.Policy.allCases)
  func events(policy: PrivateBus.Policy) throws {
    let bus = try PrivateBus(policy)
    let daemon = try bus.start()
    var logind = try MockLogind(bus)
    try logind.addSession("c1", userID: 1_000)
    let (watch, heard) = startWatch(bus)
    #expect(eventually { watch.isListening })
    try logind.lock("c1")
    try logind.unlock("c1")
    try logind.prepareForSleep(true)
    try logind.prepareForSleep(false)
    #expect(heard.wait(for: 4) == [.lock, .unlock, .goingToSleep, .wokeUp])
    #expect(watch.stop())
    _ = daemon
  }

  @Test("takes every session of its user when it belongs to none, also one that began later, and no other's")
  func sessions() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    var logind = try MockLogind(bus)
    try logind.addSession("c1", userID: 1_000)
    try logind.addSession("other", userID: 1_001)
    let (watch, heard) = startWatch(bus)
    #expect(eventually { watch.isListening })
    try logind.lock("other")
    try logind.lock("c1")
    try logind.addSession("later", userID: 1_000)
    try logind.unlock("other")
    try logind.unlock("later")
    #expect(heard.wait(for: 2) == [.lock, .unlock])
    _ = daemon
  }

  /// How the watch finds its session.
  enum Way: String, CaseIterable { case process, environment }

  @Test("takes its own session alone, until that is removed", arguments: Way.allCases)
  func ownSession(way: Way) throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    var logind = try MockLogind(bus)
    try logind.addSession("mine", userID: 1_000)
    try logind.addSession("second", userID: 1_000)
    if way == .process {
      // The mock does not have it.
      _ = try logind.call(
        "AddMethod", of: MockLogind.mock,
        [
          "org.freedesktop.login1.Manager", "GetSessionByPID", "u", "o",
          "ret = '/org/freedesktop/login1/session/mine' if args[0] == \(getpid()) else '/'",
        ])
    }
    let (watch, heard) = startWatch(bus, sessionID: way == .environment ? "mine" : "second")
    #expect(eventually { watch.isListening })
    try logind.lock("second")
    try logind.unlock("mine")
    #expect(heard.wait(for: 1) == [.unlock])
    try logind.removeSession("mine")
    try logind.lock("second")
    #expect(heard.wait(for: 2) == [.unlock, .lock])
    _ = daemon
  }

  @Test("believes no session number of another user's session")
  func foreignSession() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    var logind = try MockLogind(bus)
    try logind.addSession("other", userID: 1_001)
    try logind.addSession("c1", userID: 1_000)
    let (watch, heard) = startWatch(bus, sessionID: "other")
    #expect(eventually { watch.isListening })
    try logind.lock("other")
    try logind.unlock("c1")
    #expect(heard.wait(for: 1) == [.unlock])
    _ = daemon
  }

  @Test("delays sleep until told that everything is locked, not before, and again after waking up")
  func inhibitor() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    var logind = try MockLogind(bus)
    try logind.addSession("c1", userID: 1_000)
    let (watch, heard) = startWatch(bus)
    #expect(eventually { watch.isListening })
    let held = ["sleep Thumbturn delay"]
    #expect(try logind.inhibitors() == held)

    // No sleep has begun, so this is the end of another lock.
    watch.sleepLockDone()
    #expect(watch.delaysSleep)
    try logind.prepareForSleep(true)
    #expect(heard.wait(for: 1) == [.goingToSleep])
    #expect(try logind.inhibitors() == held)
    watch.sleepLockDone()
    #expect(!watch.delaysSleep)
    #expect(try eventually { try logind.inhibitors().isEmpty })

    try logind.prepareForSleep(false)
    #expect(heard.wait(for: 2) == [.goingToSleep, .wokeUp])
    #expect(try eventually { try logind.inhibitors() == held })
    #expect(watch.stop())
    #expect(try eventually { try logind.inhibitors().isEmpty })
    _ = daemon
  }

  @Test("handles events one after the other, and lets the machine sleep from within one")
  func insideEvent() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    var logind = try MockLogind(bus)
    let heard = Heard()
    var surroundings = LogindWatch.Surroundings()
    surroundings.place = .address(bus.address)
    surroundings.logindUserID = geteuid()
    let holder = Holder()
    let watch = LogindWatch(surroundings) { event in
      if event == .goingToSleep { holder.watch?.sleepLockDone() }
      if event == .wokeUp { heard.add(holder.watch?.stop() == false ? .lock : .unlock) }
      heard.add(event)
    }
    holder.watch = watch
    #expect(eventually { watch.isListening })
    try logind.prepareForSleep(true)
    #expect(heard.wait(for: 1) == [.goingToSleep])
    #expect(try eventually { try logind.inhibitors().isEmpty })
    try logind.prepareForSleep(false)
    // A stop from within comes back without waiting for itself.
    #expect(heard.wait(for: 3) == [.goingToSleep, .lock, .wokeUp])
    #expect(watch.stop())
    _ = daemon
  }
}

/// A place for the watch that its own closure uses.
private final class Holder: @unchecked Sendable {  // Written once, before the first event.
  weak var watch: LogindWatch?
}
