#if !SANITIZE_THREAD
  internal import Synchronization
#endif
internal import ThumbturnAuthentication
internal import ThumbturnCrypto

/// What the agent has verified since the vault was opened, for whom. From any thread.
final class VerifiedSessions: Sendable {
  private struct State {
    var table = SessionTable()
    /// Which lock it is since; what was begun before one adds nothing after it.
    var epoch = 0
  }

  private let state = Mutex(State())

  init() {}

  /// To be remembered when a verification begins.
  var epoch: Int { state.withLock { $0.epoch } }

  /// Keeps a session, unless everything was forgotten since its verification began.
  func add(_ session: SessionTable.Session, process: Int32, since epoch: Int) -> Bool {
    state.withLock { state in
      guard state.epoch == epoch else { return false }
      state.table.add(session, process: process)
      return true
    }
  }

  /// Those of a process with these names.
  func sessions(_ ids: [[UInt8]], process: Int32) -> [SessionTable.Session] {
    guard !ids.isEmpty else { return [] }
    return state.withLock { $0.table.sessions(ids, process: process) }
  }

  /// How many there are.
  var count: Int { state.withLock { $0.table.count } }

  func end(_ id: [UInt8], process: Int32) { state.withLock { $0.table.end(id, process: process) } }

  func endAll(process: Int32) { state.withLock { $0.table.endAll(process: process) } }

  /// The vault was locked.
  func endAll() {
    state.withLock { state in
      state.epoch += 1
      state.table.endAll()
    }
  }
}
