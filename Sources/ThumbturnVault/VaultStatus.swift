internal import ThumbturnCrypto

extension Vault {
  /// The 16 bytes of the UUID that the keybag names, to know an agent by; nil when there is none. It is believed in nothing
  /// else, and opens nothing.
  package static func identifierBytes(at location: VaultLocation) -> [UInt8]? {
    guard let folder = try? Folder.open(location.vaultFolder, part: .vaultFolder),
      let descriptor = try? folder.open(Keybag.fileName, as: .keybag),
      let file = try? KeybagFile(descriptor: descriptor), let bytes = try? file.read(),
      let keybag = try? Keybag(decoding: bytes.span)
    else { return nil }
    return keybag.vaultID.array
  }
}

/// What can be said of a vault without a secret.
public struct VaultStatus: Sendable {
  /// Whether there is a vault; false means that the first write makes one.
  public let isPresent: Bool
  /// Number of items, by the authenticated header.
  public let itemCount: Int
  /// The newer of the keybag's and the database's format, major and minor.
  public let format: (major: Int, minor: Int)
  /// The vault's UUID in lower-case hexadecimal with hyphens; empty without a vault.
  public let vaultID: String
  /// Absolute path of the device key's file; empty without a vault.
  public let deviceKeyPath: String
  /// Whether a passcode protects it.
  public let hasPasscode: Bool
  /// Whether it was made for a simulated sensor, by the authenticated header: no finger of a person opens anything in it.
  public let isSimulated: Bool
  /// The protection classes whose key is in the memory of who answers.
  public let openClasses: Set<ProtectionClass>
  /// When the agent locks by itself.
  public let settings: LockSettings
  /// Wrong passcodes since the last right one.
  public let failedAttempts: Int
  /// How long no passcode is tried, in seconds.
  public let secondsToWait: Int
  /// Why nothing can be written now, in words of ours; nil when it can.
  public let writeRefusal: String?
  /// Whether the kernel keeps this process's keys out of swap.
  public let isMemoryLocked: Bool

  /// The 16 bytes of ``vaultID``; none without a vault.
  package var vaultIDBytes: [UInt8] {
    let digits = vaultID.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count & ~1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
  }

  package init(
    isPresent: Bool, itemCount: Int = 0, format: (major: Int, minor: Int) = (0, 0), vaultID: String = "",
    deviceKeyPath: String = "", hasPasscode: Bool = false, isSimulated: Bool = false,
    openClasses: Set<ProtectionClass> = [], settings: LockSettings = LockSettings(), failedAttempts: Int = 0,
    secondsToWait: Int = 0, writeRefusal: String? = nil,
    isMemoryLocked: Bool = false
  ) {
    self.isPresent = isPresent
    self.itemCount = itemCount
    self.format = format
    self.vaultID = vaultID
    self.deviceKeyPath = deviceKeyPath
    self.hasPasscode = hasPasscode
    self.isSimulated = isSimulated
    self.openClasses = openClasses
    self.settings = settings
    self.failedAttempts = failedAttempts
    self.secondsToWait = secondsToWait
    self.writeRefusal = writeRefusal
    self.isMemoryLocked = isMemoryLocked
  }
}
