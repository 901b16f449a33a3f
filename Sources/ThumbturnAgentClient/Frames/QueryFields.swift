internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

// The fields of a query.

extension ItemQuery {
  func write(to fields: inout FieldWriter) {
    fields.itemClass(1, itemClass)
    fields.attributes(2, ItemAttributes(attributes))
    if let identityKey { fields.attributes(3, ItemAttributes(identityKey)) }
    fields.protectionClass(4, protectionClass)
    fields.number(5, synchronizable.wireNumber)
    fields.bytes(6, reference, countMax: FrameLimits.referenceCountMax)
    if !filter.isEmpty { fields.group(7) { filter.write(to: &$0) } }
    // Absent is all. The sign goes as the highest bit.
    if case .count(let count) = limit { fields.number(8, UInt64(bitPattern: Int64(count))) }
    fields.flag(9, wantsSecret)
    fields.flag(10, wantsExtraSecrets)
    fields.number(11, consent.wireNumber)
  }

  init(_ fields: consuming FieldReader, in bytes: Span<UInt8>) throws(FrameError) {
    let itemClass = try ItemClass(wire: fields.number(1, in: bytes))
    self.init(itemClass, try fields.attributes(2, in: bytes).dictionary, limit: .all)
    identityKey = try fields.optionalAttributes(3, in: bytes)?.dictionary
    protectionClass = try fields.optionalProtectionClass(4, in: bytes)
    synchronizable = try Synchronizable(wire: fields.number(5, in: bytes))
    reference = try fields.optionalBytes(6, countMax: FrameLimits.referenceCountMax, in: bytes)
    if let inner = try fields.optionalGroup(7, in: bytes) { filter = try ItemFilter(inner, in: bytes) }
    if let count = try fields.optionalNumber(8, in: bytes) { limit = .count(Int(Int64(bitPattern: count))) }
    wantsSecret = try fields.flag(9, in: bytes)
    wantsExtraSecrets = try fields.flag(10, in: bytes)
    consent = try Consent(wire: fields.number(11, in: bytes))
    try fields.end()
  }
}

extension ItemQuery.Synchronizable {
  fileprivate var wireNumber: UInt64 {
    switch self {
    case .no: 0
    case .yes: 1
    case .any: 2
    }
  }

  fileprivate init(wire: UInt64) throws(FrameError) {
    switch wire {
    case 0: self = .no
    case 1: self = .yes
    case 2: self = .any
    default: throw .wrongValue
    }
  }
}

extension ItemQuery.Consent {
  fileprivate var wireNumber: UInt64 {
    switch self {
    case .ask: 0
    case .refuse: 1
    case .leaveOut: 2
    }
  }

  fileprivate init(wire: UInt64) throws(FrameError) {
    switch wire {
    case 0: self = .ask
    case 1: self = .refuse
    case 2: self = .leaveOut
    default: throw .wrongValue
    }
  }
}

extension ItemFilter {
  fileprivate func write(to fields: inout FieldWriter) {
    fields.text(1, host)
    if let references {
      fields.list(
        2, bytes: references.sorted(by: isBefore), countMax: FrameLimits.referencesCountMax,
        entryCountMax: FrameLimits.referenceCountMax)
    }
    if let subjectPart {
      fields.group(3) { fields in
        fields.text(1, subjectPart.text)
        fields.flag(2, subjectPart.ignoresCase)
      }
    }
    if let issuers {
      fields.list(
        4, bytes: issuers.sorted(by: isBefore), countMax: FrameLimits.issuersCountMax,
        entryCountMax: FrameLimits.issuerCountMax)
    }
  }

  fileprivate init(_ fields: consuming FieldReader, in bytes: Span<UInt8>) throws(FrameError) {
    self.init()
    host = try fields.optionalText(1, in: bytes)
    references = try fields.set(
      2, countMax: FrameLimits.referencesCountMax, entryCountMax: FrameLimits.referenceCountMax, in: bytes)
    if var inner = try fields.optionalGroup(3, in: bytes) {
      subjectPart = SubjectPart(try inner.text(1, in: bytes), ignoresCase: try inner.flag(2, in: bytes))
      try inner.end()
    }
    issuers = try fields.set(
      4, countMax: FrameLimits.issuersCountMax, entryCountMax: FrameLimits.issuerCountMax, in: bytes)
    try fields.end()
    // A filter that lets everything pass is no field.
    guard !isEmpty else { throw .wrongValue }
  }
}

/// A set is sent in ascending order, so that it has one encoding.
private func isBefore(_ left: [UInt8], _ right: [UInt8]) -> Bool { left.lexicographicallyPrecedes(right) }

extension FieldReader {
  fileprivate mutating func set(
    _ number: UInt16, countMax: Int, entryCountMax: Int, in bytes: Span<UInt8>
  ) throws(FrameError) -> Set<[UInt8]>? {
    var set: Set<[UInt8]> = []
    var last: [UInt8]?
    let isThere = try optionalList(number, countMax: countMax, in: bytes) { (range) throws(FrameError) in
      guard range.count <= entryCountMax else { throw .overLimit }
      let entry = bytes.extracting(range).copied()
      if let last, !isBefore(last, entry) { throw .wrongValue }
      last = entry
      set.insert(entry)
    }
    return isThere ? set : nil
  }
}
