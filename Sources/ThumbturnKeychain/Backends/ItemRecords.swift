internal import ThumbturnCrypto
internal import ThumbturnVault

// Between items and records: which attribute becomes which field, column or tag.

extension ItemContent {
  /// The record that this item becomes.
  func draft(_ keys: RecordKeys) throws(VaultError) -> RecordDraft {
    let indexed = PrimaryKey.indexed(itemClass)
    var sealed: [RecordQuery.Sealed] = []
    var fields: [UInt8] = []
    for (attribute, value) in attributes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      value.append(attribute, to: &fields)
      guard attribute != .accessGroup, attribute != indexed.first, attribute != indexed.second else { continue }
      sealed.append(
        .init(number: attribute.rawValue, tag: try keys.tag(itemClass, attribute, value)))
    }
    let (first, second) = (canonicalKeyBytes(indexed.first), canonicalKeyBytes(indexed.second))
    return RecordDraft(
      table: itemClass.rawValue, protection: protectionClass, sync: isSynchronizable,
      primaryKey: try keys.primaryKeyTag(self), group: try keys.tag(itemClass, .accessGroup, .text(group)),
      first: try keys.tag(itemClass, indexed.first, first.span),
      second: try keys.tag(itemClass, indexed.second, second.span), sealed: sealed,
      fields: fields, policy: policy)
  }

  /// The item that a record holds.
  ///
  /// - Throws: ``VaultError/Code/damagedRecord`` when its access control makes no sense.
  init(
    _ record: borrowing OpenRecord, _ itemClass: ItemClass, _ attributes: ItemAttributes
  ) throws(VaultError) {
    self.init(
      itemClass: itemClass, attributes: attributes.dictionary, protectionClass: record.protection,
      isSynchronizable: record.sync)
    accessControl = try record.accessControl()
    guard accessControl != nil else { return }
    enrolmentHash = try record.policy()?.enrolmentHash ?? []
    passwordLock = try record.passwordLock()
  }
}

extension RecordKeys {
  /// The tag of an attribute's value, by its canonical bytes. A certificate's public key hash and a key's application label
  /// share one, so that an identity is found without opening either.
  func tag(_ itemClass: ItemClass, _ attribute: Attribute, _ value: AttributeValue) throws(VaultError) -> RecordTag {
    // Text has its canonical bytes already.
    if case .text(let text) = value { return try tag(itemClass, attribute, text.utf8Span.span) }
    let bytes = value.canonicalBytes
    return try tag(itemClass, attribute, bytes.span)
  }

  func tag(_ itemClass: ItemClass, _ attribute: Attribute, _ canonical: Span<UInt8>) throws(VaultError) -> RecordTag {
    if attribute == .publicKeyHash || attribute == .applicationLabel {
      return try tag(table: 0, code: [0x70, 0x6B, 0x68, 0x6C], canonical)  // pkhl
    }
    guard let code = AttributeDefinition.of(attribute)?.code, code.utf8.count == 4 else {
      // Only a row that this version did not write can hold one.
      throw VaultError(.damagedRecord, "an attribute that this version does not know")
    }
    let letters = code.utf8Span.span
    let four: InlineArray<4, UInt8> = [letters[0], letters[1], letters[2], letters[3]]
    guard attribute != .accessGroup else { return try groupTag(table: itemClass.rawValue, code: four, canonical) }
    return try tag(table: itemClass.rawValue, code: four, canonical)
  }

  /// The tag of the whole primary key, code "pkey".
  func primaryKeyTag(_ item: ItemContent) throws(VaultError) -> RecordTag {
    let bytes = PrimaryKey.bytes(of: item)
    return try tag(table: item.itemClass.rawValue, code: [0x70, 0x6B, 0x65, 0x79], bytes.span)
  }
}

extension AttributeValue {
  /// Appends the field of an attribute with this value.
  func append(_ attribute: Attribute, to fields: inout [UInt8]) {
    switch self {
    case .text(let text): RecordField.append(attribute.rawValue, .text, text.utf8Span.span, to: &fields)
    case .data(let data): RecordField.append(attribute.rawValue, .data, data.span, to: &fields)
    case .number(let number):
      RecordField.append(attribute.rawValue, .number, UInt64(bitPattern: number), to: &fields)
    case .date(let seconds): RecordField.append(attribute.rawValue, .date, seconds.bitPattern, to: &fields)
    }
  }

  /// The value of a field, made straight from the bytes, without an array between.
  init(_ place: RecordFieldPlace, in fields: Span<UInt8>) throws(VaultError) {
    let bytes = fields.extracting(place.range)
    func bits() throws(VaultError) -> UInt64 {
      guard bytes.count == 8 else { throw VaultError(.damagedRecord, "a number has a wrong size") }
      return bytes.number(at: 0, count: 8)
    }
    switch place.kind {
    case .text:
      guard let text = try? UTF8Span(validating: bytes) else {
        throw VaultError(.damagedRecord, "a text is no UTF-8")
      }
      self = .text(String(copying: text))
    case .data: self = .data(unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) })
    case .number: self = .number(Int64(bitPattern: try bits()))
    case .date: self = .date(Double(bitPattern: try bits()))
    }
  }
}
