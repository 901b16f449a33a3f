/// One thing that a check found. Holds no name and no secret: records are named by uuid and row.
public enum CheckFinding: Hashable, Sendable {
  /// A record's class key is right and its boxes do not open, or a column is not what it must be.
  ///
  /// - `uuid`: With hyphens; empty when the column holds none.
  case damagedRecord(uuid: String, row: Int64)
  /// More damaged records than are listed.
  case moreDamagedRecords(count: Int)
  /// Count or sum of the records is not that of the header: records were put back, exchanged or deleted.
  case recordsChanged(countExpected: Int, countFound: Int)
  /// SQLite's integrity check, or a column's type: an index or page is damaged, and finds may miss records.
  case structureDamaged(problemCount: Int)
  /// The database cannot be read to its end.
  case unreadable
  /// Boxes that belong to no record.
  case orphanBoxes(count: Int)
  /// Records whose class is locked: of these only the columns and the tags could be checked.
  case lockedRecords(count: Int)
  /// A file that the keybag does not name. It is never removed.
  case strayFile(path: String)
  /// The old database, kept by a salvage.
  case keptFile(path: String)
  /// Damaged records that were moved to quarantine, now or earlier.
  case quarantined(count: Int)
  /// The quarantine itself cannot be read.
  case quarantineUnreadable

  /// Whether something of the vault is damaged; the others are worth knowing.
  public var isDamage: Bool {
    switch self {
    case .damagedRecord, .moreDamagedRecords, .recordsChanged, .structureDamaged, .unreadable, .orphanBoxes,
      .quarantineUnreadable:
      true
    case .lockedRecords, .strayFile, .keptFile, .quarantined: false
    }
  }
}

/// What a check found and did.
public struct CheckReport: Sendable {
  /// How many damaged records are listed one by one: a report of a vault that is all damaged stays bounded.
  public static let listedCountMax = 1_000

  /// Rows that were read.
  public internal(set) var recordCount = 0
  /// What was found, as it was before anything was moved or accepted.
  public internal(set) var findings: [CheckFinding] = []
  /// Damaged records, listed or not.
  public internal(set) var damagedCount = 0
  /// Damaged records that were moved to quarantine.
  public internal(set) var movedCount = 0
  /// Whether the header now has count and sum of the records that verify.
  public internal(set) var isAccepted = false
  /// Damaged records that are moved only after a confirmation, because they are many; else zero.
  public internal(set) var awaitingCount = 0

  package init() {}

  /// Whether nothing is damaged.
  public var isClean: Bool { !findings.contains(where: \.isDamage) }
  /// Whether damage was found that is still there, or lost something, after what was moved and accepted: accepting settles
  /// only ``CheckFinding/recordsChanged(countExpected:countFound:)``.
  package var isDamaged: Bool {
    findings.contains { finding in
      if case .recordsChanged = finding { return !isAccepted }
      return finding.isDamage
    }
  }
  /// Whether ``CheckFinding/structureDamaged(problemCount:)`` or ``CheckFinding/unreadable`` was found: only a salvage
  /// helps, and a check changes nothing.
  public var needsSalvage: Bool {
    findings.contains {
      switch $0 {
      case .structureDamaged, .unreadable: true
      default: false
      }
    }
  }

  /// Whether a check moves so many damaged records without being told to: at most 10, and at most 1 % of all.
  static func mayMove(_ damagedCount: Int, of recordCount: Int) -> Bool {
    damagedCount <= 10 && damagedCount * 100 <= recordCount
  }
}

/// What a check may change.
public struct CheckRequest: Hashable, Sendable {
  /// Whether damaged records go to quarantine at all.
  public var moves: Bool
  /// Whether they go however many they are.
  public var movesMany: Bool
  /// Whether count and sum are taken from the records that verify.
  public var accepts: Bool

  /// A check that moves few damaged records.
  public init(moves: Bool = true, movesMany: Bool = false, accepts: Bool = false) {
    self.moves = moves
    self.movesMany = movesMany
    self.accepts = accepts
  }
}
