import Glibc
import Testing

@testable import ThumbturnDevice

/// Signals that logind did not send, put straight to the watch's connection.
@Suite("A forged signal")
struct ForgeryTests {
  /// Whether the forger runs as another user.
  enum Forger: String, CaseIterable { case sameUser, otherUser }

  private static func userID(_ forger: Forger) throws -> UInt32? {
    guard forger == .otherUser else { return nil }
    try requireRoot("a signal forged by another user")
    return 65_534
  }

  @Test("is ignored", arguments: PrivateBus.Policy.allCases, Forger.allCases)
  func ignored(policy: PrivateBus.Policy, forger: Forger) throws {
    let userID = try Self.userID(forger)
    let bus = try PrivateBus(policy)
    let daemon = try bus.start()
    var logind = try MockLogind(bus)
    try logind.addSession("c1", userID: 1_000)
    let (watch, heard) = startWatch(bus)
    #expect(eventually { watch.isListening })
    let player = try Player(bus, userID: userID)
    for signal in Forged.allCases { try player.forge(signal) }
    // It comes after the forged ones, so it would be told after them.
    try logind.prepareForSleep(false)
    #expect(heard.wait(for: 1) == [.wokeUp])
    _ = daemon
  }

  @Test("is taken when senders are not checked", arguments: PrivateBus.Policy.allCases, Forger.allCases)
  func control(policy: PrivateBus.Policy, forger: Forger) throws {
    let userID = try Self.userID(forger)
    let bus = try PrivateBus(policy)
    let daemon = try bus.start()
    var logind = try MockLogind(bus)
    try logind.addSession("c1", userID: 1_000)
    let (watch, heard) = startWatch(bus, checksSenders: false)
    #expect(eventually { watch.isListening })
    let player = try Player(bus, userID: userID)
    for signal in Forged.allCases { try player.forge(signal) }
    try logind.prepareForSleep(false)
    #expect(heard.wait(for: 4) == [.lock, .unlock, .goingToSleep, .wokeUp])
    _ = daemon
  }

  @Test("does not count as the bus's word about an owner")
  func ownerWord() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    var logind = try MockLogind(bus)
    try logind.addSession("c1", userID: 1_000)
    let (watch, heard) = startWatch(bus)
    #expect(eventually { watch.isListening })
    let player = try Player(bus)
    try player.run(
      "signal", "*", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged", "org.freedesktop.login1",
      try logind.owner, player.name)
    try player.forge(.lock)
    try logind.prepareForSleep(false)
    #expect(heard.wait(for: 1) == [.wokeUp])
    #expect(watch.isListening)
    _ = daemon
  }

  @Test("does not keep a true one from being heard, however many there are")
  func flood() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    var logind = try MockLogind(bus)
    try logind.addSession("c1", userID: 1_000)
    let (watch, heard) = startWatch(bus)
    #expect(eventually { watch.isListening })
    let player = try Player(bus)
    for _ in 0..<4 {
      try player.run(
        "many", "500", "*", "/org/freedesktop/login1/session/c1", "org.freedesktop.login1.Session", "Unlock")
    }
    try logind.lock("c1")
    #expect(heard.wait(for: 1) == [.lock])
    #expect(watch.isListening)
    _ = daemon
  }

  @Test("of an owner that runs as another user is ignored, though it owns the name")
  func wrongUser() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    let player = try Player(bus)
    try player.run("own", "org.freedesktop.login1")
    let (watch, heard) = startWatch(bus, logindUserID: geteuid() + 1)
    let (trusting, told) = startWatch(bus)
    #expect(eventually { trusting.isListening })
    try player.send(.goingToSleep)
    #expect(told.wait(for: 1) == [.goingToSleep])
    #expect(!watch.isListening)
    #expect(heard.all == [])
    _ = daemon
  }

  @Test("of the old owner is ignored after another has taken the name, and the new owner's counts")
  func ownerChange() throws {
    let bus = try PrivateBus()
    let daemon = try bus.start()
    let first = try Player(bus)
    let second = try Player(bus)
    try first.run("own", "org.freedesktop.login1")
    let (watch, heard) = startWatch(bus)
    #expect(eventually { watch.isListening })
    try first.send(.lock)
    #expect(heard.wait(for: 1) == [.lock])
    try second.forge(.unlock)

    try first.run("release", "org.freedesktop.login1")
    #expect(eventually { !watch.isListening })
    try second.run("own", "org.freedesktop.login1")
    #expect(eventually { watch.isListening })
    try first.forge(.lock)
    try first.send(.lock)
    try second.send(.goingToSleep)
    #expect(heard.wait(for: 2) == [.lock, .goingToSleep])
    _ = daemon
  }
}
