import Foundation
import Glibc
import TestFixtures
import ThumbturnAgentClient
package import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

/// What a client asks of an agent whose memory is looked at afterwards. Every secret is a canary.
package enum MemorySession {
  /// The canaries by what they stand for.
  package enum Seed: UInt32, CaseIterable {
    case passcode = 101
    case wrongPasscode = 102
    case nextPasscode = 103
    case small = 111
    case large = 112
    case filed = 113
    case alwaysOpen = 114
    case changed = 115
    case plantedOnHeap = 121
    case plantedOnStack = 122
  }

  /// A canary of 32 bytes, again and again up to `count`.
  package static func canary(_ seed: Seed, count: Int = 32) throws -> SharedSecret {
    SharedSecret(
      try SecretBytes(count: count) { (out: inout MutableSpan<UInt8>) in
        for index in 0..<count { out[index] = MemoryScan.canaryByte(seed.rawValue, index % 32) }
      })
  }

  /// Does the named steps against the agent of a home; each is `wrong`, `unlock`, `use`, `lock`, `change`, `idle` or `stop`.
  package static func run(_ home: String, steps: Substring) throws {
    guard let vaultID = Vault.identifierBytes(at: VaultLocation(home: home)) else { throw KeychainError(.itemNotFound) }
    let link = AgentLink(SocketPlace(folder: home), vaultID: vaultID)
    let control = AgentControl(link)
    for step in steps.split(separator: ",") {
      switch step {
      case "wrong":
        do throws(AgentFailure) { try control.unlock(try canaryOrFail(.wrongPasscode)) } catch {
          guard error.error.cause?.code == .wrongPasscode else { throw error }
        }
      case "unlock": try control.unlock(canary(.passcode))
      case "use": try use(RemoteBackend(link))
      case "lock": try control.lock()
      case "idle": try control.changeSettings(graceSeconds: 0, idleSeconds: 1, passcode: canary(.passcode))
      case "change": try control.changePasscode(canary(.passcode), to: canary(.nextPasscode), rotates: true)
      case "stop": try control.stop()
      default: throw KeychainError(.parameter)
      }
    }
  }

  private static func canaryOrFail(_ seed: Seed) throws(AgentFailure) -> SharedSecret {
    do { return try canary(seed) } catch { throw AgentFailure(KeychainError(.outOfMemory)) }
  }

  /// Adds, finds, changes, deletes: secrets in the arena, in a mapping of their own, and in a file beside the packet.
  private static func use(_ keychain: RemoteBackend) throws {
    let caller = Caller()
    let kinds: [(Seed, Int, ProtectionClass)] = [
      (.small, 32, .whenUnlocked), (.large, 5_000, .whenPasscodeSetThisDeviceOnly),
      (.filed, 100_000, .afterFirstUnlock), (.alwaysOpen, 64, .always),
    ]
    for (seed, count, protection) in kinds {
      let account = AttributeValue.text("\(seed)")
      _ = try keychain.add(
        NewItem(
          .genericPassword, [.account: account], secret: canary(seed, count: count), protectionClass: protection),
        for: caller)
      var query = ItemQuery(.genericPassword, [.account: account], limit: .count(1))
      query.wantsSecret = true
      guard try keychain.find(query, for: caller).first?.secret?.count == count else {
        throw KeychainError(.itemNotFound)
      }
    }
    let small = ItemQuery(.genericPassword, [.account: .text("\(Seed.small)")])
    try keychain.update(small, with: ItemChange(secret: canary(.changed)), for: caller)
    var all = ItemQuery(.genericPassword, limit: .all)
    all.wantsSecret = true
    guard try keychain.find(all, for: caller).count == kinds.count else { throw KeychainError(.itemNotFound) }
    try keychain.delete(small, for: caller)
  }
}

/// Plain copies that an agent of the tests keeps when its home says so: what a scan must find.
package enum PlantedCopies {
  /// Keeps what `planted-on-heap` and `planted-on-stack` hold, the latter nowhere but on the stack of a thread.
  package static func keep(of home: String) {
    plantOnHeap("\(home)/planted-on-heap")
    let path = "\(home)/planted-on-stack"
    guard unsafe access(path, R_OK) == 0 else { return }
    Thread.detachNewThread { holdOnStack(path) }
  }

  private static func plantOnHeap(_ path: String) {
    guard let bytes = FileManager.default.contents(atPath: path) else { return }
    // Never released.
    unsafe _ = Unmanaged.passRetained(Copy([UInt8](bytes)))
  }

  private static func holdOnStack(_ path: String) {
    guard let descriptor = try? system_openat(system_currentFolder, path, flags: O_RDONLY) else { return }
    var copy = InlineArray<64, UInt8>(repeating: 0)
    var out = copy.mutableSpan
    _ = try? system_read(descriptor, into: &out)
    system_close(descriptor)
    while true {
      sleep(1)
      // Used after each pause, so that it must stay.
      if copy[0] == 0, copy[1] == 1 { return }
    }
  }

  private final class Copy {
    let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }
  }
}
