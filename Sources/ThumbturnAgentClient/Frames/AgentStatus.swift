public import ThumbturnVault

/// What the agent says of itself and its vault; nothing in it is a secret.
public struct AgentStatus: Hashable, Sendable {
  /// Whether the classes *when unlocked* can be read.
  public enum LockState: Hashable, Sendable {
    /// Nobody gave the passcode since the agent started.
    case beforeFirstUnlock
    case unlocked
    /// Locked, but keys stay for so many seconds more.
    case locking(secondsLeft: Int)
    case locked
  }

  /// The version of the protocol.
  public var version: UInt16
  /// The agent's process.
  public var process: Int32
  /// The 16 bytes of the vault's UUID.
  public var vaultID: [UInt8]
  /// Whether a passcode is set.
  public var hasPasscode = false
  /// Whether items can be read.
  public var lockState = LockState.unlocked
  /// The protection classes whose keys are in memory, in ascending order of their raw values.
  public var openClasses: [ProtectionClass] = []
  /// Seconds until it locks by itself when nobody calls; nil when it does not.
  public var secondsUntilIdleLock: Int?
  /// How long keys stay after a lock, in seconds.
  public var graceSeconds = 0
  /// How long nobody may call before it locks, in seconds; 0 is never.
  public var idleSeconds = 0
  /// Wrong passcodes since the last right one.
  public var failedAttempts = 0
  /// Seconds until the next passcode is looked at.
  public var secondsToWait = 0
  /// Absolute path of the device key's file.
  public var deviceKeyPath = ""
  /// Whether the kernel keeps the agent's keys out of swap.
  public var isMemoryLocked = false
  /// Whether it hears when the session locks or the machine goes to sleep.
  public var listensToLogind = false
  /// Number of items.
  public var itemCount = 0
  /// The vault's format.
  public var formatMajor = 0
  /// The vault's minor format.
  public var formatMinor = 0
  /// Whether the vault was made for a simulated fingerprint reader.
  public var isSimulated = false

  /// A status with nothing but who answers.
  ///
  /// - Parameter vaultID: 16 bytes.
  public init(process: Int32, vaultID: [UInt8]) {
    version = FrameLimits.version
    self.process = process
    self.vaultID = vaultID
  }
}

extension AgentStatus {
  func write(to fields: inout FieldWriter) {
    fields.number(1, UInt64(version))
    fields.size(2, Int(process))
    fields.bytes(3, vaultID, countMax: FrameLimits.vaultIDCount)
    fields.flag(4, hasPasscode)
    let (state, left): (UInt64, Int?) =
      switch lockState {
      case .beforeFirstUnlock: (0, nil)
      case .unlocked: (1, nil)
      case .locking(let secondsLeft): (2, secondsLeft)
      case .locked: (3, nil)
      }
    fields.number(5, state)
    if let left { fields.size(6, left) }
    fields.bytes(7, openClasses.map(\.rawValue).sorted(), countMax: ProtectionClass.allCases.count)
    if let secondsUntilIdleLock { fields.size(8, secondsUntilIdleLock) }
    fields.size(9, graceSeconds)
    fields.size(10, idleSeconds)
    fields.size(11, failedAttempts)
    fields.size(12, secondsToWait)
    fields.text(13, deviceKeyPath)
    fields.flag(14, isMemoryLocked)
    fields.flag(15, listensToLogind)
    fields.size(16, itemCount)
    fields.size(17, formatMajor)
    fields.size(18, formatMinor)
    fields.flag(19, isSimulated)
  }

  init(_ fields: consuming FieldReader, in bytes: Span<UInt8>) throws(FrameError) {
    guard let version = UInt16(exactly: try fields.number(1, in: bytes)),
      let process = Int32(exactly: try fields.number(2, in: bytes))
    else { throw .wrongValue }
    let vaultID = try fields.bytes(3, countMax: FrameLimits.vaultIDCount, in: bytes)
    guard vaultID.count == FrameLimits.vaultIDCount else { throw .wrongSize }
    self.init(process: process, vaultID: vaultID)
    self.version = version
    hasPasscode = try fields.flag(4, in: bytes)
    let state = try fields.number(5, in: bytes)
    switch state {
    case 0: lockState = .beforeFirstUnlock
    case 1: lockState = .unlocked
    case 2: lockState = .locking(secondsLeft: try fields.size(6, in: bytes))
    case 3: lockState = .locked
    default: throw .wrongValue
    }
    var last: UInt8 = 0
    for raw in try fields.bytes(7, countMax: ProtectionClass.allCases.count, in: bytes) {
      guard raw > last else { throw .wrongValue }
      last = raw
      openClasses.append(try ProtectionClass(wire: UInt64(raw)))
    }
    if let seconds = try fields.optionalNumber(8, in: bytes) {
      guard let seconds = Int(exactly: seconds) else { throw .wrongValue }
      secondsUntilIdleLock = seconds
    }
    graceSeconds = try fields.size(9, in: bytes)
    idleSeconds = try fields.size(10, in: bytes)
    failedAttempts = try fields.size(11, in: bytes)
    secondsToWait = try fields.size(12, in: bytes)
    deviceKeyPath = try fields.text(13, in: bytes)
    isMemoryLocked = try fields.flag(14, in: bytes)
    listensToLogind = try fields.flag(15, in: bytes)
    itemCount = try fields.size(16, in: bytes)
    formatMajor = try fields.size(17, in: bytes)
    formatMinor = try fields.size(18, in: bytes)
    isSimulated = try fields.flag(19, in: bytes)
    try fields.end()
  }
}
