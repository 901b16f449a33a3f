/// What an attribute is: the rows of SECITEM.md §5. One table, from which parsing, uniqueness, tags and results follow.
package struct AttributeDefinition: Sendable {
  /// Which values an attribute takes and how they are stored (SECITEM.md §3).
  package enum Kind: Sendable {
    /// Text, data or number, kept as given.
    case blob
    /// Data; text becomes UTF-8.
    case data
    /// Text.
    case text
    /// A 64-bit integer; text that is no integer stays text.
    case number
    /// Seconds since 2001.
    case date
    /// An access control.
    case accessControl
  }

  /// Where a record holds it.
  enum Place: Sendable {
    /// The metadata box.
    case metadata
    /// A column of its own, which both boxes authenticate.
    case column
    /// The secret box.
    case secret
    /// The policy place of the metadata box.
    case policy
    /// Nowhere: internal to Apple's server.
    case nowhere
  }

  package let attribute: Attribute
  package let code: String
  package let kind: Kind
  /// Whether it is a secret that internet passwords have beside their data.
  package var isExtraSecret: Bool { place == .secret && attribute != .data }
  package let classes: [ItemClass]
  let isKey: Bool
  let place: Place

  init(
    _ attribute: Attribute, _ code: String, _ kind: Kind, _ classes: [ItemClass], isKey: Bool = false,
    in place: Place = .metadata
  ) {
    self.attribute = attribute
    self.code = code
    self.kind = kind
    self.classes = classes
    self.isKey = isKey
    self.place = place
  }
}

extension AttributeDefinition {
  private static let passwords: [ItemClass] = [.genericPassword, .internetPassword]
  private static let all = ItemClass.allCases

  /// Every row, in ascending number order.
  package static let table: [AttributeDefinition] = [
    .init(.creationDate, "cdat", .date, all),
    .init(.modificationDate, "mdat", .date, all),
    .init(.description, "desc", .blob, passwords),
    .init(.comment, "icmt", .blob, passwords),
    .init(.creator, "crtr", .number, passwords),
    .init(.type, "type", .number, passwords),
    .init(.scriptCode, "scrp", .number, passwords),
    .init(.label, "labl", .blob, all),
    .init(.alias, "alis", .blob, [.genericPassword]),
    .init(.isInvisible, "invi", .number, passwords),
    .init(.isNegative, "nega", .number, passwords),
    .init(.hasCustomIcon, "cusi", .number, passwords),
    .init(.legacyProtected, "prot", .blob, passwords),
    .init(.account, "acct", .blob, passwords, isKey: true),
    .init(.service, "svce", .blob, [.genericPassword], isKey: true),
    .init(.generic, "gena", .blob, [.genericPassword]),
    .init(.accessGroup, "agrp", .text, all, isKey: true),
    .init(.accessible, "pdmn", .text, all, in: .column),
    .init(.synchronizable, "sync", .number, all, isKey: true, in: .column),
    .init(.tombstone, "tomb", .number, all, in: .nowhere),
    .init(.sha1, "sha1", .data, all, in: .nowhere),
    .init(.syncViewHint, "vwht", .text, all, isKey: true),
    .init(.tokenID, "tkid", .text, all, isKey: true),
    .init(.data, "v_Data", .data, all, in: .secret),
    .init(.accessControl, "accc", .accessControl, all, in: .policy),
    .init(.multiUser, "musr", .data, all, isKey: true),
    .init(.uuid, "UUID", .text, all, in: .nowhere),
    .init(.sysBound, "sysb", .number, all),
    .init(.pcsPlaintextServiceIdentifier, "pcss", .number, all),
    .init(.pcsPlaintextPublicKey, "pcsk", .blob, all),
    .init(.pcsPlaintextPublicIdentity, "pcsi", .blob, all),
    .init(.persistentReference, "persistref", .data, all, in: .nowhere),
    .init(.appClip, "clip", .number, all, in: .nowhere),
    .init(.sharingGroup, "ggrp", .text, all, isKey: true),
    .init(.aliasOfOthers, "alis", .blob, [.internetPassword, .certificate, .key]),
    .init(.securityDomain, "sdmn", .blob, [.internetPassword], isKey: true),
    .init(.server, "srvr", .blob, [.internetPassword], isKey: true),
    .init(.protocol, "ptcl", .number, [.internetPassword], isKey: true),
    .init(.authenticationType, "atyp", .blob, [.internetPassword], isKey: true),
    .init(.port, "port", .number, [.internetPassword], isKey: true),
    .init(.path, "path", .blob, [.internetPassword], isKey: true),
    .init(.extraNotes, "binn", .data, [.internetPassword], in: .secret),
    .init(.extraHistory, "bini", .data, [.internetPassword], in: .secret),
    .init(.clientDefined0, "bin0", .data, [.internetPassword], in: .secret),
    .init(.clientDefined1, "bin1", .data, [.internetPassword], in: .secret),
    .init(.clientDefined2, "bin2", .data, [.internetPassword], in: .secret),
    .init(.clientDefined3, "bin3", .data, [.internetPassword], in: .secret),
    .init(.certificateType, "ctyp", .number, [.certificate], isKey: true),
    .init(.certificateEncoding, "cenc", .number, [.certificate]),
    .init(.subject, "subj", .data, [.certificate]),
    .init(.issuer, "issr", .data, [.certificate], isKey: true),
    .init(.serialNumber, "slnr", .data, [.certificate], isKey: true),
    .init(.subjectKeyID, "skid", .data, [.certificate]),
    .init(.publicKeyHash, "pkhh", .data, [.certificate]),
    .init(.keyClass, "kcls", .number, [.key], isKey: true),
    .init(.isPermanent, "perm", .number, [.key]),
    .init(.isPrivate, "priv", .number, [.key]),
    .init(.isModifiable, "modi", .number, [.key]),
    .init(.applicationLabel, "klbl", .data, [.key], isKey: true),
    .init(.applicationTag, "atag", .blob, [.key], isKey: true),
    .init(.keyCreator, "crtr", .number, [.key], isKey: true),
    .init(.keyType, "type", .number, [.key], isKey: true),
    .init(.keySizeInBits, "bsiz", .number, [.key], isKey: true),
    .init(.effectiveKeySize, "esiz", .number, [.key], isKey: true),
    .init(.startDate, "sdat", .date, [.key], isKey: true),
    .init(.endDate, "edat", .date, [.key], isKey: true),
    .init(.isSensitive, "sens", .number, [.key]),
    .init(.wasAlwaysSensitive, "asen", .number, [.key]),
    .init(.isExtractable, "extr", .number, [.key]),
    .init(.wasNeverExtractable, "next", .number, [.key]),
    .init(.canEncrypt, "encr", .number, [.key]),
    .init(.canDecrypt, "decr", .number, [.key]),
    .init(.canDerive, "drve", .number, [.key]),
    .init(.canSign, "sign", .number, [.key]),
    .init(.canVerify, "vrfy", .number, [.key]),
    .init(.canSignRecover, "snrc", .number, [.key]),
    .init(.canVerifyRecover, "vyrc", .number, [.key]),
    .init(.canWrap, "wrap", .number, [.key]),
    .init(.canUnwrap, "unwp", .number, [.key]),
  ]

  private static let byCode = Dictionary(grouping: table, by: \.code)

  /// The row of an attribute. The numbers leave no gap, so a number tells the place; every find looks a few up.
  package static func of(_ attribute: Attribute) -> AttributeDefinition? {
    let place = Int(attribute.rawValue) - Int(Attribute.creationDate.rawValue)
    guard table.indices.contains(place), table[place].attribute == attribute else { return nil }
    return table[place]
  }

  /// The row that an item class has under Apple's code; `type` and `crtr` are two attributes each.
  package static func of(code: String, in itemClass: ItemClass) -> AttributeDefinition? {
    byCode[code]?.first { $0.classes.contains(itemClass) }
  }
}
