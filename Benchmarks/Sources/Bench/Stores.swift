internal import Foundation
@_spi(Benchmarks) internal import ThumbturnKeychain
internal import ThumbturnVault

/// A vault and the peer's database with the same number of items, kept between runs.
struct Store {
  /// A store of another seed is not taken.
  private static let seed = "1"
  private static let transactionCount = 10_000

  let count: Int
  let home: String
  var database: String { home + "/raw.db" }
  var location: VaultLocation { Self.location(home) }
  static func location(_ home: String) -> VaultLocation { VaultLocation(home: home) }

  /// Takes the store below `folder`, or makes it; a half-made one is thrown away.
  init(_ count: Int, below folder: String) throws {
    self.count = count
    home = folder + "/\(count)"
    if (try? String(contentsOfFile: stamp, encoding: .utf8)) == stampText { return }
    if FileManager.default.fileExists(atPath: home) { try FileManager.default.removeItem(atPath: home) }
    try FileManager.default.createDirectory(
      atPath: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try fill()
    try setStamp()
  }

  private var stamp: String { home + "/stamp" }
  private var stampText: String { "\(Self.seed) \(count)\n" }
  private func setStamp() throws { try stampText.write(toFile: stamp, atomically: true, encoding: .utf8) }

  /// Runs `body`, which changes the store and puts it back; when it does not come to its end the store is made anew.
  func changing<Result>(_ body: () throws -> Result) throws -> Result {
    try FileManager.default.removeItem(atPath: stamp)
    let result = try body()
    try setStamp()
    return result
  }

  /// Runs `body`, after which the store is made anew.
  func spoiling(_ body: () throws -> Void) throws {
    try FileManager.default.removeItem(atPath: stamp)
    try body()
  }

  private func fill() throws {
    let began = Date()
    let backend = LocalBackend(location: location)
    let peer = Peer(path: database)
    for first in stride(from: 0, to: count, by: Self.transactionCount) {
      let end = min(count, first + Self.transactionCount)
      try backend.addTogether(try (first..<end).map(Items.item), for: Items.caller)
      peer.fill(first, end - first)
    }
    backend.close()
    note("\(count) items seeded in \(plain(Date().timeIntervalSince(began))) s")
  }

  /// Reads both databases once, so that neither side waits for the disk in a read. In another program: whoever opens and
  /// closes such a file beside SQLite drops SQLite's locks on it.
  func warm() throws { _ = try Program.time(["/bin/cat", try vaultDatabase(), database], environment: [:]) }

  /// The vault's database.
  func vaultDatabase() throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: location.vaultFolder)
    guard let name = names.first(where: { $0.hasPrefix("vault-") && $0.hasSuffix(".db") }) else {
      throw Failure("the seeded vault has no database")
    }
    return location.vaultFolder + "/" + name
  }
}

/// What is no row of the table goes to standard error.
func note(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
