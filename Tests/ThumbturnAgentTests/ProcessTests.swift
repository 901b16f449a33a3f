import AgentFixtures
import Foundation
import Synchronization
import Testing
import TestFixtures
import ThumbturnAgent
import ThumbturnAgentClient
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

extension AgentTests {
  @Suite("An agent in a process of its own")
  struct Processes {
    private let caller = Caller(accessGroups: ["G1"])

    /// How long a call takes that must fail because the agent is silent.
    private func failure(_ keychain: RemoteBackend) -> (reason: String?, seconds: Double) {
      let began = ContinuousClock.now
      var reason: String?
      do throws(KeychainError) { _ = try keychain.find(ItemQuery(.key), for: caller) } catch {
        if error.code == .notAvailable { reason = error.cause?.reason }
      }
      return (reason, (ContinuousClock.now - began) / .seconds(1))
    }

    @Test("that is stopped fails calls within their limits, on old and new connections, and serves when it goes on")
    func stopped() throws {
      let folder = try ScratchFolder("agent")
      let agent = try SpawnedAgent(["serve", folder.path])
      #expect(agent.isReady())
      let place = SocketPlace(folder: folder.path)
      let keychain = RemoteBackend(AgentLink(place, vaultID: Samples.vaultID))
      _ = try keychain.add(NewItem(.genericPassword, [.account: .text("a")]), for: caller)
      agent.pause()
      // The kept connection: 10 s for a call.
      let old = failure(keychain)
      #expect(old.reason == "the agent does not answer")
      #expect(old.seconds > 9.5 && old.seconds < 10.8)
      // New ones: 1 s for the hello.
      let new = failure(keychain)
      #expect(new.reason == "the agent does not answer")
      #expect(new.seconds > 0.9 && new.seconds < 1.6)
      // Nobody accepts: when the queue is full, connecting itself must end, after 0.3 s.
      var crowd: [RawClient] = []
      while crowd.count < 2_000, let client = try? RawClient(place) { crowd.append(client) }
      #expect(crowd.count < 2_000)
      let full = failure(keychain)
      #expect(full.reason == "the agent does not answer")
      #expect(full.seconds > 0.25 && full.seconds < 0.8)
      crowd = []
      agent.resume()
      let found = try keychain.find(ItemQuery(.genericPassword), for: caller)
      #expect(found.count == 1)
    }

    @Test("that is killed and started again is found again by the same keychain")
    func restarted() throws {
      let folder = try ScratchFolder("agent")
      var agent = try SpawnedAgent(["serve", folder.path])
      #expect(agent.isReady())
      let keychain = RemoteBackend(AgentLink(SocketPlace(folder: folder.path), vaultID: Samples.vaultID))
      _ = try keychain.add(NewItem(.genericPassword, [.account: .text("a")]), for: caller)
      agent.end(SIGKILL)
      #expect(failure(keychain).reason == "no agent listens")
      // The old socket still lies there.
      #expect(FileManager.default.fileExists(atPath: folder.path + "/agent.sock"))
      agent = try SpawnedAgent(["serve", folder.path])
      #expect(agent.isReady())
      _ = try keychain.add(NewItem(.genericPassword, [.account: .text("a")]), for: caller)
    }

    @Test("does not take the socket of one that runs")
    func second() throws {
      let folder = try ScratchFolder("agent")
      let agent = try SpawnedAgent(["serve", folder.path])
      #expect(agent.isReady())
      #expect(throws: VaultError(.seatTaken, "")) { try ListeningSocket.make(at: SocketPlace(folder: folder.path)) }
      let keychain = RemoteBackend(AgentLink(SocketPlace(folder: folder.path), vaultID: Samples.vaultID))
      _ = try keychain.add(NewItem(.key, [:]), for: caller)
    }

    @Test("serves on the socket that systemd hands over, and takes the variables out of its environment")
    func handedOver() throws {
      let folder = try ScratchFolder("agent")
      let descriptor = try RawListener.make(in: folder.path)
      defer { system_close(descriptor) }
      let agent = try SpawnedAgent(["handed"], passed: descriptor)
      #expect(agent.isReady(), "\(agent.printed)")
      let link = AgentLink(SocketPlace(folder: folder.path), vaultID: Samples.vaultID)
      _ = try RemoteBackend(link).add(NewItem(.key, [:]), for: caller)
      try AgentControl(link).stop()
      #expect(agent.waitForEnd(seconds: 5) == 0)
      // It is systemd's, and stays.
      #expect(FileManager.default.fileExists(atPath: folder.path + "/agent.sock"))
    }

    @Test("takes nothing that was handed to another process, or that is no listening socket")
    func notHandedOver() throws {
      let folder = try ScratchFolder("agent")
      let descriptor = try RawListener.make(in: folder.path)
      defer { system_close(descriptor) }
      let other = try SpawnedAgent(["handed"], passed: descriptor, wrongProcess: true)
      #expect(other.waitForEnd(seconds: 5) == 1)
      #expect(other.printed.contains("nothing is handed over"))
      let null = try #require(OpenFile.null())
      let file = try SpawnedAgent(["handed"], passed: null.descriptor)
      #expect(file.waitForEnd(seconds: 5) == 1)
      #expect(file.printed.contains("not one listening socket"))
    }
  }

  @Suite("A forked child")
  struct Forks {
    /// What the child finds: a C function cannot capture.
    private static let inherited = Mutex<(keychain: RemoteBackend?, socketCount: Int)>((nil, 0))

    private static func socketCount() -> Int {
      let folder = "/proc/self/fd"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.count { name in
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)"))?.hasPrefix("socket:") ?? false
      }
    }

    @Test("has its parent's connection closed, and makes its own")
    func forked() throws {
      let folder = try ScratchFolder("agent")
      let agent = try SpawnedAgent(["serve", folder.path])
      #expect(agent.isReady())
      let keychain = RemoteBackend(AgentLink(SocketPlace(folder: folder.path), vaultID: Samples.vaultID))
      let caller = Caller(accessGroups: ["G1"])
      _ = try keychain.add(NewItem(.genericPassword, [:]), for: caller)
      let count = Self.socketCount()
      Self.inherited.withLock { $0 = (keychain, count) }
      let code = tt_in_forked_child {
        let (keychain, count) = Forks.inherited.withLock { $0 }
        guard Forks.socketCount() == count - 1 else { return 1 }
        let found = try? keychain?.find(ItemQuery(.genericPassword), for: Caller(accessGroups: ["G1"]))
        return found?.count == 1 ? 0 : 2
      }
      #expect(code == 0)
      // The parent's own is as it was.
      #expect(try keychain.find(ItemQuery(.genericPassword), for: caller).count == 1)
      Self.inherited.withLock { $0 = (nil, 0) }
    }
  }

  @Suite("The place of the socket")
  struct Places {
    @Test("must be closed to others, and no link")
    func unsafePlaces() throws {
      let folder = try ScratchFolder("agent")
      let path = folder.path + "/open"
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o750])
      #expect(throws: VaultError(.unsafePlace, "")) { try ListeningSocket.make(at: SocketPlace(folder: path)) }
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
      try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: path)
      #expect(throws: VaultError(.unsafePlace, "")) {
        try ListeningSocket.make(at: SocketPlace(folder: folder.path + "/link"))
      }
      try Data().write(to: URL(filePath: path + "/agent.sock"))
      #expect(throws: VaultError(.unsafePlace, "")) { try ListeningSocket.make(at: SocketPlace(folder: path)) }
      #expect(throws: VaultError(.noPlace, "")) {
        try ListeningSocket.make(at: SocketPlace(folder: folder.path + "/a/b"))
      }
    }

    @Test("is made for this user alone, also where its path is longer than an address, and removed at the end")
    func made() throws {
      let folder = try ScratchFolder("agent")
      let path = folder.path + "/" + String(repeating: "long", count: 40)
      do {
        let listening = try ListeningSocket.make(at: SocketPlace(folder: path))
        let mode = { try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int }
        #expect(try mode(path) == 0o700)
        #expect(try mode(path + "/agent.sock") == 0o600)
        _ = try RawClient(SocketPlace(folder: path))
        withExtendedLifetime(listening) {}
      }
      #expect(!FileManager.default.fileExists(atPath: path + "/agent.sock"))
    }

    @Test("is in THUMBTURN_HOME when that is set")
    func home() throws {
      // The tests run with a home of their own.
      let home = try #require(ProcessInfo.processInfo.environment["THUMBTURN_HOME"])
      #expect(try SocketPlace.standard().path == home + "/agent.sock")
    }
  }
}
