import AgentFixtures
import Foundation
import Synchronization
import Testing
import ThumbturnAgent
import ThumbturnAgentClient
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

/// One after the other: some count memory, descriptors or time of the whole process.
@Suite("Agent", .serialized)
struct AgentTests {}

/// A number that threads raise.
final class Counter: Sendable {
  private let value = Mutex(0)
  var count: Int { value.withLock { $0 } }
  func add(_ more: Int = 1) { value.withLock { $0 += more } }
}

/// A keychain that has many items and changes none.
final class ListBackend: KeychainBackend {
  private let items: [FoundItem]

  init(count: Int) {
    let secret = try? SharedSecret(SecretBytes(copying: Array(repeating: 5, count: 32).span))
    items = (0..<count).map {
      FoundItem(
        itemClass: .genericPassword,
        attributes: [.account: .text("account \($0)"), .accessGroup: .text("G1")] as ItemAttributes,
        protectionClass: .whenUnlocked, isSynchronizable: false, reference: Array(repeating: 1, count: 16),
        secret: secret)
    }
  }

  func add(_ item: NewItem, for caller: Caller) throws(KeychainError) -> FoundItem { throw KeychainError(.readOnly) }
  func find(_ query: ItemQuery, for caller: Caller) throws(KeychainError) -> [FoundItem] { items }
  func update(_ query: ItemQuery, with change: ItemChange, for caller: Caller) throws(KeychainError) {}
  func delete(_ query: ItemQuery, for caller: Caller) throws(KeychainError) {}
}

/// A service of which writes wait until a gate opens; everything else is done at once.
final class GatedService: AgentService {
  let waiting = Counter()
  private let gate = DispatchSemaphore(value: 0)

  func open(_ count: Int = 1_000) { for _ in 0..<count { gate.signal() } }

  func answer(
    _ request: AgentRequest, from peer: AgentPeer, progress: (_ done: Int, _ total: Int) -> Void
  ) -> AgentReply {
    switch request {
    case .delete:
      waiting.add()
      gate.wait()
      return .done
    case .find: return .items([])
    case .status: return .status(AgentStatus(process: getpid(), vaultID: Samples.vaultID))
    default: return .done
    }
  }
}
