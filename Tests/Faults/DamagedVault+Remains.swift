import Foundation

// What is left of the damaged record and of the old file.
extension DamagedVault {
  func lostOriginal(_ home: String) throws -> String? {
    guard damage == .record, try !keepsOriginal(home) else { return nil }
    let vaultCount = try Self.boxes(box, in: try Self.database(home), "items")
    let quarantine = home + "/vault/quarantine.db"
    let isThere = FileManager.default.fileExists(atPath: quarantine)
    let quarantineCount = isThere ? try Self.boxes(box, in: quarantine, "records") : 0
    if vaultCount + quarantineCount == 0 { return "the damaged record is neither in the vault nor in quarantine" }
    return quarantineCount > 1 ? "the damaged record is in quarantine \(quarantineCount) times" : nil
  }

  /// Whether the damaged database is kept, byte for byte, under its own name or another.
  func keepsOriginal(_ home: String) throws -> Bool {
    let folder = home + "/vault"
    return try FileManager.default.contentsOfDirectory(atPath: folder).contains { name in
      try name.hasSuffix(".db") && Files.read("\(folder)/\(name)") == original
    }
  }

  func strayFile(_ home: String, but others: [String] = []) throws -> String? {
    let known = ["keybag", "seat.lock", "writer.lock", "quarantine.db"] + others
    let names = try FileManager.default.contentsOfDirectory(atPath: home + "/vault").filter { name in
      !known.contains(name)
        && !(name.hasPrefix("vault-") && name.hasSuffix(".db"))
    }
    return names.isEmpty ? nil : "stray files: \(names.sorted())"
  }

  static func database(_ home: String) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: home + "/vault")
    // "vault-", 32 digits, ".db"
    guard let name = names.first(where: { $0.hasPrefix("vault-") && $0.hasSuffix(".db") && $0.utf8.count == 41 }) else {
      throw Fault("there is no database")
    }
    return "\(home)/vault/\(name)"
  }

  static func boxes(_ box: String, in path: String, _ table: String) throws -> Int {
    let answer = try sqlite(path, "SELECT count(*) FROM \(table) WHERE secret = X'\(box)'")
    guard let count = Int(answer) else { throw Fault("sqlite3 answered \(answer)") }
    return count
  }

  /// SQLite's own program, so that the engine is not its own judge; a process of its own, so that no lock of ours is lost.
  static func sqlite(_ path: String, _ line: String) throws -> String {
    let folder = NSTemporaryDirectory()
    let ending = try Child(["/usr/bin/sqlite3", path, line], environment: ["HOME": folder], scratch: folder).wait()
    guard ending.exitCode == 0 else { throw Fault("sqlite3: \(ending.errorText)") }
    return String(decoding: ending.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
