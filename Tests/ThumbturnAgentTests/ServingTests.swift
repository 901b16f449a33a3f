import AgentFixtures
import Foundation
import Testing
import TestFixtures
import ThumbturnAgentClient
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnTestSupport
import ThumbturnVault

extension AgentTests {
  @Suite("A keychain behind the agent")
  struct Serving {
    private let caller = Caller(accessGroups: ["G1"])

    private func item(_ account: String, _ secret: [UInt8]? = [1]) throws -> NewItem {
      NewItem(.genericPassword, [.account: .text(account)], secret: try secret.map { try Samples.secret($0) })
    }

    private func code(_ body: () throws(KeychainError) -> Void) -> KeychainError.Code? {
      do throws(KeychainError) {
        try body()
        return nil
      } catch { return error.code }
    }

    @Test("adds, finds, changes and deletes")
    func verbs() throws {
      let server = try RunningServer(BackendService(MemoryBackend()))
      let keychain = RemoteBackend(server.link())
      let added = try keychain.add(try item("a", [1, 2, 3]), for: caller)
      #expect(added.attributes[.account] == .text("a"))
      #expect(
        code { () throws(KeychainError) in
          _ = try keychain.add(NewItem(.genericPassword, [.account: .text("a")]), for: caller)
        } == .duplicateItem)
      var query = ItemQuery(.genericPassword, [.account: .text("a")], wantsSecret: true)
      #expect(try keychain.find(query, for: caller).first?.secret?.count == 3)
      #expect(
        code { () throws(KeychainError) in _ = try keychain.find(query, for: Caller(accessGroups: [])) }
          == .missingEntitlement)
      try keychain.update(query, with: ItemChange([.account: .text("b")]), for: caller)
      #expect(code { () throws(KeychainError) in _ = try keychain.find(query, for: caller) } == .itemNotFound)
      query.attributes = [.account: .text("b")]
      let found = try keychain.find(query, for: caller)
      #expect(found.map(\.reference) == [added.reference])
      try keychain.delete(query, for: caller)
      #expect(code { () throws(KeychainError) in try keychain.delete(query, for: caller) } == .itemNotFound)
    }

    @Test("moves secrets of every size", arguments: [0, 1, 4_096, 65_000, 65_536, 1 << 20, 16 << 20])
    func sizes(count: Int) throws {
      let server = try RunningServer(BackendService(MemoryBackend()))
      let keychain = RemoteBackend(server.link())
      let secret = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }
      _ = try keychain.add(try item("a", secret), for: caller)
      let found = try keychain.find(ItemQuery(.genericPassword, wantsSecret: true), for: caller)
      #expect(found[0].secret?.withBytes { $0.copied() } == secret)
    }

    @Test("says what the keychain says of a secret that is too large, at each side of the wire")
    func tooLarge() throws {
      let server = try RunningServer(BackendService(MemoryBackend()))
      let keychain = RemoteBackend(server.link())
      for count in [(16 << 20) + 1, (17 << 20) + 1] {
        let large = try item("a", Array(repeating: 1, count: count))
        #expect(code { () throws(KeychainError) in _ = try keychain.add(large, for: caller) } == .dataTooLarge)
      }
      // The connection is as good as before.
      _ = try keychain.add(try item("a"), for: caller)
    }

    @Test("lists 10,000 items in their order")
    func list() throws {
      let memory = ListBackend(count: 10_000)
      let server = try RunningServer(BackendService(memory))
      let keychain = RemoteBackend(server.link())
      let found = try keychain.find(ItemQuery(.genericPassword, limit: .all, wantsSecret: true), for: caller)
      #expect(found.count == 10_000)
      #expect(found.indices.allSatisfy { found[$0].attributes[.account] == .text("account \($0)") })
      #expect(found.allSatisfy { $0.secret?.count == 32 })
    }

    @Test("knows the process, the user and a handle of its client")
    func peer() throws {
      let server = try RunningServer(BackendService(MemoryBackend()))
      #expect(try RemoteBackend(server.link()).accessGroups() == ["\(getpid())", "\(getuid())", "true"])
    }

    @Test("tells of progress, and of the seconds to wait after a wrong passcode")
    func control() throws {
      let server = try RunningServer(BackendService(MemoryBackend()))
      let control = AgentControl(server.link())
      #expect(try control.status().vaultID == Samples.vaultID)
      var steps: [Int] = []
      try control.setPasscode(try Samples.secret([1])) { done, _ in steps.append(done) }
      #expect(steps == [1, 2, 3])
      let wrong = try Samples.secret(Array("wrong".utf8))
      do throws(AgentFailure) {
        try control.unlock(wrong)
        Issue.record("a wrong passcode passed")
      } catch {
        #expect(error.error.code == .authenticationFailed)
        #expect(error.secondsToWait == 300)
      }
      try control.lock()
    }

    @Test("serves many threads at once")
    func threads() throws {
      let server = try RunningServer(BackendService(MemoryBackend()))
      let keychain = RemoteBackend(server.link())
      let failed = Counter()
      DispatchQueue.concurrentPerform(iterations: 16) { thread in
        for round in 0..<50 {
          do {
            let account = "\(thread)-\(round)"
            _ = try keychain.add(try item(account, Array(account.utf8)), for: caller)
            let query = ItemQuery(.genericPassword, [.account: .text(account)], wantsSecret: true)
            let found = try keychain.find(query, for: caller)
            if found.first?.secret?.withBytes({ $0.copied() }) != Array(account.utf8) { failed.add() }
          } catch { failed.add() }
        }
      }
      #expect(failed.count == 0)
    }

    @Test("ends with the last answer when it is told to stop, and is gone then")
    func stop() throws {
      let server = try RunningServer(BackendService(MemoryBackend()))
      let link = server.link()
      try AgentControl(link).stop()
      server.stop()
      #expect(!FileManager.default.fileExists(atPath: server.place.path))
      do throws(AgentFailure) {
        _ = try AgentControl(link).status()
        Issue.record("it answers after its end")
      } catch { #expect(error.error.cause?.reason == "no agent listens") }
    }

    @Test("refuses the agent of another vault, by name")
    func otherVault() throws {
      let server = try RunningServer(BackendService(MemoryBackend()))
      let control = AgentControl(AgentLink(server.place, vaultID: Array(repeating: 0, count: 16)))
      do throws(AgentFailure) {
        _ = try control.status()
        Issue.record("another vault's agent answers")
      } catch {
        #expect(error.error.code == .notAvailable)
        #expect(error.error.cause?.code == .wrongKey)
      }
    }

    @Test("is not available at once where no agent listens")
    func nobody() throws {
      let folder = try ScratchFolder("agent")
      let began = ContinuousClock.now
      for path in [folder.path, folder.path + "/missing"] {
        let keychain = RemoteBackend(AgentLink(SocketPlace(folder: path), vaultID: Samples.vaultID))
        do throws(KeychainError) {
          _ = try keychain.find(ItemQuery(.key), for: caller)
          Issue.record("nobody answers")
        } catch {
          #expect(error.code == .notAvailable)
          #expect(error.cause?.reason == "no agent listens")
        }
      }
      #expect(ContinuousClock.now - began < .seconds(1))
    }
  }
}
