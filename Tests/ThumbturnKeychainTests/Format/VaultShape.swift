internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

/// What can be compared of two vaults with the same items: every size, and nothing that is random. A byte added anywhere
/// shows here.
enum VaultShape {
  static func of(_ home: FormatHome) throws -> [String] {
    let database = try home.database
    let keybag = try home.bytes("vault/keybag")
    var lines = ["device key \(try home.bytes(home.deviceKey).count)", "keybag \(keybag.count)"]
    var at = 12
    while at < keybag.count - 32 {
      let count = Int(keybag.span.number(at: at + 2, count: 4))
      lines.append("keybag field \(keybag.span.number(at: at, count: 2)) \(count)")
      at += 6 + count
    }
    lines += try home.files().keys.map { $0.prefix { $0 != "-" } + " \($0.count)" }.sorted()
    // Page size, WAL, user_version and application_id.
    let head = Array(try home.bytes(database).prefix(100))
    lines.append("database \(head[16..<20]) \(head[60..<64]) \(head[68..<72])")
    lines += try home.withDatabase { (connection: borrowing Connection) in
      try rows(connection, table: "SELECT name || ' ' || ifnull(sql, '') FROM sqlite_schema ORDER BY name")
        + rows(
          connection,
          table: """
            SELECT 'item ' || id || ' ' || length(uuid) || ' ' || fmt || ' ' || "table" || ' ' || class || ' ' || sync \
            || ' ' || length(pk) || ' ' || length(grp) || ' ' || length(t1) || ' ' || length(t2) || ' ' || length(tags) \
            || ' ' || length(ver) || ' ' || ifnull(length(meta), '-') || ' ' || ifnull(length(secret), '-') \
            FROM items ORDER BY id
            """)
        + rows(connection, table: "SELECT 'blob ' || id || ' ' || length(box) FROM blobs ORDER BY id")
        + rows(connection, table: "SELECT 'header ' || id || ' ' || length(box) FROM header ORDER BY id")
    }
    return lines + (try fields(Vault(location: home.location)))
  }

  private static func rows(_ connection: borrowing Connection, table query: StaticString) throws -> [String] {
    let statement = try connection.prepare(query)
    var lines: [String] = []
    while try statement.step() { lines.append(statement.text(0) ?? "NULL") }
    statement.reset()
    return lines
  }

  /// Number, type and size of every field inside every box.
  private static func fields(_ vault: Vault) throws -> [String] {
    defer { vault.close() }
    return try vault.read { (reader) throws(VaultError) -> [String] in
      var lines: [String] = []
      for itemClass in ItemClass.allCases {
        var groups: [RecordTag] = []
        for group in FixtureItem.caller.accessGroups {
          groups.append(try reader.keys.tag(itemClass, .accessGroup, .text(group)))
        }
        let query = RecordQuery(table: itemClass.rawValue, groups: groups)
        try reader.forEach(query, wantsSecret: true) { (record) throws(VaultError) in
          lines.append("record \(record.rowID) metadata \(try Self.fields(record.fields))")
          lines.append("record \(record.rowID) secret \(try Self.fields(record.openSecret().bytes))")
          return .goOn
        }
      }
      let header = try reader.header()
      return lines + ["rows \(header.rowCount)", "counter \(header.counter)", "epoch \(header.epoch)"]
    }
  }

  private static func fields(_ bytes: Span<UInt8>) throws(VaultError) -> String {
    var walk = RecordFieldWalk()
    var text = ""
    while let place = try walk.next(in: bytes) {
      text += " \(place.number):\(place.kind):\(place.range.count)"
    }
    return text
  }
}
