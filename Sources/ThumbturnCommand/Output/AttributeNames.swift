internal import ThumbturnKeychain

/// What `show` and JSON call an attribute; one that is newer than the table by its number.
func attributeName(_ attribute: Attribute) -> String {
  AttributeName.table.first { $0.attribute == attribute }?.name ?? "attribute\(attribute.rawValue)"
}

/// The names of attributes, in the order in which `show` has them.
enum AttributeName {
  static let table: [(attribute: Attribute, name: String)] = names + details + ofCertificates + ofKeys + internals

  private static let names: [(Attribute, String)] = [
    (.service, "service"),
    (.protocol, "protocol"),
    (.server, "server"),
    (.port, "port"),
    (.path, "path"),
    (.account, "account"),
    (.securityDomain, "securityDomain"),
    (.authenticationType, "authenticationType"),
    (.label, "label"),
    (.comment, "comment"),
    (.description, "description"),
    (.generic, "generic"),
  ]

  private static let details: [(Attribute, String)] = [
    (.accessGroup, "group"),
    (.creationDate, "created"),
    (.modificationDate, "modified"),
    (.creator, "creator"),
    (.type, "type"),
    (.isInvisible, "isInvisible"),
    (.isNegative, "isNegative"),
    (.hasCustomIcon, "hasCustomIcon"),
    (.scriptCode, "scriptCode"),
    (.alias, "alias"),
    (.aliasOfOthers, "alias"),
  ]

  private static let ofCertificates: [(Attribute, String)] = [
    (.certificateType, "certificateType"),
    (.certificateEncoding, "certificateEncoding"),
    (.subject, "subject"),
    (.issuer, "issuer"),
    (.serialNumber, "serialNumber"),
    (.subjectKeyID, "subjectKeyID"),
    (.publicKeyHash, "publicKeyHash"),
  ]

  private static let ofKeys: [(Attribute, String)] = [
    (.keyClass, "keyClass"),
    (.keyType, "keyType"),
    (.keySizeInBits, "keySizeInBits"),
    (.effectiveKeySize, "effectiveKeySize"),
    (.applicationLabel, "applicationLabel"),
    (.applicationTag, "applicationTag"),
    (.keyCreator, "keyCreator"),
    (.startDate, "startDate"),
    (.endDate, "endDate"),
    (.isPermanent, "isPermanent"),
    (.isPrivate, "isPrivate"),
    (.isModifiable, "isModifiable"),
    (.isSensitive, "isSensitive"),
    (.wasAlwaysSensitive, "wasAlwaysSensitive"),
    (.isExtractable, "isExtractable"),
    (.wasNeverExtractable, "wasNeverExtractable"),
    (.canEncrypt, "canEncrypt"),
    (.canDecrypt, "canDecrypt"),
    (.canDerive, "canDerive"),
    (.canSign, "canSign"),
    (.canVerify, "canVerify"),
    (.canSignRecover, "canSignRecover"),
    (.canVerifyRecover, "canVerifyRecover"),
    (.canWrap, "canWrap"),
    (.canUnwrap, "canUnwrap"),
  ]

  private static let internals: [(Attribute, String)] = [
    (.legacyProtected, "legacyProtected"),
    (.syncViewHint, "syncViewHint"),
    (.tokenID, "tokenID"),
    (.multiUser, "multiUser"),
    (.sharingGroup, "sharingGroup"),
    (.sysBound, "sysBound"),
    (.pcsPlaintextServiceIdentifier, "pcsPlaintextServiceIdentifier"),
    (.pcsPlaintextPublicKey, "pcsPlaintextPublicKey"),
    (.pcsPlaintextPublicIdentity, "pcsPlaintextPublicIdentity"),
  ]
}
