extension Span where Element == UInt8 {
  /// The scalar that begins at `index` and its size in bytes; nil when the bytes there are not valid UTF-8.
  ///
  /// Overlong forms, surrogates and values above U+10FFFF are not valid (Unicode, table 3-7).
  func scalar(at index: Int) -> (value: UInt32, sizeBytes: Int)? {
    let lead = self[index]
    let size: Int
    var second: ClosedRange<UInt8> = 0x80...0xbf
    switch lead {
    case 0x00...0x7f: return (UInt32(lead), 1)
    case 0xc2...0xdf: size = 2
    case 0xe0...0xef:
      size = 3
      if lead == 0xe0 { second = 0xa0...0xbf }
      if lead == 0xed { second = 0x80...0x9f }
    case 0xf0...0xf4:
      size = 4
      if lead == 0xf0 { second = 0x90...0xbf }
      if lead == 0xf4 { second = 0x80...0x8f }
    default: return nil
    }
    guard index + size <= count, second.contains(self[index + 1]) else { return nil }
    var value = UInt32(lead) & (0xff >> UInt32(size + 1))
    for offset in 1..<size {
      let byte = self[index + offset]
      guard byte & 0xc0 == 0x80 else { return nil }
      value = value << 6 | UInt32(byte & 0x3f)
    }
    return (value, size)
  }

  /// Whether all of it is valid UTF-8.
  var isText: Bool {
    var index = 0
    while index < count {
      guard let scalar = scalar(at: index) else { return false }
      index += scalar.sizeBytes
    }
    return true
  }
}

/// Whether a scalar could move the cursor, end a line, or change the order in which a terminal shows its neighbours.
func isUnsafeToShow(_ scalar: UInt32) -> Bool {
  switch scalar {
  case 0...0x1f, 0x7f...0x9f: true  // control characters
  case 0x00ad, 0x061c, 0x180e, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x2069, 0xfeff: true  // unseen, direction
  case 0xe0000...0xe007f: true  // unseen tags
  default: false
  }
}
