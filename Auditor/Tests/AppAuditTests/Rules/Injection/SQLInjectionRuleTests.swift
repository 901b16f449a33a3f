import Testing

@testable import AppAudit

@Suite("Rule injection.sql")
struct SQLInjectionRuleTests {
  @Test("values in the text of a statement are found, interpolated, added or formatted")
  func put() throws {
    try expectMarkedFindings(
      SQLInjectionRule(),
      [
        "App/D.swift": #"""
        import SQLite3
        func one(_ name: String) {
          sqlite3_exec(database, "SELECT * FROM users WHERE name = '\(name)'", nil, nil, nil) // expect: injection.sql
        }
        func two(_ name: String) throws {
          let statement = "DELETE FROM users WHERE name = '" + name + "'" // expect: injection.sql
          try database.execute(statement)
        }
        func three(_ name: String) {
          let text = String(format: "UPDATE users SET name = '%@'", name) // expect: injection.sql
          queue.executeUpdate(text)
        }
        func five(_ names: [String], _ year: Int) throws {
          let list = names.map { "'\($0)'" }.joined(separator: ",")
          try database.execute("DELETE FROM users WHERE name IN (\(list))") // expect: injection.sql
          try database.execute("DELETE FROM users WHERE name IN (\(names.map { String($0) }.joined()))") // expect: injection.sql
          try database.execute("DELETE FROM users WHERE name = '\(quoted(year, name))'") // expect: injection.sql
        }
        func four(_ name: String, _ group: String) throws {
          try database.execute("INSERT INTO users (name) VALUES (\"\(name)\")") // expect: injection.sql
          try database.execute("SELECT * FROM users WHERE name LIKE '%\(name)%' AND id = \(group)") // expect: injection.sql
        }
        """#,
        "App/D.m": """
        void find(NSString *name) {
          NSString *sql = [NSString stringWithFormat:@"SELECT * FROM users WHERE name = '%@'", name]; // expect: injection.sql
          sqlite3_exec(database, [sql UTF8String], NULL, NULL, NULL);
        }
        """,
      ])
  }

  @Test("bound values, names of tables, numbers, safe literals and other text are silent")
  func bound() throws {
    try expectMarkedFindings(
      SQLInjectionRule(),
      [
        "App/D.swift": #"""
        import SQLite3
        func one(_ name: String, _ id: Int, _ tableName: String, _ year: Int, _ ids: [Int64]) throws {
          sqlite3_prepare_v2(database, "SELECT * FROM users WHERE name = ?", -1, &statement, nil)
          try database.execute(sql: "SELECT * FROM users WHERE name = ?", arguments: [name])
          try database.execute(literal: "SELECT * FROM users WHERE name = \(name)")
          try database.execute("DELETE FROM \(tableName) WHERE id = \(id)")
          try database.execute("SELECT * FROM \(Self.table) WHERE \(Columns.name) IN (\(placeholders))")
          try database.execute("UPDATE users SET \(name) = ? WHERE \(filter)")
          try database.execute("SELECT * FROM \(name) WHERE kind = '\(kind.rawValue)'")
          try database.execute("SELECT * FROM users WHERE born < '\(start(of: year))' AND id = \(start(year))")
          try database.execute("SELECT * FROM users WHERE id IN (\(ids.map { String($0) }.joined(separator: ",")))")
          let known = ids.sorted().map { "\($0)" }.joined(separator: ",")
          try database.execute("SELECT * FROM users WHERE id IN (\(known))")
          try database.execute("Select a file from \(name)")
          show("SELECT * FROM users WHERE name = '\(name)'")
        }
        """#,
        "App/D.m": #"""
        void find(NSString *name, NSString *tableName) {
          NSString *sql = [NSString stringWithFormat:@"DELETE FROM \"%@\" WHERE \"rowid\" = ?;", tableName];
          sqlite3_exec(database, [sql UTF8String], NULL, NULL, NULL);
        }
        """#,
      ])
  }
}
