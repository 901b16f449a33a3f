internal import ThumbturnCrypto
internal import ThumbturnVault

/// The attributes of an item that was found, in ascending order of their numbers.
///
/// They stay as the record has them, and each value is made when it is asked for: who lists a hundred thousand items reads
/// a few of each. Asking for a value again makes it again.
public struct ItemAttributes: Hashable, Sendable {
  /// The encoded fields of a record, without the vault's own; all of them can be decoded.
  package let encoded: [UInt8]
  /// How many there are.
  public let count: Int

  /// Attributes with these values.
  public init(_ values: [Attribute: AttributeValue]) {
    var encoded: [UInt8] = []
    for (attribute, value) in values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      value.append(attribute, to: &encoded)
    }
    self.encoded = encoded
    count = values.count
  }

  /// - Parameter encoded: `count` fields that ``RecordFieldPlace/check(in:)`` let pass.
  init(encoded: [UInt8], count: Int) {
    self.encoded = encoded
    self.count = count
  }

  /// Encoded fields that come from outside; nil when one of them cannot be decoded, or stands out of order.
  package init?(checking fields: Span<UInt8>) {
    var walk = RecordFieldWalk()
    var count = 0
    do {
      while let place = try walk.next(in: fields) {
        try place.check(in: fields)
        count += 1
      }
    } catch { return nil }
    self.init(encoded: fields.copied(), count: count)
  }

  /// Those of a record's fields, without the policy, whose field stands among them.
  ///
  /// - Parameters:
  ///   - start: Where the first of them begins.
  ///   - count: How many there are.
  ///   - policy: Where the field of the policy lies, with its head.
  init(fields: Span<UInt8>, from start: Int, count: Int, without policy: Range<Int>?) {
    guard let policy, policy.lowerBound >= start else {
      self.init(encoded: fields.extracting(start..<fields.count).copied(), count: count)
      return
    }
    let before = fields.extracting(start..<policy.lowerBound).copied()
    self.init(
      encoded: before + fields.extracting(policy.upperBound..<fields.count).copied(), count: count)
  }

  /// Whether there are none.
  public var isEmpty: Bool { count == 0 }

  /// The value of an attribute; nil when it is not set.
  public subscript(attribute: Attribute) -> AttributeValue? {
    let fields = encoded.span
    guard let place = try? RecordFieldWalk.find(attribute.rawValue, in: fields) else { return nil }
    return try? AttributeValue(place, in: fields)
  }

  /// Whether an attribute is set.
  public func contains(_ attribute: Attribute) -> Bool {
    (try? RecordFieldWalk.find(attribute.rawValue, in: encoded.span)) != nil
  }

  /// All of them, to be changed.
  public var dictionary: [Attribute: AttributeValue] {
    var values = [Attribute: AttributeValue](minimumCapacity: count)
    for (attribute, value) in self { values[attribute] = value }
    return values
  }

  /// All of them and others; `combine` decides between two values of one attribute.
  public func merging(
    _ others: [Attribute: AttributeValue], uniquingKeysWith combine: (AttributeValue, AttributeValue) -> AttributeValue
  ) -> [Attribute: AttributeValue] {
    dictionary.merging(others, uniquingKeysWith: combine)
  }
}

extension ItemAttributes: Sequence {
  /// Makes one value after the other.
  public struct Iterator: IteratorProtocol {
    fileprivate let encoded: [UInt8]
    private var walk = RecordFieldWalk()

    fileprivate init(_ encoded: [UInt8]) { self.encoded = encoded }

    /// The next attribute and its value.
    public mutating func next() -> (key: Attribute, value: AttributeValue)? {
      let encoded = encoded
      let fields = encoded.span
      guard let place = try? walk.next(in: fields) else { return nil }
      guard let value = try? AttributeValue(place, in: fields) else { return nil }
      return (Attribute(rawValue: place.number), value)
    }
  }

  /// Begins with the lowest number.
  public func makeIterator() -> Iterator { Iterator(encoded) }

  /// As ``count``.
  public var underestimatedCount: Int { count }
}

extension ItemAttributes: ExpressibleByDictionaryLiteral {
  /// Attributes with these values; none may stand there twice.
  public init(dictionaryLiteral elements: (Attribute, AttributeValue)...) {
    self.init(Dictionary(uniqueKeysWithValues: elements))
  }
}

extension ItemAttributes: CustomStringConvertible {
  /// Each attribute's number and value. Names, hosts and accounts are in it: not for logs.
  public var description: String { map { "\($0.key.rawValue): \($0.value)" }.description }
}
