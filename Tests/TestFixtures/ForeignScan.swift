internal import CMemoryScan

/// What is looked for in the memory of another process, held under a mask. Needs the right to read that memory.
public struct ForeignScan {
  /// The part of a canary that is looked for: less than half of what was overwritten by chance is left then.
  public static let canaryCount = 16
  private static let patternCount = Int(tt_pattern_count)
  private static let mask = UInt8(tt_pattern_mask)
  private static let kinds = [
    "the key", "the key in turned words", "its inner block", "its outer block", "its inner state", "its outer state",
  ]

  private var names: [String] = []
  private var masked: [UInt8] = []
  private var sizes: [Int] = []

  /// Looks for nothing yet.
  public init() {}

  /// Adds the first bytes of a canary.
  public mutating func add(_ name: String, canary seed: UInt32) {
    names.append(name)
    sizes.append(Self.canaryCount)
    masked += (0..<Self.patternCount).map { MemoryScan.canaryByte(seed, $0) ^ Self.mask }
  }

  /// Adds what a key of 32 bytes leaves.
  public mutating func add(_ name: String, key: Span<UInt8>) {
    precondition(key.count == Self.patternCount && Self.kinds.count == Int(tt_trace_count))
    names += Self.kinds.map { "\(name): \($0)" }
    sizes += Array(repeating: Self.patternCount, count: Self.kinds.count)
    var traces = [UInt8](repeating: 0, count: Self.kinds.count * Self.patternCount)
    unsafe key.withUnsafeBufferPointer { key in unsafe tt_traces(key.baseAddress, &traces) }
    masked += traces
  }

  /// What a scan has seen.
  public struct Report {
    /// A place that holds what was looked for.
    public struct Hit: Hashable, Sendable, CustomStringConvertible {
      public let name: String
      public let mapping: String
      /// Whether it is in pages for secrets, and those are locked.
      public let isInSecretPages: Bool
      public var description: String { "\(name) in \(mapping)\(isInSecretPages ? " (secret pages)" : "")" }
    }
    /// A mapping that was looked at.
    public struct Mapping: Hashable, Sendable, CustomStringConvertible {
      /// As the kernel names it; `[anonymous]` where it does not.
      public let name: String
      public let countBytes: Int
      public let readBytes: Int
      public let isLocked: Bool
      public var description: String { "\(name) \(readBytes)/\(countBytes)\(isLocked ? " locked" : "")" }
    }
    public let hits: [Hit]
    public let mappings: [Mapping]

    /// Bytes that were read in all.
    public var readBytes: Int { mappings.reduce(0) { $0 + $1.readBytes } }
  }

  /// Looks at every readable mapping of a process; nil when its memory cannot be read, or there is too much to tell.
  public func run(_ process: Int32) -> Report? {
    var hits = [tt_hit](repeating: tt_hit(), count: 20_000)
    var regions = [tt_region](repeating: tt_region(), count: 20_000)
    var (hitCount, regionCount) = (0, 0)
    guard
      unsafe tt_search_process(
        process, masked, sizes, names.count, &hits, hits.count, &hitCount, &regions, regions.count, &regionCount),
      hitCount <= hits.count, regionCount <= regions.count
    else { return nil }
    let mappings = regions.prefix(regionCount).map { region in
      Report.Mapping(
        name: Self.text(region), countBytes: Int(region.count), readBytes: Int(region.read), isLocked: region.locked)
    }
    let found = hits.prefix(hitCount).map { hit in
      Report.Hit(
        name: names[Int(hit.pattern)], mapping: mappings[Int(hit.region)].name, isInSecretPages: hit.in_secret_pages)
    }
    return Report(hits: found, mappings: mappings)
  }

  private static func text(_ region: tt_region) -> String {
    var region = region
    return unsafe withUnsafeBytes(of: &region.name) { name in
      unsafe String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// What this process is allowed to do with another one.
public struct Intrusion: OptionSet, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
  public static let opensMemory = Self(rawValue: 1)
  public static let readsMemory = Self(rawValue: 2)
  public static let attaches = Self(rawValue: 4)
  public static let readsEnvironment = Self(rawValue: 8)

  /// Tries everything.
  public static func into(_ process: Int32) -> Intrusion { Intrusion(rawValue: tt_intrude(process, 0x1000)) }
}
