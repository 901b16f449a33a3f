#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import Foundation
internal import TestFixtures
internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

func passcode(_ text: String) throws -> Passcode { try Passcode(secret(text)) }

/// A clock that a test moves.
final class ClockStub: Sendable {
  private let state: Mutex<BootMoment>

  init() throws { state = Mutex(BootMoment(bootID: try Identifier.random(), nanoseconds: 1_000_000_000_000)) }

  var now: BootMoment { state.withLock { $0 } }
  func advance(seconds: Int64) { state.withLock { $0.nanoseconds += seconds * 1_000_000_000 } }
  /// A start of the machine: another boot id, and its time begins anew.
  func restart() throws {
    let bootID = try Identifier.random()
    state.withLock { $0 = BootMoment(bootID: bootID, nanoseconds: 2_000_000_000) }
  }
}

/// A vault whose passcode costs the least that is allowed, with a clock that a test moves.
struct LockedScratch {
  let home: TemporaryHome
  let clock: ClockStub
  let backend: LocalBackend

  init() throws {
    home = try TemporaryHome()
    clock = try ClockStub()
    backend = Self.backend(home, clock)
  }

  private static func backend(_ home: TemporaryHome, _ clock: ClockStub) -> LocalBackend {
    var surroundings = VaultSurroundings()
    surroundings.cost = .least
    surroundings.moment = { clock.now }
    return LocalBackend(location: home.location, surroundings)
  }

  /// The same vault as another process would open it: before its first unlock.
  func another() -> LocalBackend { Self.backend(home, clock) }

  func end() { backend.close() }
}

extension LocalBackend {
  /// The code of what a call throws; nil when it succeeds.
  func code(_ body: (LocalBackend) throws -> Void) -> KeychainError.Code? {
    do {
      try body(self)
      return nil
    } catch { return (error as? KeychainError)?.code }
  }

  /// The vault's code of what a call throws.
  func vaultCode(_ body: (LocalBackend) throws -> Void) -> VaultError.Code? {
    do {
      try body(self)
      return nil
    } catch { return (error as? KeychainError)?.cause?.code }
  }
}

extension TemporaryHome {
  /// The names of all files below the home, sorted.
  func fileNames() throws -> [String] { try files().keys.sorted() }
  func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))) }
  /// Puts a file of ours in a place.
  func write(_ name: String, _ bytes: [UInt8]) throws {
    let file = "\(path)/\(name)"
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
  }
}
