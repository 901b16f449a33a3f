internal import CSQLite
internal import Synchronization
internal import ThumbturnCrypto

/// The connections of this process, so that a forked child can let go of its parent's.
///
/// SQLite knows by tables in memory which files and locks this process has. A child inherits the tables and not the locks.
/// It would be nobody to other programs, which would delete the log under it; and it would go on with the parent's shared
/// memory when others long use a new one. So before a child opens its own it closes what it inherited: that frees the
/// tables, and touches no file, no log and no lock of another process. Only forks outside of calls come here
/// (``ForkGate``), so nothing is half changed.
enum OpenConnections {
  private struct State {
    var process: Int32 = 0
    /// Addresses of connections; only the owner of each uses it.
    var handles: Set<UInt> = []
  }
  private static let state = Mutex(State())

  static func add(_ handle: OpaquePointer) {
    state.withLock { state in
      state.process = system_process()
      state.handles.insert(UInt(bitPattern: handle))
    }
  }

  /// False for one that is the parent's, and closed already.
  static func remove(_ handle: OpaquePointer) -> Bool {
    state.withLock { $0.handles.remove(UInt(bitPattern: handle)) != nil }
  }

  /// Called before each connection is opened.
  static func closeInherited() {
    let process = system_process()
    state.withLock { state in
      guard state.process != process else { return }
      for address in state.handles {
        if let handle = unsafe OpaquePointer(bitPattern: address) { unsafe close(handle) }
      }
      state.handles = []
      state.process = process
    }
  }

  private static func close(_ handle: OpaquePointer) {
    while let statement = unsafe sqlite3_next_stmt(handle, nil) { unsafe sqlite3_finalize(statement) }
    // The log belongs to those who still write it.
    unsafe tt_sqlite3_switch(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    unsafe sqlite3_progress_handler(handle, 0, nil, nil)
    unsafe sqlite3_close_v2(handle)
  }
}
