internal import ThumbturnCrypto

/// What is looked at before SQLite reads a database: the file is not trusted (VAULT.md §4).
///
/// It is never opened here: closing it again would drop the locks of this process's connections to it.
enum DatabaseFile {
  /// Refuses a file that SQLite must not touch: a journal beside it, a link, another's file.
  static func check(_ name: String, in folder: Folder) throws(VaultError) {
    guard try folder.facts(of: name + "-journal") == nil else {
      throw VaultError(
        .damaged, "a rollback journal beside the database: the vault never makes one", part: .database,
        fileName: name + "-journal")
    }
    for suffix in ["-wal", "-shm"] {
      if let facts = try folder.facts(of: name + suffix) { try check(facts, name + suffix) }
    }
    guard let facts = try folder.facts(of: name) else {
      throw VaultError(.missing, "the database is missing", part: .database, fileName: name)
    }
    try check(facts, name)
    do { try system_faccessat(folder.descriptor, name, writing: false) } catch {
      throw VaultError(error, part: .database, fileName: name)
    }
  }

  /// A second name would be somebody's file that SQLite writes over.
  private static func check(_ facts: FileFacts, _ name: String) throws(VaultError) {
    try Folder.check(facts, as: .database, name)
    guard facts.linkCount == 1 else {
      throw VaultError(.unsafePlace, "the file has a second name", part: .database, fileName: name)
    }
  }

  /// Refuses another program's file and a newer format, before SQLite looks at a page.
  private static func checkHead(
    _ connection: borrowing Connection, _ name: String, _ kind: DatabaseKind
  ) throws(VaultError) {
    let head = try connection.head()
    guard head.span.extracting(0..<15).equals("SQLite format 3".utf8Span.span),
      bigEndian(head.span, at: 68) == kind.applicationID
    else { throw VaultError(.damaged, "the file is no database of a vault", part: .database, fileName: name) }
    // Written once, when the database was made. Without a log SQLite would write into the file itself.
    guard head[18] == 2, head[19] == 2 else {
      throw VaultError(.damaged, "the database is not in WAL mode", part: .database, fileName: name)
    }
    try FormatVersion(packed: bigEndian(head.span, at: 60)).check(.database, fileName: name)
  }

  private static func bigEndian(_ bytes: Span<UInt8>, at: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[at + $1]) }
  }

  /// Checks a database and opens it with the settings that every connection has.
  static func connect(
    _ name: String, in folder: Folder, _ access: DatabaseAccess, _ kind: DatabaseKind = .vault
  ) throws(VaultError) -> Connection {
    try check(name, in: folder)
    let path = try folder.resolvedPath() + "/" + name
    let connection = try Connection(
      path: path, access.isStill ? .immutable : .normal,
      exchangeFolder: kind == .vault && access.isReadWrite ? folder : nil)
    try checkHead(connection, name, kind)
    try connection.execute("PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0")
    if access.isReadWrite { try connection.execute("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON") }
    // Once more, now through SQLite: a newer format may still stand in the log. Before the schema, which it may change.
    try Schema.format(connection).check(.database, fileName: name)
    if !access.isStill, try !Schema.isLogged(connection) {
      throw VaultError(.damaged, "the database is not in WAL mode", part: .database, fileName: name)
    }
    try Schema.check(connection, kind)
    return connection
  }
}
