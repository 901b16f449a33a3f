internal import CSQLite
internal import ThumbturnCrypto

/// One SQLite connection, made without SQLite's own mutex: one owner at a time.
@safe
struct Connection: ~Copyable {
  private let handle: OpaquePointer
  /// What ends a step that does not come to an end.
  let clock = StepClock()
  /// The folder whose writer lock is taken for the end of this connection: see `deinit`.
  private let exchangeFolder: Folder?

  enum Opening: Sendable { case normal, immutable }

  /// Opens an existing file, hardened: no links followed, no schema trusted, no trigger or view run.
  ///
  /// - Parameters:
  ///   - path: Absolute, without links; SQLite's URI characters in it are escaped.
  ///   - exchangeFolder: The vault's folder, for a database that a salvage may exchange for another of its name.
  init(path: String, _ opening: Opening, exchangeFolder: Folder? = nil) throws(VaultError) {
    let access = opening == .immutable ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI
    let uri = "file:" + Self.escaped(path) + (opening == .immutable ? "?immutable=1" : "")
    try VaultFileSystem.register()
    OpenConnections.closeInherited()
    var made: OpaquePointer?
    let status = unsafe sqlite3_open_v2(uri, &made, flags, "\(VaultFileSystem.name)")
    guard status == SQLITE_OK, let handle = unsafe made else {
      unsafe sqlite3_close(made)
      throw VaultError(sqlite: status)
    }
    unsafe self.handle = handle
    self.exchangeFolder = exchangeFolder
    unsafe OpenConnections.add(handle)
    // One second: for another connection's recovery, and for readers in the way of a checkpoint. The writer lock keeps
    // writers apart before SQLite does.
    unsafe sqlite3_busy_timeout(handle, 1_000)
    unsafe clock.watch(handle)
    let switches = [
      (SQLITE_DBCONFIG_DEFENSIVE, Int32(1)), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
      (SQLITE_DBCONFIG_ENABLE_VIEW, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
    ]
    for (which, on) in switches { unsafe tt_sqlite3_switch(handle, which, on) }
    unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(RecordLimits.boxCountMax))
  }

  /// Runs SQL text that is a literal of ours.
  borrowing func execute(_ sql: StaticString) throws(VaultError) {
    clock.begin()
    let status = unsafe sqlite3_exec(handle, "\(sql)", nil, nil, nil)
    guard status == SQLITE_OK else { throw VaultError(sqlite: status) }
  }

  /// Compiles SQL text once, to be kept.
  borrowing func prepare(_ sql: StaticString) throws(VaultError) -> Statement {
    // The first one reads the schema.
    clock.begin()
    var made: OpaquePointer?
    let status = unsafe sqlite3_prepare_v3(handle, "\(sql)", -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
    guard status == SQLITE_OK, let statement = unsafe made else { throw VaultError(sqlite: status) }
    return unsafe Statement(handle: statement, clock: clock)
  }

  /// The first 100 bytes of the file, which SQLite has not looked into before the first statement;
  /// zeros where it has fewer.
  borrowing func head() throws(VaultError) -> InlineArray<100, UInt8> {
    var head = InlineArray<100, UInt8>(repeating: 0)
    var out = head.mutableSpan
    let status = unsafe out.withUnsafeMutableBytes { bytes in
      unsafe tt_sqlite3_read_head(handle, bytes.baseAddress, Int32(bytes.count))
    }
    guard status == SQLITE_OK else { throw VaultError(sqlite: status) }
    return head
  }

  /// The size of the file in bytes, without looking into it.
  borrowing func fileCount() throws(VaultError) -> Int {
    var count: Int64 = 0
    let status = unsafe tt_sqlite3_file_size(handle, &count)
    guard status == SQLITE_OK else { throw VaultError(sqlite: status) }
    return Int(count)
  }

  /// `count` bytes of the file at `offset`, read past SQLite's pages; zeros where it has none.
  borrowing func bytes(at offset: Int, count: Int) throws(VaultError) -> [UInt8] {
    var out = [UInt8](repeating: 0, count: count)
    let status = unsafe out.withUnsafeMutableBytes { bytes in
      unsafe tt_sqlite3_read_at(handle, bytes.baseAddress, Int32(bytes.count), Int64(offset))
    }
    guard status == SQLITE_OK else { throw VaultError(sqlite: status) }
    return out
  }

  /// The row id of the last insert.
  var lastRowID: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

  /// Moves the write-ahead log into the database and cuts it to nothing. False when a reader is in the way.
  borrowing func truncateLog() throws(VaultError) -> Bool {
    let status = unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    if status & 0xFF == SQLITE_BUSY || status & 0xFF == SQLITE_LOCKED { return false }
    guard status == SQLITE_OK else { throw VaultError(sqlite: status) }
    return true
  }

  deinit {
    guard unsafe OpenConnections.remove(handle) else { return }
    unsafe sqlite3_progress_handler(handle, 0, nil, nil)
    // The last connection removes the log, by its name. When a salvage has just put another database there, that would be
    // the other's log: so the log goes only under the writer lock, where SQLite's own look at the file holds until it is
    // gone. Without the lock, or with statements that would put off the end, it stays, and the next one takes it over.
    let lock = exchangeFolder.flatMap { try? WriterLock(in: $0) }
    let isAlone = exchangeFolder == nil || (try? lock?.takeNow()) == true
    if unsafe !isAlone || (exchangeFolder != nil && sqlite3_next_stmt(handle, nil) != nil) {
      unsafe tt_sqlite3_switch(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }
    unsafe sqlite3_close_v2(handle)
    if isAlone { lock?.give() }
  }

  private static func escaped(_ path: String) -> String {
    var out = ""
    for character in path.unicodeScalars {
      switch character {
      case "%": out += "%25"
      case "?": out += "%3f"
      case "#": out += "%23"
      default: out.unicodeScalars.append(character)
      }
    }
    return out
  }
}

/// One prepared statement, made once and kept.
@safe
struct Statement: ~Copyable {
  private let handle: OpaquePointer

  private let clock: StepClock

  fileprivate init(handle: OpaquePointer, clock: StepClock) {
    unsafe self.handle = handle
    self.clock = clock
  }

  /// Binds a copy of `bytes`.
  borrowing func bind(_ index: Int32, _ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBytes { bytes in
      // An empty blob, and not NULL, needs an address.
      if let address = bytes.baseAddress {
        _ = unsafe tt_sqlite3_bind_copy(handle, index, address, Int32(bytes.count))
      } else {
        _ = unsafe sqlite3_bind_zeroblob(handle, index, 0)
      }
    }
  }
  borrowing func bind(_ index: Int32, _ number: Int64) { unsafe sqlite3_bind_int64(handle, index, number) }
  borrowing func bindNull(_ index: Int32) { unsafe sqlite3_bind_null(handle, index) }

  /// Goes to the next row; false when there is none.
  borrowing func step() throws(VaultError) -> Bool {
    clock.begin()
    let status = unsafe sqlite3_step(handle)
    if status == SQLITE_ROW { return true }
    guard status == SQLITE_DONE else {
      unsafe sqlite3_reset(handle)
      throw VaultError(sqlite: status)
    }
    return false
  }

  /// Runs to the end a statement that gives no rows.
  borrowing func run() throws(VaultError) {
    defer { reset() }
    _ = try step()
  }

  /// Makes ready for the next use and lets go of what was bound.
  borrowing func reset() {
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
  }

  borrowing func number(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }
  borrowing func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// A column as it stands in the file, whatever its type.
  borrowing func value(_ column: Int32) -> RawValue {
    switch unsafe sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer(number(column))
    case SQLITE_FLOAT: .real(unsafe sqlite3_column_double(handle, column).bitPattern)
    case SQLITE_TEXT: .text(bytes(column))
    case SQLITE_BLOB: .blob(bytes(column))
    default: .null
    }
  }

  private borrowing func bytes(_ column: Int32) -> [UInt8] {
    let address = unsafe sqlite3_column_blob(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe Array(UnsafeRawBufferPointer(start: address, count: address == nil ? 0 : count))
  }

  /// Binds a value as it stood in a file.
  borrowing func bind(_ index: Int32, _ value: RawValue) {
    switch value {
    case .null: bindNull(index)
    case .integer(let number): bind(index, number)
    case .real(let bits): unsafe sqlite3_bind_double(handle, index, Double(bitPattern: bits))
    case .blob(let bytes): bind(index, bytes.span)
    // As a blob: text that is no UTF-8 would not come back as it was.
    case .text(let bytes): bind(index, bytes.span)
    }
  }

  /// The bytes of a column, alive until the next step or reset.
  @_lifetime(borrow self)
  borrowing func blob(_ column: Int32) -> Span<UInt8> {
    let address = unsafe sqlite3_column_blob(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    let span = unsafe Span<UInt8>(
      _unsafeBytes: UnsafeRawBufferPointer(start: address, count: address == nil ? 0 : count))
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// The text of a column, or nil.
  borrowing func text(_ column: Int32) -> String? {
    guard let text = unsafe sqlite3_column_text(handle, column) else { return nil }
    return unsafe String(cString: text)
  }

  deinit { unsafe sqlite3_finalize(handle) }
}

extension VaultError {
  /// What a status of SQLite's means to the vault. Extended codes keep their primary code in the low byte.
  init(sqlite status: Int32, fileID: String = #fileID, line: UInt = #line) {
    let (code, reason): (Code, StaticString) =
      switch status & 0xFF {
      // Shared memory of 32 KiB is made at the first look, also for reading.
      case SQLITE_IOERR where status == SQLITE_IOERR | (19 << 8): (.diskFull, "no space left on the disk")
      case SQLITE_FULL: (.diskFull, "no space left on the disk")
      case SQLITE_READONLY: (.readOnly, "the database cannot be written")
      case SQLITE_PERM, SQLITE_AUTH: (.notAllowed, "the file system refused the database")
      case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_SCHEMA, SQLITE_ERROR, SQLITE_MISMATCH:
        (.damaged, "SQLite cannot make sense of it")
      case SQLITE_INTERRUPT: (.damaged, "reading it came to no end")
      case SQLITE_NOMEM: (.outOfMemory, "no memory for the database")
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: (.writerBusy, "another process keeps the database")
      case SQLITE_TOOBIG: (.tooLarge, "a record is too large")
      case SQLITE_CONSTRAINT: (.duplicate, "a record with this primary key exists")
      case SQLITE_CANTOPEN: (.inputOutput, "SQLite cannot open it")
      default: (.inputOutput, "the disk gave an error")
      }
    self.init(code, reason, part: .database, fileID: fileID, line: line)
  }
}
