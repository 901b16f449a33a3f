import AgentFixtures
import Foundation
import Synchronization
import Testing
import TestFixtures
import ThumbturnAgentClient
import ThumbturnCrypto
@_spi(Benchmarks) import ThumbturnKeychain
import ThumbturnVault

extension AgentTests {
  @Suite("The vault behind an agent")
  struct VaultStates {
    /// Checks every class over the socket, and what the status says.
    private func expect(
      _ agent: VaultAgent, opens: [ProtectionClass], _ state: AgentStatus.LockState, _ place: Comment
    ) throws {
      let keychain = agent.keychain
      let status = try agent.control.status()
      #expect(status.openClasses == opens.sorted { $0.rawValue < $1.rawValue }, place)
      #expect(status.lockState == state, place)
      #expect((status.secondsUntilIdleLock != nil) == (state == .unlocked), place)
      #expect(status.hasPasscode && status.itemCount == 7, place)
      for protection in ProtectionClass.allCases {
        let wanted: KeychainError.Code? = opens.contains(protection) ? nil : .interactionNotAllowed
        var found: String?
        let read = code {
          found = try keychain.find(query(protection.code, limit: .count(1)), for: Caller()).first?.text
        }
        #expect(read == wanted, "\(place): \(protection.code)")
        #expect(found == (wanted == nil ? "secret of \(protection.code)" : nil), "\(place): \(protection.code)")
        let added = code { _ = try keychain.add(item(protection.code, protection), for: Caller()) }
        #expect(added == (wanted ?? .duplicateItem), "\(place): \(protection.code)")
        let changed = code {
          try keychain.update(query(protection.code), with: ItemChange([.label: .text("l")]), for: Caller())
        }
        #expect(changed == wanted, "\(place): \(protection.code)")
      }
      let all = code { _ = try keychain.find(query(), for: Caller()) }
      #expect(all == (opens.count == 7 ? nil : .interactionNotAllowed), place)
    }

    @Test("opens each class before the first unlock, unlocked and locked as a process does; kill -9 begins anew")
    func states() throws {
      let agent = try VaultAgent()
      let first = ProtectionClass.allCases.filter(\.isAlwaysOpen)
      let locked = ProtectionClass.allCases.filter { !$0.isDroppedByLock }
      try expect(agent, opens: first, .beforeFirstUnlock, "before the first unlock")
      try agent.control.unlock(text("1234"))
      try expect(agent, opens: ProtectionClass.allCases, .unlocked, "unlocked")
      try agent.control.lock()
      try expect(agent, opens: locked, .locked, "locked")
      try agent.control.unlock(text("1234"))
      try expect(agent, opens: ProtectionClass.allCases, .unlocked, "unlocked again")
      try agent.kill()
      try agent.start()
      try expect(agent, opens: first, .beforeFirstUnlock, "after kill -9")
    }

    @Test("locks when nobody has called for the idle time, by its own clock; a call begins it anew, a status does not")
    func idle() throws {
      let agent = try VaultAgent(classes: [.whenUnlocked], isStarted: false)
      var moment = BootMoment.now()
      try VaultSeams.setClock(agent.path, moment)
      try agent.start()
      func advance(seconds: Int64) throws {
        moment.nanoseconds += seconds * 1_000_000_000
        try VaultSeams.setClock(agent.path, moment)
      }
      try agent.control.unlock(text("1234"))
      #expect(try agent.control.status().secondsUntilIdleLock == 900)
      try agent.control.changeSettings(graceSeconds: 30, idleSeconds: 600, passcode: text("1234"))
      let status = try agent.control.status()
      #expect(status.graceSeconds == 30 && status.idleSeconds == 600 && status.secondsUntilIdleLock == 600)
      try advance(seconds: 599)
      #expect(try agent.control.status().secondsUntilIdleLock == 1)
      _ = try agent.keychain.find(query(), for: Caller())
      #expect(try agent.control.status().secondsUntilIdleLock == 600)
      try advance(seconds: 599)
      #expect(try agent.control.status().lockState == .unlocked)
      try advance(seconds: 1)
      #expect(try agent.control.status().lockState == .locked)
      #expect(try !agent.control.status().openClasses.contains(.whenUnlocked))
      // Also when the first that comes is a call, not a status.
      try agent.control.unlock(text("1234"))
      try advance(seconds: 600)
      #expect(code { _ = try agent.keychain.find(query(), for: Caller()) } == .interactionNotAllowed)
      // Never.
      try agent.control.changeSettings(graceSeconds: 0, idleSeconds: 0, passcode: text("1234"))
      try agent.control.unlock(text("1234"))
      try advance(seconds: 100_000)
      let never = try agent.control.status()
      #expect(never.lockState == .unlocked && never.secondsUntilIdleLock == nil)
    }

    @Test("settings need the passcode and their limits, and outlive the agent")
    func settings() throws {
      let agent = try VaultAgent(classes: [])
      let none = cause { try agent.control.changeSettings(graceSeconds: 1, idleSeconds: 2, passcode: nil) }
      #expect(none == .passcodeIsSet)
      let wrong = cause { try agent.control.changeSettings(graceSeconds: 1, idleSeconds: 2, passcode: text("4321")) }
      #expect(wrong == .wrongPasscode)
      let much = cause { try agent.control.changeSettings(graceSeconds: 301, idleSeconds: 2, passcode: text("1234")) }
      #expect(much == .tooLarge)
      try agent.control.changeSettings(graceSeconds: 300, idleSeconds: 86_400, passcode: text("1234"))
      // Nobody has unlocked it by that.
      #expect(try agent.control.status().lockState == .beforeFirstUnlock)
      try agent.kill()
      try agent.start()
      let status = try agent.control.status()
      #expect(status.graceSeconds == 300 && status.idleSeconds == 86_400)
    }

    @Test("without a passcode is open, and refuses to be locked")
    func withoutPasscode() throws {
      let agent = try VaultAgent(passcode: nil, classes: [.whenUnlocked])
      #expect(cause { try agent.control.lock() } == .noPasscode)
      #expect(cause { try agent.control.unlock(text("1234")) } == .noPasscode)
      #expect(try agent.keychain.find(query(), for: Caller()).count == 1)
      #expect(try !agent.control.status().hasPasscode)
      try agent.control.setPasscode(text("1234"))
      #expect(try agent.control.status().lockState == .unlocked)
      try agent.control.lock()
      #expect(code { _ = try agent.keychain.find(query(), for: Caller()) } == .interactionNotAllowed)
      try agent.control.removePasscode(text("1234"))
      #expect(try agent.keychain.find(query(), for: Caller()).count == 1)
      #expect(cause { try agent.control.lock() } == .noPasscode)
    }

    @Test("locked while others find: after the lock no find gets anything, and none ever gets a part")
    func lockDuringFinds() throws {
      let agent = try VaultAgent(classes: [])
      let local = agent.local
      try agent.kill()
      try local.unlock(Passcode(text("1234")))
      try local.addTogether(try (0..<400).map { try item("a\($0)") }, for: Caller())
      local.close()
      local.forgetKeys()
      try agent.start()
      for _ in 0..<3 {
        try agent.control.unlock(text("1234"))
        let isLocked = Atomic(false)
        let (full, partial, late) = (Counter(), Counter(), Counter())
        let group = DispatchGroup()
        for _ in 0..<3 {
          DispatchQueue.global().async(group: group) {
            let keychain = RemoteBackend(AgentLink(SocketPlace(folder: agent.path), vaultID: agent.vaultID))
            while true {
              let wasLocked = isLocked.load(ordering: .acquiring)
              let count = (try? keychain.find(query(), for: Caller()))?.count ?? 0
              if count == 400 { full.add() } else if count > 0 { partial.add() }
              if wasLocked {
                if count > 0 { late.add() }
                return
              }
            }
          }
        }
        #expect(becomes { full.count >= 3 })
        let took = try seconds { try agent.control.lock() }
        isLocked.store(true, ordering: .releasing)
        group.wait()
        #expect(partial.count == 0 && late.count == 0)
        #expect(took < 5)
        #expect(try agent.control.status().lockState == .locked)
      }
    }
  }
}
