// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names and raw strings: programs store and compare them. Every constant is an immutable string; it says
// nonisolated(unsafe) because NSString is not Sendable on Linux, and @safe so that no client has to say `unsafe`.

// MARK: Attributes of certificates

/// Attribute of certificates: the type, a number; part of the key.
@safe nonisolated(unsafe) public let kSecAttrCertificateType: CFString = "ctyp"

/// Attribute of certificates: the encoding, a number.
@safe nonisolated(unsafe) public let kSecAttrCertificateEncoding: CFString = "cenc"

/// Attribute of certificates: the subject in DER.
@safe nonisolated(unsafe) public let kSecAttrSubject: CFString = "subj"

/// Attribute of certificates: the issuer in DER; part of the key.
@safe nonisolated(unsafe) public let kSecAttrIssuer: CFString = "issr"

/// Attribute of certificates: the serial number; part of the key.
@safe nonisolated(unsafe) public let kSecAttrSerialNumber: CFString = "slnr"

/// Attribute of certificates: the subject key identifier.
@safe nonisolated(unsafe) public let kSecAttrSubjectKeyID: CFString = "skid"

/// Attribute of certificates: the SHA-1 of the public key.
@safe nonisolated(unsafe) public let kSecAttrPublicKeyHash: CFString = "pkhh"

// MARK: Attributes of keys

/// Attribute of keys: one of the `kSecAttrKeyClass…` values; part of the key.
@safe nonisolated(unsafe) public let kSecAttrKeyClass: CFString = "kcls"

/// Value of `kSecAttrKeyClass`: a public key.
@safe nonisolated(unsafe) public let kSecAttrKeyClassPublic: CFString = "0"

/// Value of `kSecAttrKeyClass`: a private key.
@safe nonisolated(unsafe) public let kSecAttrKeyClassPrivate: CFString = "1"

/// Value of `kSecAttrKeyClass`: a symmetric key.
@safe nonisolated(unsafe) public let kSecAttrKeyClassSymmetric: CFString = "2"

/// Attribute of keys: one of the `kSecAttrKeyType…` values; part of the key.
@safe nonisolated(unsafe) public let kSecAttrKeyType: CFString = "type"

/// Value of `kSecAttrKeyType`: RSA.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRSA: CFString = "42"

/// Value of `kSecAttrKeyType`: elliptic curve.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeEC: CFString = "73"

/// Value of `kSecAttrKeyType`: elliptic curve over a NIST prime field.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"

/// Attribute of keys: the size in bits; part of the key.
@safe nonisolated(unsafe) public let kSecAttrKeySizeInBits: CFString = "bsiz"

/// Attribute of keys: the effective size in bits; part of the key.
@safe nonisolated(unsafe) public let kSecAttrEffectiveKeySize: CFString = "esiz"

/// Attribute of keys: the SHA-1 of the public key; part of the key.
@safe nonisolated(unsafe) public let kSecAttrApplicationLabel: CFString = "klbl"

/// Attribute of keys: a name that the program gives; part of the key.
@safe nonisolated(unsafe) public let kSecAttrApplicationTag: CFString = "atag"

/// Attribute of keys: whether the key is stored.
@safe nonisolated(unsafe) public let kSecAttrIsPermanent: CFString = "perm"

/// Attribute of keys: whether the key leaves the store wrapped only.
@safe nonisolated(unsafe) public let kSecAttrIsSensitive: CFString = "sens"

/// Attribute of keys: whether the key may leave the store.
@safe nonisolated(unsafe) public let kSecAttrIsExtractable: CFString = "extr"

/// Attribute of keys: whether it may encrypt.
@safe nonisolated(unsafe) public let kSecAttrCanEncrypt: CFString = "encr"

/// Attribute of keys: whether it may decrypt.
@safe nonisolated(unsafe) public let kSecAttrCanDecrypt: CFString = "decr"

/// Attribute of keys: whether other keys may be derived from it.
@safe nonisolated(unsafe) public let kSecAttrCanDerive: CFString = "drve"

/// Attribute of keys: whether it may sign.
@safe nonisolated(unsafe) public let kSecAttrCanSign: CFString = "sign"

/// Attribute of keys: whether it may verify.
@safe nonisolated(unsafe) public let kSecAttrCanVerify: CFString = "vrfy"

/// Attribute of keys: whether it may wrap other keys.
@safe nonisolated(unsafe) public let kSecAttrCanWrap: CFString = "wrap"

/// Attribute of keys: whether it may unwrap other keys.
@safe nonisolated(unsafe) public let kSecAttrCanUnwrap: CFString = "unwp"

/// Key of a parameter dictionary: attributes of the private key.
@safe nonisolated(unsafe) public let kSecPrivateKeyAttrs: CFString = "private"

/// Key of a parameter dictionary: attributes of the public key.
@safe nonisolated(unsafe) public let kSecPublicKeyAttrs: CFString = "public"
