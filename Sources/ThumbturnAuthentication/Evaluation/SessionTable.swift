public import ThumbturnCrypto

/// What an agent has verified, for whom: a table without clocks or locks.
///
/// A session counts only for the process that it was made for. All of them go when the vault locks.
public struct SessionTable: Sendable {
  /// The most of one process; the oldest goes first.
  public static let countMaxOfProcess = 64
  /// The most of all processes together; the oldest goes first.
  public static let countMax = 1_024

  /// One verification that succeeded.
  public struct Session: Sendable {
    /// Its name, which nobody can guess: ``VerifiedSession/idCount`` random bytes.
    public let id: [UInt8]
    /// What was shown.
    public let shown: Set<Factor>
    /// What was enrolled when a finger was shown; empty when none was.
    public let enrolmentHash: [UInt8]
    /// The program's password, when it was asked for.
    public let applicationPassword: SharedSecret?

    /// Makes a session.
    public init(
      id: [UInt8], shown: Set<Factor>, enrolmentHash: [UInt8] = [], applicationPassword: SharedSecret? = nil
    ) {
      self.id = id
      self.shown = shown
      self.enrolmentHash = enrolmentHash
      self.applicationPassword = applicationPassword
    }
  }

  private struct Entry: Sendable {
    let process: Int32
    let session: Session
    var id: [UInt8] { session.id }
  }

  /// The oldest first.
  private var entries: [Entry] = []

  /// An empty table.
  public init() {}

  /// How many there are.
  public var count: Int { entries.count }

  /// Keeps a session for a process.
  public mutating func add(_ session: Session, process: Int32) {
    let own = entries.filter { $0.process == process }
    if own.count >= Self.countMaxOfProcess, let oldest = own.first { entries.removeAll { $0.id == oldest.id } }
    if entries.count >= Self.countMax { entries.removeFirst() }
    entries.append(Entry(process: process, session: session))
  }

  /// The sessions of a process with these names, in the order in which they were made.
  public func sessions(_ ids: [[UInt8]], process: Int32) -> [Session] {
    let wanted = Set(ids)
    return entries.filter { $0.process == process && wanted.contains($0.id) }.map(\.session)
  }

  /// Forgets one, if it is the process's own.
  public mutating func end(_ id: [UInt8], process: Int32) { entries.removeAll { $0.id == id && $0.process == process } }

  /// Forgets those of a process that is gone.
  public mutating func endAll(process: Int32) { entries.removeAll { $0.process == process } }

  /// Forgets all of them.
  public mutating func endAll() { entries = [] }
}
