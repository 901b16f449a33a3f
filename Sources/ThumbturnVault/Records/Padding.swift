internal import ThumbturnCrypto

/// Plaintexts are padded: a length of 4 bytes in front, zeros behind, up to a size that tells little (VAULT.md §3).
enum Padding {
  static let lengthCount = 4

  /// The padded size of `count` bytes: steps of 64 up to 1 KiB, then the next power of the square root of two, rounded up
  /// to 64.
  static func paddedCount(_ count: Int) -> Int {
    let needed = count + lengthCount
    if needed <= 1_024 { return (needed + 63) / 64 * 64 }
    // Powers of two by shifts and the half steps by one multiplication, so that no rounding builds up.
    var power = 1_024
    while true {
      if needed <= power { return power }
      let half = (Int(Double(power) * 2.0.squareRoot()) + 63) / 64 * 64
      if needed <= half { return half }
      power *= 2
    }
  }

  /// Where the content of a padded plaintext lies. The zeros behind it are checked, all of them.
  static func content(_ padded: Span<UInt8>) throws(VaultError) -> Range<Int> {
    guard padded.count >= lengthCount else { throw VaultError(.damagedRecord, "a plaintext is cut short") }
    let count = Int(padded.number(at: 0, count: lengthCount))
    guard count <= padded.count - lengthCount, paddedCount(count) == padded.count else {
      throw VaultError(.damagedRecord, "a plaintext has a wrong size")
    }
    var rest: UInt8 = 0
    for index in (lengthCount + count)..<padded.count { rest |= padded[index] }
    guard rest == 0 else { throw VaultError(.damagedRecord, "a plaintext's padding is not zero") }
    return lengthCount..<(lengthCount + count)
  }
}
