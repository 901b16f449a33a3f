internal import Glibc

// Every record goes through these a dozen times, so they move whole words and blocks, and can be compiled into the modules
// that call them. Places that are checked once here are not checked again for each byte.

extension MutableSpan where Element == UInt8 {
  /// Writes `bytes` at `at` and moves `at` behind them.
  @_lifetime(self: copy self)
  package mutating func put(_ bytes: Span<UInt8>, at: inout Int) {
    precondition(at >= 0 && bytes.count <= count - at, "a place that was made large enough")
    let start = at
    unsafe withUnsafeMutableBytes { place in
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe UnsafeMutableRawBufferPointer(rebasing: place[start...]).copyMemory(from: bytes)
      }
    }
    at += bytes.count
  }

  /// Writes the lowest `count` bytes of `value`, lowest first, at `at`, and moves `at` behind them.
  @inlinable
  @_lifetime(self: copy self)
  package mutating func putNumber(_ value: UInt64, count: Int, at: inout Int) {
    for index in 0..<count { self[at + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index)) }
    at += count
  }
}

extension Span where Element == UInt8 {
  /// The number in `count` bytes, at most 8, at `at`, lowest first.
  @inlinable
  package func number(at: Int, count: Int) -> UInt64 {
    precondition(at >= 0 && count >= 0 && count <= self.count - at, "a place inside")
    return unsafe withUnsafeBytes { bytes in
      switch count {
      case 2: unsafe UInt64(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt16.self)))
      case 4: unsafe UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)))
      case 8: unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      default:
        (0..<count).reduce(0) { (value: UInt64, index) in
          unsafe value | UInt64(bytes[at + index]) << UInt64(8 * index)
        }
      }
    }
  }

  /// An array with these bytes, for values that are no secret.
  package func copied() -> [UInt8] { unsafe withUnsafeBufferPointer { unsafe Array($0) } }

  /// Whether both hold the same bytes; not in constant time.
  package func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBytes { left in
      unsafe other.withUnsafeBytes { right in
        guard let start = left.baseAddress, let other = right.baseAddress else { return true }
        return unsafe memcmp(start, other, left.count) == 0
      }
    }
  }
}
