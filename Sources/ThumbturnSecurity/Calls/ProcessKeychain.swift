internal import Synchronization
internal import ThumbturnAgentClient
public import ThumbturnKeychain
internal import ThumbturnVault

/// The backend of this process: the user's vault, opened by the first call that needs it, here or by the agent that holds it.
enum ProcessKeychain {
  private struct State {
    var backend: (any KeychainBackend)?
    /// Whom the program says it is.
    var caller = Caller()
    /// What a test put in place of both.
    var replacement: ItemCalls?
  }
  private static let state = Mutex(State())

  /// The calls over the backend in use.
  ///
  /// The place of the vault is looked up once and kept, so that a change of the environment while the program runs
  /// moves nothing; as long as there is no place, every call looks again.
  ///
  /// - Throws: ``KeychainError/Code/notAvailable`` without a home folder, or with a relative THUMBTURN_HOME.
  static func current() throws(KeychainError) -> ItemCalls {
    try state.withLock { (state: inout State) throws(KeychainError) -> ItemCalls in
      if let replacement = state.replacement { return replacement }
      if let backend = state.backend { return ItemCalls(backend: backend, caller: state.caller) }
      do throws(VaultError) {
        let backend = SeatedBackend(
          LocalBackend(location: try VaultLocation.standard()), agentAt: try SocketPlace.standard())
        state.backend = backend
        return ItemCalls(backend: backend, caller: state.caller)
      } catch {
        throw KeychainError(.notAvailable)
      }
    }
  }

  /// The caller of the calls that follow.
  static var caller: Caller {
    get { state.withLock { $0.replacement?.caller ?? $0.caller } }
    set { state.withLock { $0.caller = newValue } }
  }

  static func use(_ replacement: ItemCalls?) { state.withLock { $0.replacement = replacement } }
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
