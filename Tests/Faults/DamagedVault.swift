import Foundation
import ThumbturnKeychain
import ThumbturnVault

/// A vault with damage in it, and what must hold after whatever ends the call that mends it: every other record is there, the
/// damaged one is not thrown away, and whoever goes on gets to the end.
struct DamagedVault {
  enum Damage: String {
    /// A record whose metadata is zeros; SQLite sees nothing wrong.
    case record
    /// A record that was deleted behind our back.
    case deletedRecord
    /// Zeros in place of the file's first 100 bytes: SQLite cannot read it.
    case head
  }

  let damage: Damage
  let picture: Picture
  /// What is left, with the secrets.
  let content: Content
  /// The sealed secret of the damaged record, in hexadecimal.
  let box: String
  /// The database's bytes, damaged as they are.
  let original: [UInt8]

  static let lost = Name(service: "svc", account: "1")

  init(_ damage: Damage, _ setting: Setting) throws {
    let home = setting.scratch + "/damaged-\(damage.rawValue)"
    defer { Files.remove(home) }
    var content: Content = [:]
    var generator = Generator(seed: 4)
    let backend = LocalBackend(location: VaultLocation(home: home))
    for (index, count) in [20, 30, 40, 6_000, 50, 60].enumerated() {
      let change = Change.set(Name(service: "svc", account: "\(index)"), generator.bytes(count))
      try change.run(on: backend)
      change.apply(to: &content)
    }
    backend.close()
    let path = try Self.database(home)
    box = try Self.sqlite(path, "SELECT hex(secret) FROM items WHERE id = 2")
    guard box.utf8.count > 60 else { throw Fault("the record to damage is not there") }
    switch damage {
    case .record: _ = try Self.sqlite(path, "UPDATE items SET meta = zeroblob(length(meta)) WHERE id = 2")
    case .deletedRecord: _ = try Self.sqlite(path, "DELETE FROM items WHERE id = 2")
    case .head:
      var bytes = try Files.read(path)
      bytes.replaceSubrange(0..<100, with: [UInt8](repeating: 0, count: 100))
      try Files.write(bytes, to: path)
    }
    if damage != .head { content[Self.lost] = nil }
    self.damage = damage
    self.content = content
    original = try Files.read(path)
    picture = try Picture(of: home)
  }

  /// Nil when all of it holds.
  ///
  /// - Parameters:
  ///   - allowed: What may be in the vault.
  ///   - isDone: Whether the call said that it mended the vault.
  func fault(at home: String, allowed: [Content], isDone: Bool) -> String? {
    do {
      let backend = LocalBackend(location: VaultLocation(home: home))
      defer { backend.close() }
      var content = try mended(backend, home, allowed, isDone)
      if let fault = content.fault { return fault }
      let probe = Name(service: "probe", account: "after")
      try Change.set(probe, [4]).run(on: backend)
      content.value[probe] = [4]
      guard try backend.content() == content.value else { return "after the mending a write is not there" }
      let report = try backend.check()
      guard report.isClean, report.recordCount == content.value.count else {
        return "after the mending: \(report.findings)"
      }
      backend.close()
      return try strayFile(home)
    } catch let error as KeychainError {
      return "the vault does not go on: \(error.code) \(error)"
    } catch { return "\(error)" }
  }

  /// Goes on as a person would, to a vault without damage.
  private func mended(
    _ backend: LocalBackend, _ home: String, _ allowed: [Content], _ isDone: Bool
  ) throws -> (value: Content, fault: String?) {
    var found: Content?
    do { found = try backend.content() } catch let error as KeychainError {
      guard damage == .head || error.code == .notAvailable && !isDone else { throw error }
    }
    guard let found else {
      // The old file, or none while a salvage was cut off; both say so aloud, and a salvage goes on.
      if isDone { return ([:], "a salvage that said it is done left a vault that does not open") }
      backend.close()
      guard try keepsOriginal(home) else { return ([:], "the old database is gone before a new one is in place") }
      let report = try backend.salvage()
      if report.keptPath == nil { _ = try backend.salvage(replacing: report) }
      let content = try backend.content()
      guard try keepsOriginal(home) else { return ([:], "the salvage that went on did not keep the old database") }
      return (content, allowed.contains(content) ? nil : "the salvage that went on lost undamaged records")
    }
    guard allowed.contains(found) else {
      return ([:], "undamaged records are lost: \(found.count) of \(allowed[0].count)")
    }
    backend.close()
    if let fault = try lostOriginal(home) { return ([:], fault) }
    // The next write clears away what a call that was cut off left, before anybody checks.
    try Change.set(Name(service: "probe", account: "next"), [1, 2]).run(on: backend)
    backend.close()
    // What stands in the quarantine's log stays there until somebody opens it.
    if let fault = try strayFile(home, but: ["quarantine.db-wal", "quarantine.db-shm"]) {
      return ([:], "after the next write: \(fault)")
    }
    if isDone, damage == .record, try Self.boxes(box, in: try Self.database(home), "items") != 0 {
      return ([:], "said to be done, but the damaged record is still in the vault")
    }
    _ = try backend.check(CheckRequest(movesMany: true, accepts: true))
    return (try backend.content(), nil)
  }
}
