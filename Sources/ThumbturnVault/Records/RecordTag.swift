/// A keyed tag of a value: 16 bytes by which records are found, and from which nobody without the index key learns it.
package struct RecordTag: Equatable, Sendable {
  package static let count = 16
  /// The part of a tag that stands in a sealed tag blob.
  static let shortCount = 8
  let bytes: InlineArray<16, UInt8>

  init(_ bytes: InlineArray<16, UInt8>) { self.bytes = bytes }

  package static func == (left: Self, right: Self) -> Bool { left.equals(right.bytes.span) }

  func equals(_ other: Span<UInt8>) -> Bool {
    guard other.count == Self.count else { return false }
    for index in 0..<Self.count where bytes[index] != other[index] { return false }
    return true
  }
}
