internal import ThumbturnCrypto
internal import ThumbturnKeychain
internal import ThumbturnVault

// The fields of items and what is asked of them. Writing and reading stand side by side, number by number.

extension ItemClass {
  init(wire: UInt64) throws(FrameError) {
    guard let raw = UInt8(exactly: wire), let found = Self(rawValue: raw) else { throw .wrongValue }
    self = found
  }
}

extension ProtectionClass {
  init(wire: UInt64) throws(FrameError) {
    guard let raw = UInt8(exactly: wire), let found = Self(rawValue: raw) else { throw .wrongValue }
    self = found
  }
}

extension FieldWriter {
  mutating func itemClass(_ number: UInt16, _ value: ItemClass) { self.number(number, UInt64(value.rawValue)) }

  mutating func protectionClass(_ number: UInt16, _ value: ProtectionClass?) {
    self.number(number, value.map { UInt64($0.rawValue) })
  }

  mutating func accessControl(_ number: UInt16, _ value: AccessControl?) {
    guard let value else { return }
    group(number) { fields in
      fields.protectionClass(1, value.protectionClass)
      fields.number(2, value.conditions.rawValue)
    }
  }

  /// Further secrets by their attributes, in ascending order.
  mutating func extraSecrets(_ number: UInt16, _ value: [Attribute: SharedSecret]) {
    guard !value.isEmpty else { return }
    let entries = value.sorted { $0.key.rawValue < $1.key.rawValue }
    list(number, entries, countMax: FrameLimits.extraSecretsCountMax) { fields, entry in
      fields.number(1, UInt64(entry.key.rawValue))
      fields.secret(2, entry.value)
    }
  }
}

extension FieldReader {
  mutating func optionalProtectionClass(_ number: UInt16, in bytes: Span<UInt8>) throws(FrameError) -> ProtectionClass?
  {
    guard let value = try optionalNumber(number, in: bytes) else { return nil }
    return try ProtectionClass(wire: value)
  }

  mutating func accessControl(_ number: UInt16, in bytes: Span<UInt8>) throws(FrameError) -> AccessControl? {
    guard var fields = try optionalGroup(number, in: bytes) else { return nil }
    let protection = try ProtectionClass(wire: fields.number(1, in: bytes))
    let bits = try fields.number(2, in: bytes)
    try fields.end()
    // Conditions that mean the same have one spelling, also here.
    guard let control = AccessControl(protection, .init(rawValue: bits)), control.conditions.rawValue == bits else {
      throw .wrongValue
    }
    return control
  }

  mutating func extraSecrets(_ number: UInt16, in bytes: Span<UInt8>) throws(FrameError) -> [Attribute: SharedSecret] {
    var secrets: [Attribute: SharedSecret] = [:]
    var last: UInt16?
    let isThere = try optionalList(number, countMax: FrameLimits.extraSecretsCountMax, in: bytes) {
      (range) throws(FrameError) in
      var fields = FieldReader(range)
      guard let attribute = UInt16(exactly: try fields.number(1, in: bytes)) else { throw .wrongValue }
      if let last, attribute <= last { throw .wrongValue }
      last = attribute
      secrets[Attribute(rawValue: attribute)] =
        try fields.secret(2, countMax: FrameLimits.secretCountMax, in: bytes)
      try fields.end()
    }
    // None is no list.
    guard isThere != secrets.isEmpty else { throw .wrongValue }
    return secrets
  }
}

extension NewItem {
  func write(to fields: inout FieldWriter) {
    fields.itemClass(1, itemClass)
    fields.attributes(2, ItemAttributes(attributes))
    fields.protectionClass(3, protectionClass)
    fields.flag(4, isSynchronizable)
    fields.accessControl(5, accessControl)
    fields.secret(6, secret)
    fields.extraSecrets(7, extraSecrets)
  }

  init(_ fields: consuming FieldReader, in bytes: Span<UInt8>) throws(FrameError) {
    let itemClass = try ItemClass(wire: fields.number(1, in: bytes))
    self.init(itemClass, try fields.attributes(2, in: bytes).dictionary)
    protectionClass = try fields.optionalProtectionClass(3, in: bytes)
    isSynchronizable = try fields.flag(4, in: bytes)
    accessControl = try fields.accessControl(5, in: bytes)
    secret = try fields.optionalSecret(6, in: bytes)
    extraSecrets = try fields.extraSecrets(7, in: bytes)
    try fields.end()
  }
}

extension ItemChange {
  func write(to fields: inout FieldWriter) {
    fields.attributes(1, ItemAttributes(attributes))
    fields.protectionClass(2, protectionClass)
    fields.flag(3, isSynchronizable)
    fields.accessControl(4, accessControl)
    fields.secret(5, secret)
    fields.extraSecrets(6, extraSecrets)
  }

  init(_ fields: consuming FieldReader, in bytes: Span<UInt8>) throws(FrameError) {
    self.init(try fields.attributes(1, in: bytes).dictionary)
    protectionClass = try fields.optionalProtectionClass(2, in: bytes)
    isSynchronizable = try fields.optionalFlag(3, in: bytes)
    accessControl = try fields.accessControl(4, in: bytes)
    secret = try fields.optionalSecret(5, in: bytes)
    extraSecrets = try fields.extraSecrets(6, in: bytes)
    try fields.end()
  }
}

extension FoundItem {
  func write(to fields: inout FieldWriter) {
    fields.itemClass(1, itemClass)
    fields.attributes(2, attributes)
    fields.protectionClass(3, protectionClass)
    fields.flag(4, isSynchronizable)
    fields.bytes(5, reference, countMax: FrameLimits.referenceCountMax)
    fields.accessControl(6, accessControl)
    fields.secret(7, secret)
    fields.extraSecrets(8, extraSecrets)
    if let identityKey { fields.group(9) { identityKey.write(to: &$0) } }
  }

  /// - Parameter mayHaveKey: Whether this may be an identity; the key of one has no key itself.
  init(_ fields: consuming FieldReader, in bytes: Span<UInt8>, mayHaveKey: Bool = true) throws(FrameError) {
    let itemClass = try ItemClass(wire: fields.number(1, in: bytes))
    let attributes = try fields.attributes(2, in: bytes)
    guard let protection = try fields.optionalProtectionClass(3, in: bytes) else { throw .missingField }
    let isSynchronizable = try fields.flag(4, in: bytes)
    let reference = try fields.bytes(5, countMax: FrameLimits.referenceCountMax, in: bytes)
    let control = try fields.accessControl(6, in: bytes)
    let secret = try fields.optionalSecret(7, in: bytes)
    let extraSecrets = try fields.extraSecrets(8, in: bytes)
    var key: FoundItem?
    if mayHaveKey, let inner = try fields.optionalGroup(9, in: bytes) {
      key = try FoundItem(inner, in: bytes, mayHaveKey: false)
    }
    try fields.end()
    self.init(
      itemClass: itemClass, attributes: attributes, protectionClass: protection, isSynchronizable: isSynchronizable,
      reference: reference, secret: secret, accessControl: control, extraSecrets: extraSecrets, identityKey: key)
  }
}

extension Caller {
  func write(to fields: inout FieldWriter) {
    fields.list(1, texts: accessGroups, countMax: FrameLimits.groupsCountMax)
    fields.text(2, appClipGroup)
  }

  init(_ fields: consuming FieldReader, in bytes: Span<UInt8>) throws(FrameError) {
    let groups = try fields.texts(1, in: bytes)
    let clip = try fields.optionalText(2, in: bytes)
    try fields.end()
    self.init(accessGroups: groups, appClipGroup: clip)
  }
}

extension FieldReader {
  /// A list of access groups.
  mutating func texts(_ number: UInt16, in bytes: Span<UInt8>) throws(FrameError) -> [String] {
    var texts: [String] = []
    try list(number, countMax: FrameLimits.groupsCountMax, in: bytes) { (range) throws(FrameError) in
      texts.append(try Self.text(range, countMax: FrameLimits.textCountMax, in: bytes))
    }
    return texts
  }
}
