internal import ThumbturnCrypto

/// How many wrong passcodes there were since the last right one, when the last was, and how many wrong fingers there were
/// since the last right finger or passcode (VAULT.md §9): one slot of the file.
///
/// 512 bytes: magic (8), sequence (8), failures (4), boot id (16), boot time of the failure in nanoseconds (8), failures of
/// fingers (4), zeros, and HMAC(HKDF(D0, "attempts" ‖ vault UUID), all before) (32).
struct AttemptCount: Hashable, Sendable {
  static let slotCount = 512
  private static let macCount = 32
  private static let magic: InlineArray<8, UInt8> = [0x54, 0x54, 0x41, 0x54, 0x54, 0x4D, 0x50, 0x54]  // TTATTMPT
  /// Failures that a vault without a count is taken to have had.
  static let failuresWithoutCount: UInt32 = 5
  /// Wrong fingers after which none is looked at until the right passcode (SECACCESS.md §3).
  static let fingerFailuresMax: UInt32 = 5
  /// Minutes to wait after the fifth failure, the sixth, and so on; the last holds for all that follow.
  private static let delayMinutes: [Int64] = [1, 5, 15, 15, 60]

  var sequence: UInt64
  var failures: UInt32
  var bootID: Identifier
  var failedNanoseconds: Int64
  var fingerFailures: UInt32

  /// How long no passcode is tried, in nanoseconds from now. Running time of the machine, suspended time included: no change
  /// of its clock makes it shorter, and after a start it runs anew.
  func nanosecondsToWait(_ now: BootMoment) -> Int64 {
    guard failures >= 5 else { return 0 }
    let delay = Self.delayMinutes[min(Int(failures) - 5, Self.delayMinutes.count - 1)] * 60_000_000_000
    let since = bootID == now.bootID ? failedNanoseconds : 0
    // A time that lies ahead was not measured by this clock.
    return max(0, delay - max(0, now.nanoseconds - since))
  }

  /// As ``nanosecondsToWait(_:)`` in seconds, rounded up.
  func secondsToWait(_ now: BootMoment) -> Int { Int((nanosecondsToWait(now) + 999_999_999) / 1_000_000_000) }

  func slot(_ mac: borrowing HMAC) throws(CryptoError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.slotCount)
    var sum = InlineArray<32, UInt8>(repeating: 0)
    do {
      var out = bytes.mutableSpan
      var at = 0
      out.put(Self.magic.span, at: &at)
      out.putNumber(sequence, count: 8, at: &at)
      out.putNumber(UInt64(failures), count: 4, at: &at)
      let id = bootID.bytes
      out.put(id.span, at: &at)
      out.putNumber(UInt64(bitPattern: failedNanoseconds), count: 8, at: &at)
      out.putNumber(UInt64(fingerFailures), count: 4, at: &at)
    }
    var sumOut = sum.mutableSpan
    try mac.sum(bytes.span.extracting(0..<(Self.slotCount - Self.macCount)), into: &sumOut)
    for index in 0..<Self.macCount { bytes[Self.slotCount - Self.macCount + index] = sum[index] }
    return bytes
  }

  /// Reads a slot; nil for one that is not whole, or another vault's.
  init?(slot: Span<UInt8>, _ mac: borrowing HMAC) throws(CryptoError) {
    guard slot.count == Self.slotCount else { return nil }
    var sum = InlineArray<32, UInt8>(repeating: 0)
    var sumOut = sum.mutableSpan
    try mac.sum(slot.extracting(0..<(Self.slotCount - Self.macCount)), into: &sumOut)
    guard isEqualInConstantTime(sum.span, slot.extracting((Self.slotCount - Self.macCount)..<Self.slotCount)),
      slot.extracting(0..<8).equals(Self.magic.span)
    else { return nil }
    sequence = slot.number(at: 8, count: 8)
    failures = UInt32(slot.number(at: 16, count: 4))
    bootID = Identifier(slot.extracting(20..<36))
    failedNanoseconds = Int64(bitPattern: slot.number(at: 36, count: 8))
    fingerFailures = UInt32(slot.number(at: 44, count: 4))
  }

  init(sequence: UInt64, failures: UInt32, fingerFailures: UInt32 = 0, _ now: BootMoment) {
    self.sequence = sequence
    self.fingerFailures = fingerFailures
    self.failures = failures
    bootID = now.bootID
    failedNanoseconds = now.nanoseconds
  }
}

extension AttemptCount {
  /// What counts where no slot is valid while a passcode is set: five failures that have just happened, of each kind.
  static func assumed(_ now: BootMoment) -> AttemptCount {
    AttemptCount(sequence: 1, failures: failuresWithoutCount, fingerFailures: fingerFailuresMax, now)
  }
}

/// What the next try will find.
struct LockOut: Hashable, Sendable {
  /// Wrong passcodes since the last right one.
  let failures: Int
  /// How long no passcode is tried.
  let secondsToWait: Int
  /// Wrong fingers since the last right finger or passcode.
  let fingerFailures: Int

  init(_ count: AttemptCount, _ now: BootMoment) {
    failures = Int(count.failures)
    secondsToWait = count.secondsToWait(now)
    fingerFailures = Int(count.fingerFailures)
  }
}

/// A moment by the machine's running time. Another boot id means that the time began anew.
package struct BootMoment: Hashable, Sendable {
  package var bootID: Identifier
  package var nanoseconds: Int64

  package init(bootID: Identifier, nanoseconds: Int64) {
    self.bootID = bootID
    self.nanoseconds = nanoseconds
  }

  /// Now. Without /proc the boot id is zeros, and a start of the machine then looks like an earlier time of this one.
  package static func now() -> BootMoment {
    BootMoment(
      bootID: system_bootIdentifier().map { Identifier($0.span) } ?? .none, nanoseconds: system_bootNanoseconds())
  }
}
