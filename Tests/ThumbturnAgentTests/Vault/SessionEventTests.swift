import AgentFixtures
import Foundation
import Synchronization
import Testing
import TestFixtures
import ThumbturnAgentClient
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

@testable import ThumbturnAgent

/// Events that a test sends.
private final class FakeEvents: SessionEvents {
  /// What is to be asked when the machine may sleep.
  private let onSleep: @Sendable () -> Void
  let sleepCount = Counter()

  init(onSleep: @escaping @Sendable () -> Void = {}) { self.onSleep = onSleep }

  var isListening: Bool { true }

  func sleepLockDone() {
    onSleep()
    sleepCount.add()
  }
}

extension AgentTests {
  @Suite("Session events")
  struct Sessions {
    private final class Clock: Sendable {
      let time = Synchronization.Mutex<Int64>(1_000_000_000_000)
    }

    /// The agent's service in this process, over a vault with a clock that a test moves.
    private final class Scratch {
      let vault: VaultAgent
      let service: VaultService
      private let clock = Clock()

      init(grace: Int = 10, idle: Int = 900) throws {
        vault = try VaultAgent(classes: [.whenUnlocked, .afterFirstUnlock], isStarted: false)
        var settings = LockSettings()
        (settings.graceSeconds, settings.idleSeconds) = (grace, idle)
        let local = vault.local
        try local.setLockSettings(settings, Passcode(text(VaultAgent.passcode)))
        local.close()
        var surroundings = AgentSurroundings()
        surroundings.nanoseconds = { [clock] in clock.time.withLock { $0 } }
        surroundings.vault.cost = .least
        service = try VaultService(location: VaultLocation(home: vault.path), surroundings)
      }

      deinit { service.end() }

      func advance(seconds: Int64) { clock.time.withLock { $0 += seconds * 1_000_000_000 } }

      func unlock() throws { try service.unlock(Passcode(text(VaultAgent.passcode))) }

      func answer(_ request: AgentRequest) -> AgentReply {
        service.answer(request, from: AgentPeer(process: 0, user: 0, handle: nil)) { _, _ in }
      }

      func code(_ account: String) -> KeychainError.Code? {
        if case .failed(let failure) = answer(.find(query(account), Caller())) { failure.error.code } else { nil }
      }

      func state() throws -> AgentStatus.LockState? {
        if case .status(let status) = answer(.status) { status.lockState } else { nil }
      }
    }

    @Test("a locked screen locks the vault after the grace period, and says how long that is")
    func grace() throws {
      let scratch = try Scratch()
      try scratch.unlock()
      scratch.service.handle(.screenLocked, from: nil)
      #expect(try scratch.state() == .locking(secondsLeft: 10))
      scratch.advance(seconds: 9)
      #expect(try scratch.state() == .locking(secondsLeft: 1))
      // A call does not put it off.
      #expect(scratch.code("ak") == nil)
      scratch.advance(seconds: 1)
      scratch.service.tick()
      #expect(try scratch.state() == .locked)
      #expect(scratch.code("ak") == .interactionNotAllowed)
      #expect(scratch.code("ck") == nil)
    }

    @Test("an unlocked screen within the grace period keeps it open, after it the passcode is needed")
    func cancel() throws {
      let scratch = try Scratch()
      try scratch.unlock()
      scratch.service.handle(.screenLocked, from: nil)
      scratch.advance(seconds: 9)
      scratch.service.handle(.screenUnlocked, from: nil)
      scratch.advance(seconds: 100)
      #expect(try scratch.state() == .unlocked)
      #expect(scratch.code("ak") == nil)
      scratch.service.handle(.screenLocked, from: nil)
      scratch.advance(seconds: 10)
      scratch.service.handle(.screenUnlocked, from: nil)
      #expect(try scratch.state() == .locked)
      #expect(scratch.code("ak") == .interactionNotAllowed)
      try scratch.unlock()
      #expect(scratch.code("ak") == nil)
    }

    @Test("without a grace period a locked screen locks at once")
    func noGrace() throws {
      let scratch = try Scratch(grace: 0)
      try scratch.unlock()
      scratch.service.handle(.screenLocked, from: nil)
      #expect(try scratch.state() == .locked)
      #expect(scratch.code("ak") == .interactionNotAllowed)
    }

    @Test("sleep locks at once, also within the grace period, and is let go when the keys are gone")
    func sleep() throws {
      let scratch = try Scratch()
      for isInGrace in [false, true] {
        try scratch.unlock()
        if isInGrace { scratch.service.handle(.screenLocked, from: nil) }
        let found = Synchronization.Mutex<[ProtectionClass]?>(nil)
        let service = scratch.service
        let events = FakeEvents {
          let answer = service.answer(.status, from: AgentPeer(process: 0, user: 0, handle: nil)) { _, _ in }
          if case .status(let status) = answer { found.withLock { $0 = status.openClasses } }
        }
        service.handle(.goingToSleep, from: events)
        #expect(events.sleepCount.count == 1)
        let open = try #require(found.withLock { $0 })
        #expect(open == ProtectionClass.allCases.filter { !$0.isDroppedByLock })
        #expect(try scratch.state() == .locked)
        service.handle(.wokeUp, from: events)
        service.handle(.screenUnlocked, from: events)
        #expect(try scratch.state() == .locked)
      }
    }

    @Test("sleep lets the machine go also where nothing can be locked")
    func sleepWithoutPasscode() throws {
      let vault = try VaultAgent(passcode: nil, classes: [.whenUnlocked], isStarted: false)
      let service = try VaultService(location: VaultLocation(home: vault.path), AgentSurroundings())
      defer { service.end() }
      let events = FakeEvents()
      service.handle(.goingToSleep, from: events)
      #expect(events.sleepCount.count == 1)
    }

    @Test("what was asleep longer than the idle time is locked when it wakes up")
    func wakingUp() throws {
      let scratch = try Scratch(grace: 0, idle: 60)
      try scratch.unlock()
      scratch.advance(seconds: 60)
      scratch.service.handle(.wokeUp, from: nil)
      #expect(scratch.code("ak") == .interactionNotAllowed)
    }

    @Test("a lock while the passcode is checked holds")
    func lockDuringUnlock() throws {
      let scratch = try Scratch()
      for _ in 0..<5 {
        let service = scratch.service
        let began = DispatchSemaphore(value: 0)
        let outcome = Synchronization.Mutex<KeychainError.Code??>(nil)
        let ended = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
          began.signal()
          let found = ThumbturnAgentTests.code { try service.unlock(Passcode(text(VaultAgent.passcode))) }
          outcome.withLock { $0 = .some(found) }
          ended.signal()
        }
        began.wait()
        usleep(30_000)
        let wasOver = outcome.withLock { $0 != nil }
        service.handle(.goingToSleep, from: nil)
        ended.wait()
        if !wasOver { #expect(outcome.withLock { $0 } == .some(.interactionNotAllowed)) }
        #expect(scratch.code("ak") == .interactionNotAllowed)
        #expect(try scratch.state() != .unlocked)
      }
    }

    @Test("a vault whose keybag cannot be read is locked all the same")
    func keybagAway() throws {
      let scratch = try Scratch()
      try scratch.unlock()
      let keybag = "\(scratch.vault.path)/vault/keybag"
      try FileManager.default.moveItem(atPath: keybag, toPath: keybag + ".away")
      scratch.service.handle(.goingToSleep, from: nil)
      try FileManager.default.moveItem(atPath: keybag + ".away", toPath: keybag)
      #expect(scratch.code("ak") == .interactionNotAllowed)
      try scratch.unlock()
      #expect(scratch.code("ak") == nil)
    }
  }
}
