/// What a database of ours is for; each has its own application id and its own fixed schema.
enum DatabaseKind: Sendable {
  case vault
  case quarantine

  /// At offset 68 of the file.
  var applicationID: UInt32 { self == .vault ? Schema.applicationID : Quarantine.applicationID }
}

/// The tables of a vault's database (VAULT.md §3). The text in the file must be this text: a trigger, a view or a table more
/// is refused before anything is read.
enum Schema {
  /// "TTVT", at offset 68 of the file.
  static let applicationID: UInt32 = 0x5454_5654
  /// Format major and minor, at offset 60 of the file.
  static let userVersion = UInt32(FormatVersion.current.major) << 16 | UInt32(FormatVersion.current.minor)

  static let items: StaticString = """
    CREATE TABLE items(id INTEGER PRIMARY KEY, uuid BLOB NOT NULL UNIQUE, fmt INTEGER NOT NULL, \
    "table" INTEGER NOT NULL, class INTEGER NOT NULL, sync INTEGER NOT NULL, pk BLOB NOT NULL UNIQUE, \
    grp BLOB NOT NULL, t1 BLOB NOT NULL, t2 BLOB NOT NULL, tags BLOB NOT NULL, ver BLOB NOT NULL, \
    meta BLOB, secret BLOB)
    """
  static let firstIndex: StaticString = "CREATE INDEX items_t1_t2 ON items(t1, t2)"
  static let secondIndex: StaticString = "CREATE INDEX items_t2 ON items(t2)"
  static let blobs: StaticString = "CREATE TABLE blobs(id INTEGER PRIMARY KEY, box BLOB NOT NULL)"
  static let header: StaticString = "CREATE TABLE header(id INTEGER PRIMARY KEY, box BLOB NOT NULL)"

  /// Name and text of every object, in the order of their names; an index that SQLite makes for UNIQUE has no text.
  private static var expected: [(name: String, text: String?)] {
    [
      ("blobs", "\(blobs)"), ("header", "\(header)"), ("items", "\(items)"), ("items_t1_t2", "\(firstIndex)"),
      ("items_t2", "\(secondIndex)"), ("sqlite_autoindex_items_1", nil), ("sqlite_autoindex_items_2", nil),
    ]
  }

  /// What a file that is still empty is told first. By way of a journal in memory: SQLite would make one in a file, which
  /// a vault never has, to write down that there is a log from now on.
  static let settingsOfNew: StaticString = """
    PRAGMA journal_mode = MEMORY; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON
    """

  static func create(_ connection: borrowing Connection) throws(VaultError) {
    for text in [items, firstIndex, secondIndex, blobs, header] { try connection.execute(text) }
    try connection.execute("PRAGMA application_id = 0x54545654")
    try connection.execute("PRAGMA user_version = 0x00010000")
  }

  /// The format that the database has now, its log included.
  static func format(_ connection: borrowing Connection) throws(VaultError) -> FormatVersion {
    let version = try connection.prepare("PRAGMA user_version")
    defer { version.reset() }
    guard try version.step() else { throw VaultError(.damaged, "the database has no format", part: .database) }
    return FormatVersion(packed: UInt32(truncatingIfNeeded: version.number(0)))
  }

  /// Whether the connection is in WAL mode.
  static func isLogged(_ connection: borrowing Connection) throws(VaultError) -> Bool {
    let mode = try connection.prepare("PRAGMA journal_mode")
    defer { mode.reset() }
    return try mode.step() && mode.text(0) == "wal"
  }

  /// Refuses a file whose schema is not ours.
  static func check(_ connection: borrowing Connection, _ kind: DatabaseKind) throws(VaultError) {
    let objects = try connection.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name")
    defer { objects.reset() }
    for wanted in kind == .vault ? expected : Quarantine.expected {
      guard try objects.step(), objects.text(0) == wanted.name, objects.text(1) == wanted.text else {
        throw VaultError(.damaged, "the database's schema is not ours", part: .database)
      }
    }
    guard try !objects.step() else { throw VaultError(.damaged, "the database's schema is not ours", part: .database) }
  }
}
