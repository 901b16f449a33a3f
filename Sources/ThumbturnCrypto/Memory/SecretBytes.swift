internal import CSodium

/// Secret bytes in locked memory. The value moves but never copies, and it is overwritten when it ends.
///
/// A `SecretBytes` cannot be printed, interpolated, encoded or captured by an escaping closure: the compiler refuses,
/// because the type is noncopyable. Up to 4,096 bytes live in an arena of locked pages, larger ones in a mapping of their
/// own; ``isLocked`` says whether the kernel keeps them out of swap.
@safe
public struct SecretBytes: ~Copyable, Sendable {
  /// The largest value, in bytes: the padded form of a 16 MiB secret, rounded up.
  public static let countMax = 33_554_432

  private let slot: SecretSlot
  private var visible: Range<Int>

  /// Makes `count` zero bytes and lets `fill` write them in place.
  ///
  /// - Parameters:
  ///   - count: Size in bytes, from 0 to ``countMax``.
  ///   - fill: Writes the bytes; what it throws is thrown, and what it wrote until then is wiped.
  /// - Throws: ``CryptoError/Code/tooLarge`` above the limit, ``CryptoError/Code/outOfSecretMemory``, or what `fill` throws.
  public init(count: Int, fill: (inout MutableSpan<UInt8>) throws(CryptoError) -> Void) throws(CryptoError) {
    precondition(count >= 0, "a size is never negative")
    guard count <= Self.countMax else { throw CryptoError(.tooLarge, "a secret is at most 32 MiB") }
    let slot =
      if count <= SecretArena.pageSizeBytes {
        try SecretArena.shared.allocate(count)
      } else {
        try SecretMapping.make(count: count)
      }
    do {
      // The slot was zero when it was mapped and wiped when it was freed.
      var bytes = unsafe MutableSpan<UInt8>(
        _unsafeStart: slot.memory.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self), count: count)
      try fill(&bytes)
    } catch {
      slot.free()
      throw error
    }
    self.slot = slot
    visible = 0..<count
  }

  /// Copies `bytes`. Wiping the original is the caller's work.
  ///
  /// - Throws: As ``init(count:fill:)``.
  public init(copying bytes: Span<UInt8>) throws(CryptoError) {
    try self.init(count: bytes.count) { (out: inout MutableSpan<UInt8>) throws(CryptoError) in
      var at = 0
      out.put(bytes, at: &at)
    }
  }

  /// Random bytes from getrandom(2).
  ///
  /// - Throws: ``CryptoError/Code/randomUnavailable``, or as ``init(count:fill:)``.
  public static func random(count: Int) throws(CryptoError) -> SecretBytes {
    try SecretBytes(count: count) { (out: inout MutableSpan<UInt8>) throws(CryptoError) in
      try randomBytes(into: &out)
    }
  }

  /// Size in bytes.
  public var count: Int { visible.count }

  /// Whether the kernel keeps these bytes out of swap. False when the limit of locked memory was reached.
  public var isLocked: Bool { slot.isLocked }

  /// The bytes, borrowed: the span cannot outlive this value.
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let span = unsafe Span<UInt8>(
        _unsafeBytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(slot.memory)[visible]))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The bytes, to be written in place.
  package var mutableBytes: MutableSpan<UInt8> {
    @_lifetime(&self)
    mutating get {
      let span = unsafe MutableSpan<UInt8>(
        _unsafeBytes: UnsafeMutableRawBufferPointer(rebasing: slot.memory[visible]))
      return unsafe _overrideLifetime(span, mutating: &self)
    }
  }

  /// Overwrites `range` with zeros, so that the memory can serve the next message; the optimiser may not remove it.
  package mutating func wipe(_ range: Range<Int>) {
    precondition(range.upperBound <= visible.count, "a range inside the value")
    let start = visible.lowerBound
    unsafe ThumbturnCrypto.wipe(
      UnsafeMutableRawBufferPointer(rebasing: slot.memory[(start + range.lowerBound)..<(start + range.upperBound)]))
  }

  /// Shows only `range` of what is shown now; the rest stays until the end, and is wiped with it.
  package mutating func narrow(to range: Range<Int>) {
    precondition(range.upperBound <= visible.count, "a range inside the value")
    visible = (visible.lowerBound + range.lowerBound)..<(visible.lowerBound + range.upperBound)
  }

  /// Compares in time that depends on the sizes only.
  public func isEqual(to other: borrowing SecretBytes) -> Bool { isEqualInConstantTime(bytes, other.bytes) }

  deinit { slot.free() }
}

/// Compares in time that depends on the sizes only.
package func isEqualInConstantTime(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  guard !left.isEmpty else { return true }
  return unsafe left.withUnsafeBytes { left in
    unsafe right.withUnsafeBytes { right in unsafe sodium_memcmp(left.baseAddress, right.baseAddress, left.count) == 0 }
  }
}
