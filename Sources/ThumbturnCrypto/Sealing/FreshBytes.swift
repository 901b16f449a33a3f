/// Random bytes for the versions and nonces of one record, from one call of getrandom(2) instead of one for each: a call
/// takes as long as a box of 64 bytes.
///
/// Each byte is given out once and wiped here. It lives for one record, so that no fork and no resumed virtual machine comes
/// between the kernel and the use.
package struct FreshBytes: ~Copyable {
  private static let count = 84

  /// A uuid, two versions and three nonces.
  private var bytes = InlineArray<84, UInt8>(repeating: 0)
  private var used = 0

  /// - Throws: ``CryptoError/Code/randomUnavailable``.
  package init() throws(CryptoError) {
    var out = bytes.mutableSpan
    try randomBytes(into: &out)
  }

  /// The next `N` bytes, which nobody has had before.
  package mutating func next<let N: Int>(_ count: InlineArray<N, UInt8>.Type) -> InlineArray<N, UInt8> {
    precondition(N <= Self.count - used, "a record has no more nonces and versions than this")
    var next = InlineArray<N, UInt8>(repeating: 0)
    for index in 0..<N {
      next[index] = bytes[used + index]
      bytes[used + index] = 0
    }
    used += N
    return next
  }

  /// Wipes what nobody had.
  package mutating func wipe() {
    var rest = bytes.mutableSpan
    wipeBytes(&rest)
    used = Self.count
  }
}
