internal import Synchronization
public import ThumbturnKeychain
internal import ThumbturnVault

/// The backend of this process: the user's vault, opened by the first call that needs it.
enum ProcessKeychain {
  private static let calls = Mutex<ItemCalls?>(nil)

  /// The calls over the backend in use.
  ///
  /// The place of the vault is looked up once and kept, so that a change of the environment while the program runs
  /// moves nothing; as long as there is no place, every call looks again.
  ///
  /// - Throws: ``KeychainError/Code/notAvailable`` without a home folder, or with a relative THUMBTURN_HOME.
  static func current() throws(KeychainError) -> ItemCalls {
    try calls.withLock { (calls: inout ItemCalls?) throws(KeychainError) -> ItemCalls in
      if let calls { return calls }
      do throws(VaultError) {
        let found = ItemCalls(backend: LocalBackend(location: try VaultLocation.standard()), caller: Caller())
        calls = found
        return found
      } catch {
        throw KeychainError(.notAvailable)
      }
    }
  }

  static func use(_ replacement: ItemCalls?) { calls.withLock { $0 = replacement } }
}

/// Puts another backend behind the four calls of this process, for tests.
///
/// - Parameters:
///   - backend: What serves the calls from now on; nil goes back to the user's vault.
///   - caller: The access groups of this program.
@_spi(Testing)
public func useKeychainBackend(_ backend: (any KeychainBackend)?, for caller: Caller = Caller()) {
  ProcessKeychain.use(backend.map { ItemCalls(backend: $0, caller: caller) })
}
