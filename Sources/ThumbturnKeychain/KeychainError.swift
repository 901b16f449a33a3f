public import ThumbturnVault

/// An error of the keychain, one code for each status of Apple's that it can become (SECITEM.md §15).
///
/// Equality looks at ``code`` only. ``description`` never holds a secret, an account name or a path.
public struct KeychainError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong. New codes may come in a minor release, so always keep a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    package enum Base: CaseIterable, Hashable, Sendable {
      case authenticationFailed
      case dataTooLarge
      case decode
      case diskFull
      case duplicateItem
      case inputOutput
      case interactionNotAllowed
      case itemNotFound
      case missingEntitlement
      case noSuchAttribute
      case noSuchClass
      case notAllowed
      case notAvailable
      case outOfMemory
      case parameter
      case readOnly
      case restricted
      case unimplemented
      case userCanceled
    }
    package let base: Base

    /// Every code, so that a table over them can be tested row by row.
    package static var all: [Self] { Base.allCases.map { Self(base: $0) } }

    /// Authentication failed, or nothing could authenticate (-25293).
    public static let authenticationFailed = Self(base: .authenticationFailed)
    /// The secret has more than 16,777,216 bytes (-25302).
    public static let dataTooLarge = Self(base: .dataTooLarge)
    /// A record cannot be decoded outside a find (-26275).
    public static let decode = Self(base: .decode)
    /// No space left on the disk (-34).
    public static let diskFull = Self(base: .diskFull)
    /// An item with the same primary key exists (-25299).
    public static let duplicateItem = Self(base: .duplicateItem)
    /// Reading or writing the vault failed (-36).
    public static let inputOutput = Self(base: .inputOutput)
    /// The class key is locked, or a person would have to be asked (-25308).
    public static let interactionNotAllowed = Self(base: .interactionNotAllowed)
    /// Nothing matches (-25300).
    public static let itemNotFound = Self(base: .itemNotFound)
    /// The caller has no access group, or names one that is not its own (-34018).
    public static let missingEntitlement = Self(base: .missingEntitlement)
    /// The item class has no such attribute (-25303).
    public static let noSuchAttribute = Self(base: .noSuchAttribute)
    /// Unknown item class, or reference and class differ (-25306).
    public static let noSuchClass = Self(base: .noSuchClass)
    /// The file system refused (-61).
    public static let notAllowed = Self(base: .notAllowed)
    /// The vault cannot be opened; ``KeychainError/cause`` says why (-25291).
    public static let notAvailable = Self(base: .notAvailable)
    /// Out of memory (-108).
    public static let outOfMemory = Self(base: .outOfMemory)
    /// A value of a wrong type, or a combination that is not valid (-50).
    public static let parameter = Self(base: .parameter)
    /// The vault cannot be written (-25292).
    public static let readOnly = Self(base: .readOnly)
    /// What an app clip may not do: other groups than its own, and synchronizable items (-34020).
    public static let restricted = Self(base: .restricted)
    /// Not served here, or not yet (-4).
    public static let unimplemented = Self(base: .unimplemented)
    /// The person cancelled (-128).
    public static let userCanceled = Self(base: .userCanceled)

    /// The code's name.
    public var description: String { "\(base)" }
  }

  /// What went wrong.
  public let code: Code
  /// The vault's error beneath, where there is one: it names the part and the reason.
  public let cause: VaultError?

  /// Makes an error without a cause.
  public init(_ code: Code) {
    self.code = code
    cause = nil
  }

  /// Nothing was found, and `cause` says why that may not be the whole truth.
  static func notFound(because cause: VaultError) -> KeychainError { KeychainError(.itemNotFound, cause) }

  package init(_ code: Code, _ cause: VaultError) {
    self.code = code
    self.cause = cause
  }

  /// Text for logs: it holds nothing of the user's.
  public var description: String { cause.map { "\(code): \($0)" } ?? "\(code)" }

  /// Compares the codes.
  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension KeychainError {
  /// The keychain's word for an error of the vault; no two causes are merged but those that Apple merges.
  package init(_ cause: VaultError) {
    code =
      switch cause.code {
      case .classKeyLocked: .interactionNotAllowed
      case .classKeyMissing, .lockedOut, .noPasscode, .wrongPasscode: .authenticationFailed
      case .damagedRecord: .decode
      case .diskFull: .diskFull
      case .duplicate: .duplicateItem
      case .inputOutput: .inputOutput
      case .noVault: .itemNotFound
      case .notAllowed: .notAllowed
      case .outOfMemory: .outOfMemory
      case .readOnly: .readOnly
      case .tooLarge: .dataTooLarge
      case .passcodeIsSet: .parameter
      case .damaged, .forkedInCall, .inTheWay, .missing, .newerFormat, .noPlace, .olderCopy, .seatTaken, .unsafePlace,
        .wrongKey,
        .writerBusy:
        .notAvailable
      // Codes are an open set of values, so the compiler asks for this; a test maps every code that exists.
      default: .notAvailable
      }
    self.cause = cause
  }
}
