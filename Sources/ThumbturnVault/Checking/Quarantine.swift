internal import ThumbturnCrypto

/// Where the quarantine of a vault is, and whose records go into it.
struct QuarantinePlace: Sendable {
  let folder: Folder
  let keySetID: Identifier
}

/// `quarantine.db`: damaged records as they stood in the vault, ciphertext as it was, so that nothing that might still be
/// of use is thrown away (VAULT.md §4). Opened, with the writer lock, only while records are moved into it.
final class Quarantine {
  static let fileName = "quarantine.db"
  /// While it is made.
  static let temporaryName = "quarantine.new"
  /// "TTVQ", at offset 68 of the file.
  static let applicationID: UInt32 = 0x5454_5651

  static let records: StaticString = """
    CREATE TABLE records(id INTEGER PRIMARY KEY, keyset BLOB NOT NULL, "row" INTEGER NOT NULL, uuid, fmt, "table", \
    class, sync, pk, grp, t1, t2, tags, ver, meta, secret, metablob, secretblob)
    """
  /// So that a record that is in it already is found without reading all of it.
  static let rows: StaticString = "CREATE INDEX records_row ON records(\"row\")"
  static var expected: [(name: String, text: String?)] { [("records", "\(records)"), ("records_row", "\(rows)")] }

  private let connection: Connection
  private let keySetID: Identifier

  /// Opens it, and makes it when it is not there. With the writer lock.
  init(_ place: QuarantinePlace) throws(VaultError) {
    keySetID = place.keySetID
    do throws(VaultError) {
      if try place.folder.facts(of: Self.fileName) == nil { try Self.make(in: place.folder) }
      connection = try DatabaseFile.connect(
        Self.fileName, in: place.folder, .readWrite, .quarantine)
    } catch { throw Self.naming(error) }
  }

  /// How many records are in it. Without the writer lock; zero when there is none.
  static func count(in folder: Folder) throws(VaultError) -> Int {
    guard try folder.facts(of: fileName) != nil else { return 0 }
    do throws(VaultError) {
      let isFolderWritable = try folder.writeRefusal() == nil
      let access = try DatabaseAccess(to: fileName, in: folder, isFolderWritable: isFolderWritable)
      let connection = try DatabaseFile.connect(fileName, in: folder, access, .quarantine)
      let ids = try connection.prepare("SELECT id FROM records ORDER BY id")
      defer { ids.reset() }
      var count = 0
      var last: Int64?
      while try ids.step() {
        // A page that was made to stand in the tree twice.
        if let last, ids.number(0) <= last {
          throw VaultError(.damaged, "it names a record twice", part: .database)
        }
        last = ids.number(0)
        count += 1
      }
      return count
    } catch { throw naming(error) }
  }

  /// Takes rows in; on the disk when this returns. One that is in it already, from a move that was cut off before the
  /// vault's own commit, is not taken twice.
  func take(_ rows: [RawRow]) throws(VaultError) {
    do throws(VaultError) {
      try connection.execute("BEGIN IMMEDIATE")
      do throws(VaultError) {
        let insert = try connection.prepare(
          """
          INSERT INTO records(keyset, "row", uuid, fmt, "table", class, sync, pk, grp, t1, t2, tags, ver, meta, secret, \
          metablob, secretblob) \
          SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17 WHERE NOT EXISTS(\
          SELECT 1 FROM records WHERE keyset IS ?1 AND "row" IS ?2 AND uuid IS ?3 AND fmt IS ?4 AND "table" IS ?5 AND \
          class IS ?6 AND sync IS ?7 AND pk IS ?8 AND grp IS ?9 AND t1 IS ?10 AND t2 IS ?11 AND tags IS ?12 AND \
          ver IS ?13 AND meta IS ?14 AND secret IS ?15 AND metablob IS ?16 AND secretblob IS ?17)
          """)
        for row in rows {
          let keySet = keySetID.bytes
          insert.bind(1, keySet.span)
          insert.bind(2, row.id)
          for (index, value) in (row.values + [row.metadataBlob, row.secretBlob]).enumerated() {
            insert.bind(Int32(index + 3), value)
          }
          try insert.run()
        }
        try connection.execute("COMMIT")
      } catch {
        try? connection.execute("ROLLBACK")
        throw error
      }
    } catch { throw Self.naming(error) }
  }

  /// Under another name until it is whole; what a crash left there is empty.
  private static func make(in folder: Folder) throws(VaultError) {
    for suffix in ["", "-journal", "-wal", "-shm"] { try folder.remove(temporaryName + suffix) }
    system_close(try folder.create(temporaryName, as: .database))
    do {
      let connection = try Connection(path: try folder.resolvedPath() + "/" + temporaryName, .normal)
      try connection.execute(Schema.settingsOfNew)
      try connection.execute("BEGIN IMMEDIATE")
      try connection.execute(records)
      try connection.execute(rows)
      try connection.execute("PRAGMA application_id = 0x54545651")
      try connection.execute("PRAGMA user_version = 0x00010000")
      try connection.execute("COMMIT")
      guard try connection.truncateLog() else {
        throw VaultError(.writerBusy, "another process keeps the new quarantine", part: .database)
      }
    }
    try folder.rename(temporaryName, to: fileName, as: .database)
    try folder.synchronize()
  }

  private static func naming(_ error: VaultError) -> VaultError {
    error.part == .database && error.fileName == nil ? VaultError(error, fileName: fileName) : error
  }
}
