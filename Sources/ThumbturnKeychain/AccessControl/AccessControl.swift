public import ThumbturnVault

/// When an item may be read and what must hold before: a protection class and conditions (SECACCESS.md §1).
public struct AccessControl: Hashable, Sendable {
  /// Conditions, by Apple's bits.
  public struct Conditions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt64
    /// Conditions with these bits, known or not.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// A finger or the passcode.
    public static let userPresence = Self(rawValue: 1 << 0)
    /// Any enrolled finger.
    public static let biometryAny = Self(rawValue: 1 << 1)
    /// A finger of the set that is enrolled now.
    public static let biometryCurrentSet = Self(rawValue: 1 << 3)
    /// The passcode.
    public static let devicePasscode = Self(rawValue: 1 << 4)
    /// A paired companion device; there is none on Linux.
    public static let companion = Self(rawValue: 1 << 5)
    /// One of the constraints is enough.
    public static let or = Self(rawValue: 1 << 14)
    /// All constraints are needed; this is what holds without ``or`` too.
    public static let and = Self(rawValue: 1 << 15)
    /// The constraints guard the use of a key instead of reading it.
    public static let privateKeyUsage = Self(rawValue: 1 << 30)
    /// A password of the program's goes into the key.
    public static let applicationPassword = Self(rawValue: 1 << 31)

    /// Those that a person has to fulfil.
    public static let constraints: Self = [
      .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion,
    ]
    private static let known: Self = [.constraints, .or, .and, .privateKeyUsage, .applicationPassword]

    /// Whether Apple's rules let these stand together, and whether all of them are known.
    public var isValid: Bool {
      guard Self.known.isSuperset(of: self) else { return false }
      guard !isSuperset(of: [.or, .and]), !isSuperset(of: [.biometryAny, .biometryCurrentSet]) else { return false }
      return !contains(.userPresence) || subtracting([.userPresence, .applicationPassword, .privateKeyUsage]).isEmpty
    }

    /// The same conditions in one spelling: ``or`` and ``and`` mean nothing below two constraints, and ``and`` is what
    /// holds without either.
    fileprivate var normalized: Self {
      let count = intersection(.constraints).rawValue.nonzeroBitCount
      if count < 2 { return subtracting([.or, .and]) }
      return contains(.or) ? self : union(.and)
    }
  }

  /// Whether something may be done.
  public enum Permission: Hashable, Sendable {
    /// Without asking.
    case free
    /// When the constraints hold.
    case constrained
    /// Never.
    case forbidden
  }

  /// When the item may be read.
  public let protectionClass: ProtectionClass
  /// What must hold before, in one spelling for what means the same.
  public let conditions: Conditions

  /// Makes an access control; nil for conditions that contradict each other or are not known.
  public init?(_ protectionClass: ProtectionClass, _ conditions: Conditions) {
    guard conditions.isValid else { return nil }
    self.protectionClass = protectionClass
    self.conditions = conditions.normalized
  }

  /// One without conditions: what an item has by its protection class alone.
  public init(_ protectionClass: ProtectionClass) {
    self.protectionClass = protectionClass
    conditions = []
  }

  /// Whether anything beyond the protection class is asked for; an application password counts, since an item that is
  /// stored without it would be open to who does not know it.
  public var isConstrained: Bool { !conditions.isEmpty }

  /// Whether a password of the program's goes into the key.
  package var needsApplicationPassword: Bool { conditions.contains(.applicationPassword) }

  /// Whether the secret may be read.
  public var reading: Permission {
    if conditions.contains(.privateKeyUsage) { return .forbidden }
    return conditions.isDisjoint(with: .constraints) ? .free : .constrained
  }
}
