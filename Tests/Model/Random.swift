/// Numbers that depend on the seed alone (SplitMix64), so that a difference can be shown again.
struct Random {
  private var state: UInt64

  init(seed: UInt64, sequence: Int) { state = seed &+ UInt64(sequence) &* 0xD1B5_4A32_D192_ED03 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// True in so many of a hundred.
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }

  /// Of a list, the first ones more often: items must meet each other.
  mutating func early<Element>(_ list: [Element]) -> Element { list[min(below(list.count), below(list.count))] }
}
