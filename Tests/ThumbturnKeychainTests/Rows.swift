internal import Foundation
internal import TestFixtures
internal import Testing
internal import ThumbturnVault

/// The database as somebody with the sqlite3 program sees it, who has the files and no key.
struct Rows {
  let home: TemporaryHome
  let database: String

  init(_ home: TemporaryHome) throws {
    self.home = home
    let name = try home.names(in: home.location.vaultFolder).first { $0.hasPrefix("vault-") && $0.hasSuffix(".db") }
    database = home.location.vaultFolder + "/" + (try #require(name))
  }

  /// Another database of the home.
  init(path: String, _ home: TemporaryHome) {
    self.home = home
    database = path
  }

  /// Runs SQL and returns the lines that it prints.
  @discardableResult
  func run(_ sql: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    process.arguments = [database, sql]
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let answer = try output.fileHandleForReading.readToEnd() ?? Data()
    let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(String(decoding: complaint, as: UTF8.self))")
    return String(decoding: answer, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// A column of every row, blobs in hexadecimal.
  func values(of column: String) throws -> [String] { try run("SELECT hex(\(column)) FROM items ORDER BY id") }

  /// Parts of every metadata and secret box, inline or not, long enough to be found and short enough to lie in one page.
  func boxes() throws -> [Data] {
    let lines = try run(
      """
      SELECT hex(substr(meta, 20, 60)) FROM items WHERE meta IS NOT NULL UNION ALL \
      SELECT hex(substr(secret, 20, 60)) FROM items WHERE secret IS NOT NULL UNION ALL \
      SELECT hex(substr(box, 20, 60)) FROM blobs
      """)
    return lines.map { line in
      let values = line.compactMap(\.hexDigitValue)
      return Data(stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) })
    }
  }
}
