internal import ThumbturnCrypto

extension AttributeValue {
  /// The bytes by which two values are the same (VAULT.md §3): those of text and data, a number's decimal text, a date's 8
  /// bytes of IEEE double, highest first.
  var canonicalBytes: [UInt8] {
    switch self {
    case .text(let text): Array(text.utf8)
    case .data(let data): data
    case .number(let number): Array(String(number).utf8)
    case .date(let seconds): (0..<8).map { UInt8(truncatingIfNeeded: seconds.bitPattern >> UInt64(56 - 8 * $0)) }
    }
  }

  /// Whether both have the same canonical bytes, which are made only for two values of different kinds.
  func hasSameBytes(as other: AttributeValue) -> Bool {
    switch (self, other) {
    // Not `==`, to which two spellings of one accent are the same text.
    case (.text(let left), .text(let right)): left.utf8Span.span.equals(right.utf8Span.span)
    case (.data(let left), .data(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.date(let left), .date(let right)): left.bitPattern == right.bitPattern
    default: canonicalBytes == other.canonicalBytes
    }
  }
}

extension AttributeDefinition.Kind {
  /// What a key attribute counts as when it is absent: empty, or zero (SECITEM.md §4).
  var absentKeyBytes: [UInt8] {
    switch self {
    case .blob, .data, .text, .accessControl: []
    case .number: AttributeValue.number(0).canonicalBytes
    case .date: AttributeValue.date(0).canonicalBytes
    }
  }

  /// A value as this kind of attribute stores it, or nil when it does not take it (SECITEM.md §3).
  func stored(_ value: AttributeValue) -> AttributeValue? {
    switch (self, value) {
    case (.blob, .text), (.blob, .data), (.blob, .number), (.data, .data), (.text, .text), (.number, .number):
      value
    // Adding zero makes negative zero the positive one: they are one date, so they must be one key.
    case (.date, .date(let seconds)): seconds.isFinite ? .date(seconds + 0) : nil
    case (.data, .text(let text)): .data(Array(text.utf8))
    case (.data, .number(let number)):
      Int32(exactly: number).map { number in .data((0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }) }
    case (.text, .data(let data)): String(validating: data, as: UTF8.self).map { .text($0) }
    // Text that prints back as the same integer becomes a number; other text stays text (`ptcl` is such an attribute).
    case (.number, .text(let text)): Int64(text).flatMap { String($0) == text ? .number($0) : nil } ?? value
    default: nil
    }
  }
}
