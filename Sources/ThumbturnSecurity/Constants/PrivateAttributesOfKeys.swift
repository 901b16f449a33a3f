// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names and raw strings: programs store and compare them. Every constant is an immutable string; it says
// nonisolated(unsafe) because NSString is not Sendable on Linux, and @safe so that no client has to say `unsafe`.

// MARK: Attributes of keys that Apple keeps private

/// Attribute of keys: 1 for a private key; an identity needs it.
@safe nonisolated(unsafe) public let kSecAttrIsPrivate: CFString = "priv"

/// Attribute of keys: whether it may be changed.
@safe nonisolated(unsafe) public let kSecAttrIsModifiable: CFString = "modi"

/// Attribute of keys: a number, the creator; part of the key.
@safe nonisolated(unsafe) public let kSecAttrKeyCreator: CFString = "crtr"

/// Attribute of keys: valid from; part of the key.
@safe nonisolated(unsafe) public let kSecAttrStartDate: CFString = "sdat"

/// Attribute of keys: valid until; part of the key.
@safe nonisolated(unsafe) public let kSecAttrEndDate: CFString = "edat"

/// Attribute of keys: whether it never left the store unwrapped.
@safe nonisolated(unsafe) public let kSecAttrWasAlwaysSensitive: CFString = "asen"

/// Attribute of keys: whether it never could leave the store.
@safe nonisolated(unsafe) public let kSecAttrWasNeverExtractable: CFString = "next"

/// Attribute of keys: whether it may sign with recovery.
@safe nonisolated(unsafe) public let kSecAttrCanSignRecover: CFString = "snrc"

/// Attribute of keys: whether it may verify with recovery.
@safe nonisolated(unsafe) public let kSecAttrCanVerifyRecover: CFString = "vyrc"

/// Attribute of Secure Enclave keys: errSecNoSuchAttr.
@safe nonisolated(unsafe) public let kSecAttrSecureEnclaveKeyBlob: CFString = "toid"

// MARK: Values of kSecAttrKeyType

/// Value of `kSecAttrKeyType`: DSA.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeDSA: CFString = "43"

/// Value of `kSecAttrKeyType`: AES.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeAES: CFString = "2147483649"

/// Value of `kSecAttrKeyType`: DES.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeDES: CFString = "14"

/// Value of `kSecAttrKeyType`: triple DES.
@safe nonisolated(unsafe) public let kSecAttrKeyType3DES: CFString = "17"

/// Value of `kSecAttrKeyType`: RC2.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRC2: CFString = "23"

/// Value of `kSecAttrKeyType`: RC4.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRC4: CFString = "25"

/// Value of `kSecAttrKeyType`: CAST.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeCAST: CFString = "56"

/// Value of `kSecAttrKeyType`: elliptic curve, by the Mac's older name.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECDSA: CFString = "73"

/// Value of `kSecAttrKeyType`: elliptic curve in Apple's own hardware.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECSECPrimeRandomPKA: CFString = "2147483678"

/// Value of `kSecAttrKeyType`: attestation by the Secure Enclave.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeSecureEnclaveAttestation: CFString = "2147483679"

/// Value of `kSecAttrKeyType`: anonymous attestation by the Secure Enclave.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeSecureEnclaveAnonymousAttestation: CFString = "2147483680"

/// Value of `kSecAttrKeyType`: Ed25519.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeEd25519: CFString = "105"

/// Value of `kSecAttrKeyType`: X25519.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeX25519: CFString = "106"

/// Value of `kSecAttrKeyType`: Ed448.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeEd448: CFString = "107"

/// Value of `kSecAttrKeyType`: X448.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeX448: CFString = "108"

/// Value of `kSecAttrKeyType`: Kyber.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeKyber: CFString = "109"

/// Value of `kSecAttrKeyType`: ML-KEM.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeMLKEM: CFString = "110"

/// Value of `kSecAttrKeyType`: ML-DSA.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeMLDSA: CFString = "111"

// MARK: Values of kSecAttrKeySizeInBits

/// Value of `kSecAttrKeySizeInBits`: Kyber-768.
@safe nonisolated(unsafe) public let kSecAttrKeySizeKyber768: CFString = "768"

/// Value of `kSecAttrKeySizeInBits`: Kyber-1024.
@safe nonisolated(unsafe) public let kSecAttrKeySizeKyber1024: CFString = "1024"

/// Value of `kSecAttrKeySizeInBits`: ML-KEM-768.
@safe nonisolated(unsafe) public let kSecAttrKeySizeMLKEM768: CFString = "768"

/// Value of `kSecAttrKeySizeInBits`: ML-KEM-1024.
@safe nonisolated(unsafe) public let kSecAttrKeySizeMLKEM1024: CFString = "1024"

/// Value of `kSecAttrKeySizeInBits`: ML-DSA-65.
@safe nonisolated(unsafe) public let kSecAttrKeySizeMLDSA65: CFString = "65"

/// Value of `kSecAttrKeySizeInBits`: ML-DSA-87.
@safe nonisolated(unsafe) public let kSecAttrKeySizeMLDSA87: CFString = "87"

// MARK: Keys of parameter dictionaries that Apple keeps private

/// Key of a parameter dictionary of Apple's hardware keys.
@safe nonisolated(unsafe) public let kSecKeyApplePayEnabled: CFString = "applepay"

/// Key of a parameter dictionary of Apple's hardware keys.
@safe nonisolated(unsafe) public let kSecKeyOSBound: CFString = "osbound"

/// Key of a parameter dictionary of Apple's hardware keys.
@safe nonisolated(unsafe) public let kSecKeySealedHashesBound: CFString = "sealedhashesbound"
