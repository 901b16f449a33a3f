/// What has to be shown: one of some factors, or each of them.
public struct Requirement: Hashable, Sendable {
  /// What counts; none means that nothing on Linux can fulfil it (a companion device).
  public let factors: Set<Factor>
  /// Whether each of them is needed; else one is enough.
  public let needsAll: Bool
  /// Whether a password of the program's is asked for beside them, because it goes into the key (SECACCESS.md §1).
  public let needsApplicationPassword: Bool

  /// Makes a requirement.
  public init(_ factors: Set<Factor>, needsAll: Bool = false, needsApplicationPassword: Bool = false) {
    self.factors = factors
    // One spelling for what means the same.
    self.needsAll = needsAll && factors.count > 1
    self.needsApplicationPassword = needsApplicationPassword
  }

  /// A finger, or the passcode: Apple's *device owner*.
  public static let owner = Self([.finger, .passcode])
  /// A finger and nothing else.
  public static let finger = Self([.finger])
  /// The passcode and nothing else.
  public static let passcode = Self([.passcode])

  /// Whether what was shown is enough. The application password is no factor, and no part of this.
  public func isFulfilled(by shown: Set<Factor>) -> Bool {
    guard !factors.isEmpty else { return false }
    return needsAll ? factors.isSubset(of: shown) : !factors.isDisjoint(with: shown)
  }

  /// Whether a finger must be shown, since nothing else is enough.
  public var insistsOnFinger: Bool { factors == [.finger] || needsAll && factors.contains(.finger) }
}
