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

  package init(
    isPresent: Bool, itemCount: Int = 0, format: (major: Int, minor: Int) = (0, 0), vaultID: String = "",
    deviceKeyPath: String = "", hasPasscode: Bool = false,
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
    self.openClasses = openClasses
    self.settings = settings
    self.failedAttempts = failedAttempts
    self.secondsToWait = secondsToWait
    self.writeRefusal = writeRefusal
    self.isMemoryLocked = isMemoryLocked
  }
}
