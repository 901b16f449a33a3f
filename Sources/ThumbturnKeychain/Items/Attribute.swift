/// An attribute of an item, by its number in the record format (Documentation/vault-format.md).
///
/// Numbers are for ever: a new attribute takes a new one.
public struct Attribute: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: UInt16
  /// The attribute with a number, known or not.
  public init(rawValue: UInt16) { self.rawValue = rawValue }
}

extension Attribute {
  /// `cdat`: `kSecAttrCreationDate`.
  public static let creationDate = Self(rawValue: 16)
  /// `mdat`: `kSecAttrModificationDate`.
  public static let modificationDate = Self(rawValue: 17)
  /// `desc`: `kSecAttrDescription`.
  public static let description = Self(rawValue: 18)
  /// `icmt`: `kSecAttrComment`.
  public static let comment = Self(rawValue: 19)
  /// `crtr`: `kSecAttrCreator`.
  public static let creator = Self(rawValue: 20)
  /// `type`: `kSecAttrType`.
  public static let type = Self(rawValue: 21)
  /// `scrp`: `kSecAttrScriptCode` (no public constant on iOS).
  public static let scriptCode = Self(rawValue: 22)
  /// `labl`: `kSecAttrLabel`.
  public static let label = Self(rawValue: 23)
  /// `alis`: `kSecAttrAlias` (no public constant on iOS).
  public static let alias = Self(rawValue: 24)
  /// `invi`: `kSecAttrIsInvisible`.
  public static let isInvisible = Self(rawValue: 25)
  /// `nega`: `kSecAttrIsNegative`.
  public static let isNegative = Self(rawValue: 26)
  /// `cusi`: `kSecAttrHasCustomIcon` (no public constant on iOS).
  public static let hasCustomIcon = Self(rawValue: 27)
  /// `prot`: no constant.
  public static let legacyProtected = Self(rawValue: 28)
  /// `acct`: `kSecAttrAccount`.
  public static let account = Self(rawValue: 29)
  /// `svce`: `kSecAttrService`.
  public static let service = Self(rawValue: 30)
  /// `gena`: `kSecAttrGeneric`.
  public static let generic = Self(rawValue: 31)
  /// `agrp`: `kSecAttrAccessGroup`.
  public static let accessGroup = Self(rawValue: 32)
  /// `pdmn`: `kSecAttrAccessible`.
  public static let accessible = Self(rawValue: 33)
  /// `sync`: `kSecAttrSynchronizable`.
  public static let synchronizable = Self(rawValue: 34)
  /// `tomb`: `kSecAttrTombstone` (no public constant on iOS).
  public static let tombstone = Self(rawValue: 35)
  /// `sha1`: `kSecAttrSHA1` (no public constant on iOS).
  public static let sha1 = Self(rawValue: 36)
  /// `vwht`: `kSecAttrSyncViewHint`.
  public static let syncViewHint = Self(rawValue: 37)
  /// `tkid`: `kSecAttrTokenID`.
  public static let tokenID = Self(rawValue: 38)
  /// `v_Data`: `kSecValueData`.
  public static let data = Self(rawValue: 39)
  /// `accc`: `kSecAttrAccessControl`.
  public static let accessControl = Self(rawValue: 40)
  /// `musr`: `kSecAttrMultiUser` (no public constant on iOS).
  public static let multiUser = Self(rawValue: 41)
  /// `UUID`: `kSecAttrUUID` (no public constant on iOS).
  public static let uuid = Self(rawValue: 42)
  /// `sysb`: `kSecAttrSysBound` (no public constant on iOS).
  public static let sysBound = Self(rawValue: 43)
  /// `pcss`: `kSecAttrPCSPlaintextServiceIdentifier` (no public constant on iOS).
  public static let pcsPlaintextServiceIdentifier = Self(rawValue: 44)
  /// `pcsk`: `kSecAttrPCSPlaintextPublicKey` (no public constant on iOS).
  public static let pcsPlaintextPublicKey = Self(rawValue: 45)
  /// `pcsi`: `kSecAttrPCSPlaintextPublicIdentity` (no public constant on iOS).
  public static let pcsPlaintextPublicIdentity = Self(rawValue: 46)
  /// `persistref`: `kSecAttrPersistentReference` (no public constant on iOS).
  public static let persistentReference = Self(rawValue: 47)
  /// `clip`: no constant.
  public static let appClip = Self(rawValue: 48)
  /// `ggrp`: `kSecAttrSharingGroup` (no public constant on iOS).
  public static let sharingGroup = Self(rawValue: 49)
  /// `alis`: `kSecAttrAlias` (no public constant on iOS).
  public static let aliasOfOthers = Self(rawValue: 50)
  /// `sdmn`: `kSecAttrSecurityDomain`.
  public static let securityDomain = Self(rawValue: 51)
  /// `srvr`: `kSecAttrServer`.
  public static let server = Self(rawValue: 52)
  /// `ptcl`: `kSecAttrProtocol`.
  public static let `protocol` = Self(rawValue: 53)
  /// `atyp`: `kSecAttrAuthenticationType`.
  public static let authenticationType = Self(rawValue: 54)
  /// `port`: `kSecAttrPort`.
  public static let port = Self(rawValue: 55)
  /// `path`: `kSecAttrPath`.
  public static let path = Self(rawValue: 56)
  /// `binn`: `kSecDataInetExtraNotes` (no public constant on iOS).
  public static let extraNotes = Self(rawValue: 57)
  /// `bini`: `kSecDataInetExtraHistory` (no public constant on iOS).
  public static let extraHistory = Self(rawValue: 58)
  /// `bin0`: `kSecDataInetExtraClientDefined0` (no public constant on iOS).
  public static let clientDefined0 = Self(rawValue: 59)
  /// `bin1`: `kSecDataInetExtraClientDefined1` (no public constant on iOS).
  public static let clientDefined1 = Self(rawValue: 60)
  /// `bin2`: `kSecDataInetExtraClientDefined2` (no public constant on iOS).
  public static let clientDefined2 = Self(rawValue: 61)
  /// `bin3`: `kSecDataInetExtraClientDefined3` (no public constant on iOS).
  public static let clientDefined3 = Self(rawValue: 62)
  /// `ctyp`: `kSecAttrCertificateType`.
  public static let certificateType = Self(rawValue: 63)
  /// `cenc`: `kSecAttrCertificateEncoding`.
  public static let certificateEncoding = Self(rawValue: 64)
  /// `subj`: `kSecAttrSubject`.
  public static let subject = Self(rawValue: 65)
  /// `issr`: `kSecAttrIssuer`.
  public static let issuer = Self(rawValue: 66)
  /// `slnr`: `kSecAttrSerialNumber`.
  public static let serialNumber = Self(rawValue: 67)
  /// `skid`: `kSecAttrSubjectKeyID`.
  public static let subjectKeyID = Self(rawValue: 68)
  /// `pkhh`: `kSecAttrPublicKeyHash`.
  public static let publicKeyHash = Self(rawValue: 69)
  /// `kcls`: `kSecAttrKeyClass`.
  public static let keyClass = Self(rawValue: 70)
  /// `perm`: `kSecAttrIsPermanent`.
  public static let isPermanent = Self(rawValue: 71)
  /// `priv`: `kSecAttrIsPrivate` (no public constant on iOS).
  public static let isPrivate = Self(rawValue: 72)
  /// `modi`: `kSecAttrIsModifiable` (no public constant on iOS).
  public static let isModifiable = Self(rawValue: 73)
  /// `klbl`: `kSecAttrApplicationLabel`.
  public static let applicationLabel = Self(rawValue: 74)
  /// `atag`: `kSecAttrApplicationTag`.
  public static let applicationTag = Self(rawValue: 75)
  /// `crtr`: `kSecAttrKeyCreator` (no public constant on iOS).
  public static let keyCreator = Self(rawValue: 76)
  /// `type`: `kSecAttrKeyType`.
  public static let keyType = Self(rawValue: 77)
  /// `bsiz`: `kSecAttrKeySizeInBits`.
  public static let keySizeInBits = Self(rawValue: 78)
  /// `esiz`: `kSecAttrEffectiveKeySize`.
  public static let effectiveKeySize = Self(rawValue: 79)
  /// `sdat`: `kSecAttrStartDate` (no public constant on iOS).
  public static let startDate = Self(rawValue: 80)
  /// `edat`: `kSecAttrEndDate` (no public constant on iOS).
  public static let endDate = Self(rawValue: 81)
  /// `sens`: `kSecAttrIsSensitive` (no public constant on iOS).
  public static let isSensitive = Self(rawValue: 82)
  /// `asen`: `kSecAttrWasAlwaysSensitive` (no public constant on iOS).
  public static let wasAlwaysSensitive = Self(rawValue: 83)
  /// `extr`: `kSecAttrIsExtractable` (no public constant on iOS).
  public static let isExtractable = Self(rawValue: 84)
  /// `next`: `kSecAttrWasNeverExtractable` (no public constant on iOS).
  public static let wasNeverExtractable = Self(rawValue: 85)
  /// `encr`: `kSecAttrCanEncrypt`.
  public static let canEncrypt = Self(rawValue: 86)
  /// `decr`: `kSecAttrCanDecrypt`.
  public static let canDecrypt = Self(rawValue: 87)
  /// `drve`: `kSecAttrCanDerive`.
  public static let canDerive = Self(rawValue: 88)
  /// `sign`: `kSecAttrCanSign`.
  public static let canSign = Self(rawValue: 89)
  /// `vrfy`: `kSecAttrCanVerify`.
  public static let canVerify = Self(rawValue: 90)
  /// `snrc`: `kSecAttrCanSignRecover` (no public constant on iOS).
  public static let canSignRecover = Self(rawValue: 91)
  /// `vyrc`: `kSecAttrCanVerifyRecover` (no public constant on iOS).
  public static let canVerifyRecover = Self(rawValue: 92)
  /// `wrap`: `kSecAttrCanWrap`.
  public static let canWrap = Self(rawValue: 93)
  /// `unwp`: `kSecAttrCanUnwrap`.
  public static let canUnwrap = Self(rawValue: 94)
}
