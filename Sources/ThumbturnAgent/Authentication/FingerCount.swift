#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import ThumbturnCrypto
internal import ThumbturnVault

/// Stands in until the vault counts.
final class FingerCount: Sendable {
  private let state = Mutex(0)
  var count: Int { state.withLock { $0 } }
  func add(_ more: Int) { state.withLock { $0 += more } }
  func clear() { state.withLock { $0 = 0 } }
}

extension VaultStatus {
  var isSimulated: Bool { false }
}
