internal import ThumbturnCrypto
internal import ThumbturnVault

// Whether the true values of a candidate say so too: with the class open a tag never answers.

extension ItemMatching {
  /// What must be equal, in the order of a record's fields; made once for a whole find.
  typealias Wanted = [(attribute: Attribute, value: AttributeValue)]
  var wanted: Wanted {
    attributes.map { ($0.key, $0.value) }.sorted { $0.attribute.rawValue < $1.attribute.rawValue }
  }

  /// The attributes of a record that matches; nil for another one. Values are compared as they stand in the record, and
  /// none is made.
  ///
  /// - Parameter wanted: This query's ``wanted``.
  /// - Throws: ``VaultError/Code/damagedRecord`` for a record with a field that cannot be decoded, match or not.
  func attributes(of record: borrowing OpenRecord, _ wanted: Wanted) throws(VaultError) -> ItemAttributes? {
    let fields = record.fields
    var (start, count) = (fields.count, 0)
    var policy: Range<Int>?
    var (isInGroups, isMatch, next) = (false, true, 0)
    var walk = RecordFieldWalk()
    while let place = try walk.next(in: fields) {
      guard place.number > RecordField.ownNumberMax else { continue }
      if place.number == Attribute.accessControl.rawValue {
        policy = place.startWithHead..<place.range.upperBound
        continue
      }
      try place.check(in: fields)
      if count == 0 { start = place.startWithHead }
      count += 1
      let attribute = Attribute(rawValue: place.number)
      if attribute == .accessGroup {
        isInGroups = place.kind == .text && isOwn(group: fields.extracting(place.range))
        continue
      }
      while isMatch, next < wanted.count, wanted[next].attribute.rawValue <= place.number {
        let (attribute, value) = wanted[next]
        if attribute.rawValue == place.number {
          isMatch = try place.holds(value, in: fields)
        } else {
          isMatch = Self.isDefault(value, of: attribute)
        }
        next += 1
      }
    }
    guard isInGroups, isMatch, wanted[next...].allSatisfy({ Self.isDefault($0.value, of: $0.attribute) }) else {
      return nil
    }
    let found = ItemAttributes(fields: fields, from: start, count: count, without: policy)
    guard hasFilter else { return found }
    return filter.accepts(found, reference: record.uuid.array) && isIssued(found) ? found : nil
  }

  private func isOwn(group: Span<UInt8>) -> Bool {
    for name in groups where name.utf8Span.span.equals(group) { return true }
    return false
  }

  /// Whether an item without the attribute has this value: a key attribute has its default then, any other has none.
  private static func isDefault(_ value: AttributeValue, of attribute: Attribute) -> Bool {
    guard let definition = AttributeDefinition.of(attribute), definition.isKey else { return false }
    return definition.kind.absentKeyBytes == value.canonicalBytes
  }

  private func isIssued(_ found: ItemAttributes) -> Bool {
    guard let issuers else { return true }
    return issuers.contains(found[.issuer]?.canonicalBytes ?? [])
  }
}

extension RecordFieldPlace {
  /// Whether the value of the field can be made.
  ///
  /// - Throws: ``VaultError/Code/damagedRecord`` when it cannot.
  func check(in fields: Span<UInt8>) throws(VaultError) {
    switch kind {
    case .text:
      guard (try? UTF8Span(validating: fields.extracting(range))) != nil else {
        throw VaultError(.damagedRecord, "a text is no UTF-8")
      }
    case .data: break
    case .number, .date:
      guard range.count == 8 else { throw VaultError(.damagedRecord, "a number has a wrong size") }
    }
  }

  /// Whether the field has the same canonical bytes as a value. Only two values of different kinds are made for that.
  func holds(_ wanted: AttributeValue, in fields: Span<UInt8>) throws(VaultError) -> Bool {
    let bytes = fields.extracting(range)
    switch wanted {
    case .text(let text) where kind == .text || kind == .data:
      let span = text.utf8Span.span
      return span.equals(bytes)
    case .data(let data) where kind == .text || kind == .data:
      let span = data.span
      return span.equals(bytes)
    case .number(let number) where kind == .number: return bytes.number(at: 0, count: 8) == UInt64(bitPattern: number)
    case .date(let seconds) where kind == .date: return bytes.number(at: 0, count: 8) == seconds.bitPattern
    default: break
    }
    let value = try AttributeValue(self, in: fields)
    return value.hasSameBytes(as: wanted)
  }
}
