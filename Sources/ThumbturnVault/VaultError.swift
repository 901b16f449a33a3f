/// An error thrown by the vault.
///
/// Check ``code`` to decide what to do. ``description`` is for logs: it never holds a secret, an account name or a path.
/// ``part`` and ``fileName`` let a command line name the file. Equality looks at ``code`` only.
public struct VaultError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong. New codes may come in a minor release, so always keep a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    enum Base: Hashable, Sendable, CaseIterable {
      case classKeyLocked
      case classKeyMissing
      case damaged
      case damagedRecord
      case diskFull
      case duplicate
      case forkedInCall
      case inTheWay
      case inputOutput
      case lockedOut
      case missing
      case newerFormat
      case noPasscode
      case noPlace
      case noVault
      case notAllowed
      case olderCopy
      case outOfMemory
      case passcodeIsSet
      case readOnly
      case seatTaken
      case tooLarge
      case unsafePlace
      case wrongKey
      case wrongPasscode
      case writerBusy
    }
    let base: Base

    /// Every code, so that a table over them can be tested row by row.
    package static var all: [Self] { Base.allCases.map { Self(base: $0) } }

    /// The class key that the record needs is not in memory now.
    public static let classKeyLocked = Self(base: .classKeyLocked)
    /// The class key does not exist: its protection class needs a passcode, and none is set.
    public static let classKeyMissing = Self(base: .classKeyMissing)
    /// A file of the vault is not what it must be: cut short, changed, or not ours.
    public static let damaged = Self(base: .damaged)
    /// One record failed its check. The others can be read.
    public static let damagedRecord = Self(base: .damagedRecord)
    /// No space left; nothing was changed.
    public static let diskFull = Self(base: .diskFull)
    /// A record with this primary key exists.
    public static let duplicate = Self(base: .duplicate)
    /// This process was forked while another thread of its parent was inside a call and stayed there: what it inherited is
    /// half changed, and nothing here uses it.
    public static let forkedInCall = Self(base: .forkedInCall)
    /// A file that is sealed under the old keys would outlive them: it must be moved away first.
    public static let inTheWay = Self(base: .inTheWay)
    /// Reading or writing failed.
    public static let inputOutput = Self(base: .inputOutput)
    /// Too many wrong passcodes: the next one is tried after ``VaultError/secondsToWait``.
    public static let lockedOut = Self(base: .lockedOut)
    /// A file that belongs to this vault is not there: it is never made anew beside records.
    public static let missing = Self(base: .missing)
    /// A newer version made this; it is not touched.
    public static let newerFormat = Self(base: .newerFormat)
    /// No passcode is set.
    public static let noPasscode = Self(base: .noPasscode)
    /// No place for the vault can be found: no home folder, or a relative THUMBTURN_HOME.
    public static let noPlace = Self(base: .noPlace)
    /// There is no vault yet, and this call does not make one.
    public static let noVault = Self(base: .noVault)
    /// The file system refused: no permission.
    public static let notAllowed = Self(base: .notAllowed)
    /// An older copy of the keybag or of the vault was put back.
    public static let olderCopy = Self(base: .olderCopy)
    /// The kernel gave no memory for secrets.
    public static let outOfMemory = Self(base: .outOfMemory)
    /// A passcode is set already: it is changed, not set.
    public static let passcodeIsSet = Self(base: .passcodeIsSet)
    /// The vault lies on a read-only disk, in a folder without write permission, or has a newer minor format.
    public static let readOnly = Self(base: .readOnly)
    /// Another process holds the vault's seat, and no agent answers.
    public static let seatTaken = Self(base: .seatTaken)
    /// A secret or the attributes of one record are too large.
    public static let tooLarge = Self(base: .tooLarge)
    /// A folder or file is a link, another owner's, open to others, or on a file system without shared memory.
    public static let unsafePlace = Self(base: .unsafePlace)
    /// A key does not fit this vault: it is another vault's, or was changed.
    public static let wrongKey = Self(base: .wrongKey)
    /// The passcode is not this vault's. It was counted.
    public static let wrongPasscode = Self(base: .wrongPasscode)
    /// Another process kept the writer lock for 5 seconds.
    public static let writerBusy = Self(base: .writerBusy)

    /// The code's name.
    public var description: String { "\(base)" }
  }

  /// The part of the vault that an error is about.
  public enum Part: Hashable, Sendable {
    case attempts, database, deviceFolder, deviceKey, keybag, seatLock, vaultFolder, writerLock
  }

  /// What went wrong.
  public let code: Code
  /// The part that it is about, where there is one.
  public let part: Part?
  /// The name of the file inside its folder, where ``part`` alone does not give it. Not part of ``description``.
  public let fileName: String?
  /// With ``Code/lockedOut``, and with ``Code/wrongPasscode`` when that was one too many: how long no passcode is tried, in
  /// seconds of the machine's running time, rounded up; else zero.
  public let secondsToWait: Int
  /// Why, in words of ours: a literal, so that nothing of the user's can get in.
  public var reason: String { "\(literal)" }
  private let literal: StaticString
  private let fileID: String
  private let line: UInt

  package init(
    _ code: Code, _ reason: StaticString, part: Part? = nil, fileName: String? = nil, secondsToWait: Int = 0,
    fileID: String = #fileID, line: UInt = #line
  ) {
    self.code = code
    self.secondsToWait = secondsToWait
    self.part = part
    self.fileName = fileName
    literal = reason
    self.fileID = fileID
    self.line = line
  }

  /// The same error with the name of a file.
  init(_ error: VaultError, fileName: String) {
    code = error.code
    part = error.part
    self.fileName = fileName
    secondsToWait = error.secondsToWait
    literal = error.literal
    fileID = error.fileID
    line = error.line
  }

  /// Text for logs: it holds nothing of the user's.
  public var description: String { "\(code): \(literal) (\(fileID):\(line))" }

  /// Compares the codes.
  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
