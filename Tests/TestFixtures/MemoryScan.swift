internal import CMemoryScan

/// Looks at the memory of this process. The scan itself is C: one in Swift would leave copies of what it looks for.
public enum MemoryScan {
  /// One byte of a canary, computed so that the canary stands nowhere but where a test puts it.
  public static func canaryByte(_ seed: UInt32, _ index: Int) -> UInt8 { tt_canary_byte(seed, index) }

  /// The number of places in writable memory that hold `count` bytes of a canary; -1 when it cannot be read.
  public static func countCanaries(_ seed: UInt32, _ count: Int) -> Int { Int(tt_count_canaries(seed, count)) }

  /// Whether the page where `bytes` begin has a flag in /proc/self/smaps: `lo` locked, `dd` not in core dumps, `wf` zero
  /// after a fork. Nil when the mapping is not found.
  public static func hasFlag(_ flag: String, _ bytes: Span<UInt8>) -> Bool? {
    let answer = unsafe bytes.withUnsafeBytes { unsafe tt_mapping_has_flag($0.baseAddress, flag) }
    return answer < 0 ? nil : answer == 1
  }
}

/// What keys of 32 bytes leave in memory: themselves, their blocks and states of HMAC-SHA-256, their AES-256 round keys.
///
/// Held under a mask, so that this list is itself no finding.
public struct KeyTraces {
  private static let patternCount = Int(tt_pattern_count)
  private static let mask = UInt8(tt_pattern_mask)
  private static let kinds = [
    "the key", "the key in turned words", "its inner block", "its outer block", "its inner state", "its outer state",
  ]

  private var names: [String] = []
  private var masked: [UInt8] = []

  /// No key yet.
  public init() {}

  /// Adds what `key`, of 32 bytes, leaves.
  public mutating func add(_ name: String, _ key: Span<UInt8>) {
    precondition(key.count == Self.patternCount && Self.kinds.count == Int(tt_trace_count))
    for kind in Self.kinds { names.append("\(name): \(kind)") }
    var traces = [UInt8](repeating: 0, count: Self.kinds.count * Self.patternCount)
    unsafe key.withUnsafeBufferPointer { key in unsafe tt_traces(key.baseAddress, &traces) }
    masked += traces
  }

  /// What a scan found.
  public struct Places: Sendable {
    /// For each trace that was found in pages for secrets, how often.
    public internal(set) var inSecretPages: [String: Int] = [:]
    /// The same of all other memory.
    public internal(set) var elsewhere: [String: Int] = [:]
  }

  /// Looks at the whole writable memory of this process.
  ///
  /// - Parameter areLocked: Whether only locked pages count as pages for secrets.
  /// - Returns: Nil when the memory cannot be read.
  public func places(areLocked: Bool = true) -> Places? {
    var inside = [Int32](repeating: 0, count: names.count)
    var outside = inside
    guard unsafe tt_find_patterns(masked, names.count, !areLocked, &inside, &outside) else { return nil }
    var places = Places()
    for (index, name) in names.enumerated() {
      if inside[index] > 0 { places.inSecretPages[name] = Int(inside[index]) }
      if outside[index] > 0 { places.elsewhere[name] = Int(outside[index]) }
    }
    return places
  }

  /// Each trace in plain, in ordinary memory: what a scan must find. It ends with the array.
  public func planted() -> [[UInt8]] {
    names.indices.map { index -> [UInt8] in
      let start = index * Self.patternCount
      return masked[start..<(start + Self.patternCount)].map { $0 ^ Self.mask }
    }
  }
}
