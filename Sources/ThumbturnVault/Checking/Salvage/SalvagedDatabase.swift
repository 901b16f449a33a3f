internal import ThumbturnCrypto

/// Names and moves of a salvage's files. Each order of steps leaves, wherever a crash ends it, the old database, no database
/// (which every call says aloud, and the next salvage finishes), or the new one; never a new one beside the old log.
enum SalvageFiles {
  /// In the name of an old database that was kept.
  static let keptMark = ".damaged-"
  /// A higher number is not counted on: old databases are kept until somebody removes them, one for each salvage.
  private static let keptNumberMax = 1_000_000

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

  /// Removes what a salvage that failed wrote: a full disk would refuse even reading. Once the old database was moved away
  /// the whole new one stays, for the next salvage to put in place.
  static func discard(_ keybag: Keybag, in folder: Folder) {
    var bases = [temporaryName(keybag)]
    if let facts = try? folder.facts(of: keybag.databaseName), facts.kind == .file { bases.append(wholeName(keybag)) }
    for base in bases {
      for suffix in ["", "-journal", "-wal", "-shm"] { try? folder.remove(base + suffix) }
    }
  }

  /// Refuses a `.salvage` that no salvage of this vault made: it is put in place as it is, and then every call reads it.
  static func checkUnfinished(_ keybag: Keybag, _ keys: RecordKeys, in folder: Folder) throws(VaultError) {
    let name = wholeName(keybag)
    do throws(VaultError) {
      try DatabaseFile.check(name, in: folder)
      // It was closed before it got this name, so it has no log. SQLite must make none now.
      guard let still = try StillDatabase(name, in: folder) else {
        throw VaultError(.damaged, "it has a log, and a salvage leaves none", part: .database)
      }
      let reader = try RecordReader(try DatabaseFile.connect(name, in: folder, .still(still)), keys)
      try reader.header().check(against: keybag, keys)
    } catch { throw error.part == .database ? VaultError(error, fileName: error.fileName ?? name) : error }
  }

  /// Puts the whole new database in the live one's place, and keeps the old one with its log. With the writer lock.
  ///
  /// - Returns: The name under which the old one is kept; nil when there is none.
  static func exchange(_ keybag: Keybag, in folder: Folder) throws(VaultError) -> String? {
    let live = keybag.databaseName
    let last = try lastNumber(keybag, in: folder)
    let next = name(keybag, last + 1)
    var kept: String?
    // The database that was moved before a crash got its name after the new one had its own; an older one has no part in it.
    if let old = try folder.facts(of: name(keybag, last)), let new = try folder.facts(of: wholeName(keybag)),
      old.changedNanoseconds >= new.changedNanoseconds
    {
      kept = name(keybag, last)
    }
    if try folder.facts(of: live) != nil {
      try folder.rename(live, to: next, as: .database)
      kept = next
    }
    if try folder.facts(of: live + "-wal") != nil {
      // A log whose database was moved before a crash follows it, and never joins a database that has one.
      var owner = kept ?? next
      if try folder.facts(of: owner + "-wal") != nil { owner = next }
      try folder.rename(live + "-wal", to: owner + "-wal", as: .database)
    }
    try folder.remove(live + "-shm")
    try folder.synchronize()
    try folder.rename(wholeName(keybag), to: live, as: .database)
    try folder.synchronize()
    return kept
  }

  private static func name(_ keybag: Keybag, _ number: Int) -> String { "\(base(keybag))\(keptMark)\(number).db" }

  /// The highest number of an old database or of a log of one; 0 when none is kept. A number that is free below it stays
  /// free: the log of a later move could come to lie beside another database.
  private static func lastNumber(_ keybag: Keybag, in folder: Folder) throws(VaultError) -> Int {
    let prefix = base(keybag) + keptMark
    var last = 0
    for name in try folder.names() where name.hasPrefix(prefix) {
      let rest = name.dropFirst(prefix.count)
      for suffix in [".db", ".db-wal"] where rest.hasSuffix(suffix) {
        last = max(last, Int(rest.dropLast(suffix.count)) ?? 0)
      }
    }
    guard last < keptNumberMax else {
      throw VaultError(.tooLarge, "too many old databases are kept", part: .vaultFolder)
    }
    return last
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
    try keepCheckValues(salvage, &header)
    header.flags = salvage.header?.flags ?? []
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

  /// Of a class whose key is not in memory the old header alone knows the value that its key must yield.
  private static func keepCheckValues(_ salvage: Salvage, _ header: inout FreshnessHeader) throws(VaultError) {
    let keys = salvage.keys
    for (index, protection) in ProtectionClass.allCases.enumerated()
    where !keys.isOpen(protection) && !keys.isDead(protection) {
      guard let old = salvage.header else {
        throw VaultError(.classKeyLocked, "the header is lost: without it a salvage needs the passcode")
      }
      header.checkValues[index] = old.checkValues[index]
    }
  }
}
