/// Changes bytes of a message as bad luck and bad will do.
package struct Mutator: Sendable {
  /// Where the changes come from.
  package var dice: Dice
  private let others: [[UInt8]]

  /// - Parameter others: Messages of which parts are put into each other.
  package init(seed: UInt64, others: [[UInt8]]) {
    dice = Dice(seed: seed)
    self.others = others
  }

  /// One of the messages, changed in one to four ways; at most 65,536 bytes.
  package mutating func next() -> [UInt8] {
    var bytes = others[dice.below(others.count)]
    for _ in 0...dice.below(4) { change(&bytes) }
    return Array(bytes.prefix(65_536))
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return bytes.append(UInt8(truncatingIfNeeded: dice.next())) }
    let at = dice.below(bytes.count)
    switch dice.below(9) {
    case 0: bytes[at] ^= 1 << UInt8(dice.below(8))
    case 1: bytes[at] = UInt8(truncatingIfNeeded: dice.next())
    case 2: bytes.removeLast(bytes.count - at)
    case 3: bytes.insert(UInt8(truncatingIfNeeded: dice.next()), at: at)
    case 4: bytes.remove(at: at)
    case 5:
      // A size or a number with an odd value.
      let value = [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, UInt64(bytes.count), UInt64(at)][dice.below(7)]
      for index in 0..<min(4, bytes.count - at) {
        bytes[at + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
      }
    case 6:
      let end = at + dice.below(bytes.count - at)
      bytes.insert(contentsOf: bytes[at..<end], at: dice.below(bytes.count))
    case 7:
      let other = others[dice.below(others.count)]
      let from = dice.below(other.count)
      bytes.replaceSubrange(at..., with: other[from...])
    default:
      // Another operation with the same body.
      if bytes.count > 7 { bytes[6] = UInt8(dice.below(24)) }
    }
  }
}
