import AgentFixtures
import Testing
import TestFixtures
import ThumbturnAgentClient
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnTestSupport

extension AgentTests {
  @Suite("Memory")
  struct Traces {
    private static let scanCount = 32
    private let caller = Caller(accessGroups: ["G1"])

    private func canary(_ seed: UInt32, _ count: Int) throws -> SharedSecret {
      SharedSecret(
        try SecretBytes(count: count) { (bytes: inout MutableSpan<UInt8>) throws(CryptoError) in
          for index in bytes.indices { bytes[index] = MemoryScan.canaryByte(seed, index) }
        })
    }

    /// Adds a secret, finds it, gives it as a passcode where it is small enough, and deletes it again.
    private func useAndForget(_ keychain: RemoteBackend, _ control: AgentControl, _ seed: UInt32, _ count: Int) throws {
      let secret = try canary(seed, count)
      _ = try keychain.add(NewItem(.genericPassword, [:], secret: secret), for: caller)
      let query = ItemQuery(.genericPassword, wantsSecret: true)
      #expect(try keychain.find(query, for: caller)[0].secret?.count == count)
      #expect(MemoryScan.countCanaries(seed, Self.scanCount) > 0)
      if count <= FrameLimits.passcodeCountMax { try control.unlock(secret) }
      try keychain.delete(query, for: caller)
    }

    @Test("of client and server holds nothing of a secret when its calls are over", arguments: [100, 50_000, 1 << 20])
    func leavesNoTrace(count: Int) throws {
      let seed = UInt32(0xA000 + count)
      let server = try RunningServer(BackendService(MemoryBackend()))
      let link = server.link()
      try useAndForget(RemoteBackend(link), AgentControl(link), seed, count)
      #expect(MemoryScan.countCanaries(seed, Self.scanCount) == 0)
      let planted = (0..<Self.scanCount).map { MemoryScan.canaryByte(seed, $0) }
      #expect(MemoryScan.countCanaries(seed, Self.scanCount) == 1)
      withExtendedLifetime(planted) {}
    }

    @Test("for messages is locked and kept out of core dumps")
    func buffersAreLocked() throws {
      #expect(try Self.bufferFacts() == [true, true, true, true])
    }

    private static func bufferFacts() throws -> [Bool?] {
      let buffer = try SecretBytes.packetBuffer()
      return [buffer.isLocked] + ["lo", "dd", "wf"].map { MemoryScan.hasFlag($0, buffer.bytes) }
    }
  }
}
