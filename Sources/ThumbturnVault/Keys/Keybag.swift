/// The small file with the wrapped keys (VAULT.md §2). Its fields stand in Documentation/vault-format.md.
struct Keybag: Hashable, Sendable {
  /// One key of the key set, wrapped.
  struct Wrap: Hashable, Sendable {
    let role: KeyRole
    let bytes: [UInt8]
  }

  static let fileName = "keybag"
  /// The name of a first keybag until everything that it names is on the disk.
  static let newFileName = "keybag.new"
  /// The name of the next keybag until it takes the place of the one that is there.
  static let nextFileName = "keybag.next"
  /// Far above any keybag that is ever written; a larger file is none.
  static let fileCountMax = 65_536

  var format = FormatVersion.current
  var vaultID: Identifier
  /// Counts the keybags of this vault, from 1.
  var number: UInt64
  var id: Identifier
  var predecessor: Identifier
  var deviceKeyID: Identifier
  var keySetID: Identifier
  /// How the passcode becomes a key; nil when none is set.
  var derivation: PasscodeDerivation? = nil
  var wraps: [Wrap]
  /// Classes whose key was destroyed: their records are gone, and find treats them as absent.
  var dead: Set<ProtectionClass>
  /// Files that the next writer removes, and no others.
  var removals: [String] = []
  var settings = LockSettings()

  /// The database of this key set.
  var databaseName: String { Self.databaseName(keySetID) }
  static func databaseName(_ keySet: Identifier) -> String { "vault-\(keySet.hexadecimal).db" }
}
