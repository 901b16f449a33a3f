internal import ThumbturnShims

/// Keeps fork(2) out of calls (VAULT.md §11). A child has only the thread that forked: what another one held or had half
/// changed at that moment, in SQLite's tables too, stays so for ever. So a fork waits until every call is outside, or
/// asleep where it holds nothing.
enum ForkGate {
  /// Runs a call.
  ///
  /// - Throws: ``VaultError/Code/forkedInCall`` in a child for which waiting was in vain, ``VaultError/Code/writerBusy``
  ///   when forks kept this call out for 4 seconds, and what `body` throws.
  static func pass<Result>(_ body: () throws(VaultError) -> Result) throws(VaultError) -> Result {
    switch enterForkGate() {
    case 0: break
    case 1: throw VaultError(.writerBusy, "this program forked without a pause", part: .vaultFolder)
    default: throw VaultError(.forkedInCall, "the parent was inside a call when it forked", part: .database)
    }
    defer { leaveForkGate() }
    return try body()
  }

  /// Runs `sleep`, during which a fork may pass.
  static func pause(_ sleep: () -> Void) {
    pauseForkGate()
    defer { resumeForkGate() }
    sleep()
  }
}
