internal import ThumbturnCrypto

/// Names and moves of a salvage's files. Each order of steps leaves, wherever a crash ends it, the old database, no database
/// (which every call says aloud, and the next salvage finishes), or the new one; never a new one beside the old log.
enum SalvageFiles {
  /// In the name of an old database that was kept.
  static let keptMark = ".damaged-"
  private static let keptCountMax = 1_000

  /// While it is written.
  static func temporaryName(_ keybag: Keybag) -> String { base(keybag) + ".salvage.tmp" }
  /// Once it is whole and confirmed.
  static func wholeName(_ keybag: Keybag) -> String { base(keybag) + ".salvage" }
  private static func base(_ keybag: Keybag) -> String { "vault-\(keybag.keySetID.hexadecimal)" }

  /// Whether a confirmed salvage was cut off between taking the old database away and putting the new one there.
  static func isUnfinished(_ keybag: Keybag, in folder: Folder) throws(VaultError) -> Bool {
    guard try folder.facts(of: keybag.databaseName) == nil else { return false }
    return try folder.facts(of: wholeName(keybag)) != nil
  }

  /// Puts the whole new database in the live one's place, and keeps the old one with its log. With the writer lock.
  ///
  /// - Returns: The name under which the old one is kept; nil when it was kept before.
  static func exchange(_ keybag: Keybag, in folder: Folder) throws(VaultError) -> String? {
    let live = keybag.databaseName
    let kept = try freeName(keybag, in: folder)
    let hasOld = try folder.facts(of: live) != nil
    if hasOld { try folder.rename(live, to: kept, as: .database) }
    if try folder.facts(of: live + "-wal") != nil {
      // A log whose database was moved before a crash follows it.
      let name = hasOld ? kept : try lastName(keybag, in: folder) ?? kept
      try folder.rename(live + "-wal", to: name + "-wal", as: .database)
    }
    try folder.remove(live + "-shm")
    try folder.synchronize()
    try folder.rename(wholeName(keybag), to: live, as: .database)
    try folder.synchronize()
    return hasOld ? kept : try lastName(keybag, in: folder)
  }

  private static func name(_ keybag: Keybag, _ number: Int) -> String { "\(base(keybag))\(keptMark)\(number).db" }

  private static func freeName(_ keybag: Keybag, in folder: Folder) throws(VaultError) -> String {
    for number in 1...keptCountMax where try folder.facts(of: name(keybag, number)) == nil {
      return name(keybag, number)
    }
    throw VaultError(.tooLarge, "too many old databases are kept", part: .vaultFolder)
  }

  private static func lastName(_ keybag: Keybag, in folder: Folder) throws(VaultError) -> String? {
    for number in stride(from: keptCountMax, to: 0, by: -1) where try folder.facts(of: name(keybag, number)) != nil {
      return name(keybag, number)
    }
    return nil
  }
}

/// Writes what a salvage found into a new database.
enum SalvagedDatabase {
  /// Rows of one transaction.
  private static let batchCount = 10_000

  /// On the disk and whole under its own name when this returns. With the writer lock.
  static func make(_ salvage: Salvage, _ keybag: Keybag, in folder: Folder) throws(VaultError) {
    let temporary = SalvageFiles.temporaryName(keybag)
    let whole = SalvageFiles.wholeName(keybag)
    for name in [temporary, whole] {
      for suffix in ["", "-journal", "-wal", "-shm"] { try folder.remove(name + suffix) }
    }
    system_close(try folder.create(temporary, as: .database))
    do throws(VaultError) {
      try write(salvage, keybag, to: try folder.resolvedPath() + "/" + temporary)
    } catch { throw error.part == .database ? VaultError(error, fileName: temporary) : error }
    try folder.rename(temporary, to: whole, as: .database)
    try folder.synchronize()
  }

  private static func write(_ salvage: Salvage, _ keybag: Keybag, to path: String) throws(VaultError) {
    let connection = try Connection(path: path, .normal)
    try connection.execute(Schema.settingsOfNew)
    try connection.execute("BEGIN IMMEDIATE")
    try Schema.create(connection)
    let item = try connection.prepare(
      """
      INSERT INTO items(id, uuid, fmt, "table", class, sync, pk, grp, t1, t2, tags, ver, meta, secret) \
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
      """)
    let blob = try connection.prepare("INSERT INTO blobs(id, box) VALUES(?1, ?2)")
    var header = try FreshnessHeader(keybag, salvage.keys)
    header.flags = salvage.header?.flags ?? 0
    header.epoch = salvage.header?.epoch ?? 0
    header.counter = max(salvage.header?.counter ?? 0, salvage.winners.map(\.commit).max() ?? 0) &+ 1
    var lastID: Int64 = 0
    for (index, found) in salvage.winners.enumerated() {
      guard let row = try salvage.row(found) else {
        throw VaultError(.inputOutput, "the old database changed meanwhile", part: .database)
      }
      // The order is kept; an id that is lost, taken twice or out of range becomes the next one.
      lastID = found.rowID.flatMap { $0 > lastID && $0 < 1 << 61 ? $0 : nil } ?? lastID + 1
      item.bind(1, lastID)
      for (column, value) in row.typedValues.enumerated() { item.bind(Int32(column + 2), value) }
      try item.run()
      for (id, value) in [(lastID * 2, row.metadataBlob), (lastID * 2 + 1, row.secretBlob)] where !value.isNull {
        blob.bind(1, id)
        blob.bind(2, value)
        try blob.run()
      }
      header.add(found.leaf)
      header.rowCount += 1
      if (index + 1).isMultiple(of: batchCount) { try connection.execute("COMMIT; BEGIN IMMEDIATE") }
    }
    let box = try header.sealed(salvage.keys)
    let insert = try connection.prepare("INSERT INTO header(id, box) VALUES(1, ?1)")
    insert.bind(1, box.span)
    try insert.run()
    try connection.execute("COMMIT")
    guard try connection.truncateLog() else {
      throw VaultError(.writerBusy, "another process keeps the new database", part: .database)
    }
  }
}
