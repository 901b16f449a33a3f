import AgentFixtures
import Foundation
import Synchronization
import Testing
import TestFixtures
import ThumbturnAgentClient
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnTestSupport
import ThumbturnVault

extension AgentTests {
  @Suite("One seat")
  struct Seats {
    private typealias Outcome = (code: KeychainError.Code?, reason: String?, seconds: Double)

    /// Each of the four calls on an item that needs an unlocked vault, and one on an item that is always open.
    private func calls(_ keychain: any KeychainBackend) -> [(name: String, outcome: Outcome)] {
      func outcome(_ body: () throws -> Void) -> Outcome {
        var error: KeychainError?
        let seconds = seconds { error = failure(body) }
        return (error?.code, error?.cause?.reason, seconds)
      }
      return [
        ("find", outcome { _ = try keychain.find(query("ak"), for: Caller()) }),
        ("add", outcome { _ = try keychain.add(item("new"), for: Caller()) }),
        ("update", outcome { try keychain.update(query("ak"), with: ItemChange([.label: .text("l")]), for: Caller()) }),
        ("delete", outcome { try keychain.delete(query("nothing"), for: Caller()) }),
        ("find of an open one", outcome { _ = try keychain.find(query("dk"), for: Caller()) }),
      ]
    }

    /// Checks code and time of all of them.
    private func expect(
      _ keychain: any KeychainBackend, _ codes: [KeychainError.Code?], within limit: Double = 1, _ place: Comment
    ) {
      for ((name, outcome), wanted) in zip(calls(keychain), codes) {
        #expect(outcome.code == wanted, "\(place): \(name): \(outcome.reason ?? "")")
        #expect(outcome.seconds < limit, "\(place): \(name) took \(outcome.seconds) s")
      }
    }

    private let beforeFirstUnlock: [KeychainError.Code?] = [
      .interactionNotAllowed, .interactionNotAllowed, .interactionNotAllowed, .itemNotFound, nil,
    ]
    private let notAvailable = Array(repeating: KeychainError.Code?.some(.notAvailable), count: 5)

    @Test("without an agent, a terminal or a prompt every call ends within 1 s with its status")
    func alone() throws {
      let vault = try VaultAgent(classes: [.whenUnlocked, .always], isStarted: false)
      expect(vault.local, beforeFirstUnlock, "in process")
      expect(SeatedBackend(vault.local, agentAt: vault.place), beforeFirstUnlock, "seated")
    }

    @Test("a locked vault that nobody holds is asked for where an agent may be started, and stays locked where none is")
    func startedByConnecting() throws {
      let vault = try VaultAgent(classes: [.whenUnlocked, .always], isStarted: false)
      // What systemd starts behind its socket: here one that answers of its own items.
      let server = try RunningServer(BackendService(MemoryBackend()), vaultID: vault.vaultID)
      let seated = SeatedBackend(vault.local, agentAt: server.place)
      #expect(failure { _ = try seated.find(query("ak"), for: Caller()) }?.code == .itemNotFound)
      _ = try seated.add(item("theirs"), for: Caller())
      #expect(try seated.find(query("theirs"), for: Caller()).count == 1)
      // A socket of another vault's agent, and one that nobody answers on.
      let foreign = try RunningServer(BackendService(MemoryBackend()))
      expect(SeatedBackend(vault.local, agentAt: foreign.place), beforeFirstUnlock, "another vault's")
      server.stop()
      expect(SeatedBackend(vault.local, agentAt: server.place), beforeFirstUnlock, "no agent")
    }

    @Test("held by another process whose socket is gone, or is no socket, every call is not available within 1 s")
    func noSocket() throws {
      let vault = try VaultAgent(classes: [.whenUnlocked, .always])
      try FileManager.default.removeItem(atPath: vault.place.path)
      expect(vault.local, notAvailable, "in process")
      expect(SeatedBackend(vault.local, agentAt: vault.place), notAvailable, "seated")
      try Data().write(to: URL(fileURLWithPath: vault.place.path))
      expect(SeatedBackend(vault.local, agentAt: vault.place), notAvailable, "no socket")
      #expect(cause { try vault.local.unlock(Passcode(text("1234"))) } == .seatTaken)
    }

    @Test("of an agent that is stopped: each call ends within its limit, on old and on new connections")
    func stopped() throws {
      let vault = try VaultAgent(classes: [.whenUnlocked, .always])
      let (old, oldLink) = (SeatedBackend(vault.local, agentAt: vault.place), vault.keychain)
      #expect(try old.find(query("dk"), for: Caller()).count == 1)
      #expect(try oldLink.find(query("dk"), for: Caller()).count == 1)
      try vault.agent.pause()
      // 10 s for a call on a kept connection, 1 s for the hello of a new one.
      let keychains: [any KeychainBackend] = [old, oldLink]
      let silences = Mutex<[(reason: String?, seconds: Double)]>([])
      for limit in [10.0, 1.0] {
        DispatchQueue.concurrentPerform(iterations: keychains.count) { index in
          var reason: String?
          let took = seconds {
            reason = failure { _ = try keychains[index].find(query("dk"), for: Caller()) }?.cause?.reason
          }
          silences.withLock { $0.append((reason, took)) }
        }
        let found = silences.withLock { silences in
          defer { silences = [] }
          return silences
        }
        #expect(found.count == 2 && found.allSatisfy { $0.reason == "the agent does not answer" })
        #expect(found.allSatisfy { $0.seconds > limit - 0.5 && $0.seconds < limit + 0.8 }, "\(found)")
      }
      expect(SeatedBackend(vault.local, agentAt: vault.place), notAvailable, within: 1.6, "a new connection")
      let control = vault.control
      for body in [{ _ = try control.status() }, { try control.unlock(text("1234")) }] as [() throws -> Void] {
        var found: KeychainError.Code?
        let took = seconds { found = code(body) }
        #expect(found == .notAvailable && took < 1.6, "\(took)")
      }
      try vault.agent.resume()
      #expect(try becomes { try old.find(query("dk"), for: Caller()).count == 1 })
    }

    @Test("of another vault's agent at this one's socket is no seat: neither vault is touched")
    func otherVault() throws {
      let (mine, other) = (try VaultAgent(classes: [.whenUnlocked, .always]), try VaultAgent(classes: [.whenUnlocked]))
      try other.control.unlock(text("1234"))
      _ = try other.keychain.find(query(), for: Caller())
      // Mine has an agent, but where its socket was, there is a way to the other's.
      try FileManager.default.removeItem(atPath: mine.place.path)
      try FileManager.default.createSymbolicLink(atPath: mine.place.path, withDestinationPath: other.place.path)
      let (mineBefore, otherBefore) = (try mine.files(), try other.files())
      let seated = SeatedBackend(mine.local, agentAt: mine.place)
      for (name, outcome) in calls(seated) {
        #expect(outcome.code != nil && outcome.code != .itemNotFound, "\(name)")
        #expect(outcome.reason == "the agent serves another vault", "\(name)")
        #expect(outcome.seconds < 1)
      }
      #expect(failure { _ = try mine.control.status() }?.cause?.reason == "the agent serves another vault")
      #expect(failure { try mine.control.unlock(text("1234")) }?.cause?.reason == "the agent serves another vault")
      #expect(try mine.files() == mineBefore)
      #expect(try other.files() == otherBefore)
      #expect(try other.control.status().failedAttempts == 0)
    }

    @Test("free beside the agent of another vault, is taken in process, and the other vault is not touched")
    func besideOther() throws {
      let mine = try VaultAgent(classes: [.whenUnlocked, .always], isStarted: false)
      let other = try VaultAgent(classes: [.whenUnlocked])
      try other.control.unlock(text("1234"))
      try FileManager.default.createSymbolicLink(atPath: mine.place.path, withDestinationPath: other.place.path)
      let before = try other.files()
      let seated = SeatedBackend(mine.local, agentAt: mine.place)
      expect(seated, beforeFirstUnlock, "locked")
      try seated.local.unlock(Passcode(text("1234")))
      #expect(try seated.add(item("mine"), for: Caller()).account == "mine")
      #expect(try seated.find(query("mine"), for: Caller()).count == 1)
      try seated.local.lock()
      #expect(try other.files() == before)
      #expect(code { _ = try other.keychain.find(query("mine"), for: Caller()) } == .itemNotFound)
      #expect(try other.control.status().lockState == .unlocked)
    }

    @Test("of an agent that is killed is free: the next call works within 1 s and finds the vault locked")
    func killed() throws {
      let vault = try VaultAgent(classes: [.whenUnlocked, .always])
      let seated = SeatedBackend(vault.local, agentAt: vault.place)
      try vault.control.unlock(text("1234"))
      #expect(try seated.find(query("ak"), for: Caller()).count == 1)
      _ = try seated.add(item("by the agent"), for: Caller())
      try vault.kill()
      expect(seated, beforeFirstUnlock, "the one that knew the agent")
      expect(vault.local, beforeFirstUnlock, "in process")
      try seated.local.unlock(Passcode(text("1234")))
      #expect(try seated.find(query("by the agent"), for: Caller()).count == 1)
      #expect(try seated.local.check().isClean)
      seated.local.forgetKeys()
      // And the next agent has it.
      try vault.start()
      #expect(code { _ = try seated.find(query("ak"), for: Caller()) } == .interactionNotAllowed)
      try vault.control.unlock(text("1234"))
      #expect(try seated.find(query("ak"), for: Caller()).count == 1)
    }

    @Test("is given back by an agent that is ended: no log, no socket, exit code 0")
    func ended() throws {
      for how in ["SIGTERM", "stop"] {
        let vault = try VaultAgent(classes: [.whenUnlocked])
        try vault.control.unlock(text("1234"))
        for index in 0..<20 { _ = try vault.keychain.add(item("a\(index)"), for: Caller()) }
        if how == "stop" {
          try vault.control.stop()
          #expect(try vault.agent.waitForEnd(seconds: 10) == 0)
        } else {
          #expect(try vault.terminate() == 0)
        }
        #expect(try vault.files().keys.allSatisfy { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }, "\(how)")
        #expect(!FileManager.default.fileExists(atPath: vault.place.path), "\(how)")
        let local = vault.local
        #expect(code { _ = try local.find(query("a7"), for: Caller()) } == .interactionNotAllowed)
        try local.unlock(Passcode(text("1234")))
        #expect(try local.find(query("a7"), for: Caller()).count == 1)
        #expect(try local.check().isClean)
      }
    }
  }
}
