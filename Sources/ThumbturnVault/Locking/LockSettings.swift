internal import ThumbturnCrypto

/// When the agent locks by itself. Stands in the keybag, under its MAC; absent there means these defaults.
public struct LockSettings: Hashable, Sendable {
  /// Seconds between the lock of the screen and the end of the keys: an unlock in between costs nothing.
  public var graceSeconds = 10
  /// Seconds without a call after which the vault is locked; 0 is never.
  public var idleSeconds = 900

  /// The largest grace period: 5 minutes, because a locked screen must mean a locked vault soon.
  public static let graceSecondsMax = 300
  /// The longest idle time: a day.
  public static let idleSecondsMax = 86_400

  /// 10 seconds and 15 minutes.
  public init() {}

  /// Whether both are within their limits.
  public var isValid: Bool {
    (0...Self.graceSecondsMax).contains(graceSeconds) && (0...Self.idleSecondsMax).contains(idleSeconds)
  }

  static let count = 8

  var encoded: [UInt8] {
    var out: [UInt8] = []
    out.append(UInt64(graceSeconds), count: 4)
    out.append(UInt64(idleSeconds), count: 4)
    return out
  }

  init(decoding bytes: Span<UInt8>) throws(VaultError) {
    graceSeconds = Int(bytes.number(at: 0, count: 4))
    idleSeconds = Int(bytes.number(at: 4, count: 4))
    guard isValid else { throw VaultError(.damaged, "a setting is outside its limits", part: .keybag) }
  }
}
