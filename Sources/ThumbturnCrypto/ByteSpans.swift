extension MutableSpan where Element == UInt8 {
  /// Writes `bytes` at `at` and moves `at` behind them.
  @_lifetime(self: copy self)
  package mutating func put(_ bytes: Span<UInt8>, at: inout Int) {
    precondition(bytes.count <= count - at, "a place that was made large enough")
    for index in bytes.indices { self[at + index] = bytes[index] }
    at += bytes.count
  }

  /// Writes the lowest `count` bytes of `value`, lowest first, at `at`, and moves `at` behind them.
  @_lifetime(self: copy self)
  package mutating func putNumber(_ value: UInt64, count: Int, at: inout Int) {
    for index in 0..<count { self[at + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index)) }
    at += count
  }
}

extension Span where Element == UInt8 {
  /// The number in `count` bytes at `at`, lowest first.
  package func number(at: Int, count: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(self[at + index]) << UInt64(8 * index) }
    return value
  }

  /// An array with these bytes, for values that are no secret.
  package func copied() -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(count)
    for index in indices { out.append(self[index]) }
    return out
  }

  /// Whether both hold the same bytes; not in constant time.
  package func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }
}
