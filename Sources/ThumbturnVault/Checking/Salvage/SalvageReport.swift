/// What a salvage can bring back, and what it did.
public struct SalvageReport: Hashable, Sendable {
  /// Records whose boxes open.
  public internal(set) var recordCount = 0
  /// Of these, found only in pages that were written over: they may be older or deleted.
  public internal(set) var formerCount = 0
  /// Records of a locked class, copied as they stand.
  public internal(set) var lockedUUIDs: [String] = []
  /// How many records there were, by the old header; nil when it is lost.
  public internal(set) var expectedCount: Int?
  /// Whether count and sum are those of the old header: complete and current. Else some are lost, or may be older or
  /// deleted.
  public internal(set) var isComplete = false
  /// Whether the new database was put in place, now or by finishing a salvage that was cut off.
  public internal(set) var isReplaced = false
  /// The old database, which was kept; nil before anything was replaced, and when there is none.
  public internal(set) var keptPath: String?

  package init() {}
}
