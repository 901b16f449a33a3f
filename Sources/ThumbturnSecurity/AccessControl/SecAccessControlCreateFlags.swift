/// What must hold before a protected item can be read (SECACCESS.md §1).
///
/// Raw values are Apple's.
public struct SecAccessControlCreateFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: CFOptionFlags
  /// Flags with these bits, known or not.
  public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

  /// A finger or the passcode.
  public static let userPresence = Self(rawValue: 1 << 0)
  /// Any enrolled finger.
  public static let biometryAny = Self(rawValue: 1 << 1)
  /// The old name of ``biometryAny``.
  public static let touchIDAny = biometryAny
  /// A finger of the set that is enrolled now.
  public static let biometryCurrentSet = Self(rawValue: 1 << 3)
  /// The old name of ``biometryCurrentSet``.
  public static let touchIDCurrentSet = biometryCurrentSet
  /// The passcode.
  public static let devicePasscode = Self(rawValue: 1 << 4)
  /// A paired companion device; there is none on Linux.
  public static let companion = Self(rawValue: 1 << 5)
  /// The old name of ``companion``.
  public static let watch = companion
  /// One of the constraints is enough.
  public static let or = Self(rawValue: 1 << 14)
  /// All constraints are needed; this is what holds without ``or`` too.
  public static let and = Self(rawValue: 1 << 15)
  /// The constraints guard the use of a key instead of reading it.
  public static let privateKeyUsage = Self(rawValue: 1 << 30)
  /// A password of the program's goes into the key.
  public static let applicationPassword = Self(rawValue: 1 << 31)
}
