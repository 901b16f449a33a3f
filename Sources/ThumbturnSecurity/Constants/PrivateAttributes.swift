// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names and raw strings: programs store and compare them. Every constant is an immutable string; it says
// nonisolated(unsafe) because NSString is not Sendable on Linux, and @safe so that no client has to say `unsafe`.

// MARK: Attributes of every class that Apple keeps private

/// Attribute: a deleted item that a sync still has to tell of.
///
/// There are none: a query for one finds nothing.
@safe nonisolated(unsafe) public let kSecAttrTombstone: CFString = "tomb"

/// Attribute: a digest of the secret.
///
/// errSecNoSuchAttr: the vault keeps no digest of a secret.
@safe nonisolated(unsafe) public let kSecAttrSHA1: CFString = "sha1"

/// Attribute: the view of one user of several, data; part of the key.
@safe nonisolated(unsafe) public let kSecAttrMultiUser: CFString = "musr"

/// Attribute: an internal identity.
///
/// errSecNoSuchAttr; use `kSecValuePersistentRef`.
@safe nonisolated(unsafe) public let kSecAttrUUID: CFString = "UUID"

/// The old spelling of `kSecAttrPersistentReference`.
@safe nonisolated(unsafe) public let kSecAttrPersistantReference: CFString = "persistref"

/// Attribute: the group of people with whom the item is shared, text; part of the key.
///
/// Nothing is sent anywhere.
@safe nonisolated(unsafe) public let kSecAttrSharingGroup: CFString = "ggrp"

/// Value of `kSecAttrSharingGroup`: shared with nobody.
@safe nonisolated(unsafe) public let kSecAttrSharingGroupNone: CFString = ""

/// Attribute: a number.
@safe nonisolated(unsafe) public let kSecAttrSysBound: CFString = "sysb"

/// Attribute: a number.
@safe nonisolated(unsafe) public let kSecAttrPCSPlaintextServiceIdentifier: CFString = "pcss"

/// Attribute: text, data or number.
@safe nonisolated(unsafe) public let kSecAttrPCSPlaintextPublicKey: CFString = "pcsk"

/// Attribute: text, data or number.
@safe nonisolated(unsafe) public let kSecAttrPCSPlaintextPublicIdentity: CFString = "pcsi"

/// Attribute: an alias; text, data or number.
@safe nonisolated(unsafe) public let kSecAttrAlias: CFString = "alis"

/// The old name of `kSecUseDataProtectionKeychain`.
@safe nonisolated(unsafe) public let kSecAttrNoLegacy: CFString = "nleg"

/// Attribute of Apple's sync service: errSecNoSuchAttr.
@safe nonisolated(unsafe) public let kSecAttrDeriveSyncIDFromItemAttributes: CFString = "dspk"

/// Attribute of token drivers: errSecNoSuchAttr.
@safe nonisolated(unsafe) public let kSecAttrTokenOID: CFString = "toid"

/// Value of `kSecAttrTokenID`: the key store of Apple's kernel.
@safe nonisolated(unsafe) public let kSecAttrTokenIDAppleKeyStore: CFString = "com.apple.setoken:aks"

/// Value of `kSecAttrTokenID`: a secure element.
@safe nonisolated(unsafe) public let kSecAttrTokenIDSecureElement: CFString = "com.apple.secelemtoken"

// MARK: Attributes of passwords that Apple keeps private

/// Attribute: a number, the script of the text.
@safe nonisolated(unsafe) public let kSecAttrScriptCode: CFString = "scrp"

/// Attribute: whether there is an icon; comes back as 0 or 1.
@safe nonisolated(unsafe) public let kSecAttrHasCustomIcon: CFString = "cusi"

/// Attribute of internet passwords: notes, kept with the secret.
///
/// Returned together with the data in a dictionary; no filter.
@safe nonisolated(unsafe) public let kSecDataInetExtraNotes: CFString = "binn"

/// Attribute of internet passwords: earlier passwords, kept with the secret.
///
/// Returned together with the data in a dictionary; no filter.
@safe nonisolated(unsafe) public let kSecDataInetExtraHistory: CFString = "bini"

/// Attribute of internet passwords: data of the program's, kept with the secret.
///
/// Returned together with the data in a dictionary; no filter.
@safe nonisolated(unsafe) public let kSecDataInetExtraClientDefined0: CFString = "bin0"

/// As `kSecDataInetExtraClientDefined0`.
@safe nonisolated(unsafe) public let kSecDataInetExtraClientDefined1: CFString = "bin1"

/// As `kSecDataInetExtraClientDefined0`.
@safe nonisolated(unsafe) public let kSecDataInetExtraClientDefined2: CFString = "bin2"

/// As `kSecDataInetExtraClientDefined0`.
@safe nonisolated(unsafe) public let kSecDataInetExtraClientDefined3: CFString = "bin3"

// MARK: Attributes that no class has here, as on iOS: errSecNoSuchAttr

/// Attribute of the Mac's file keychain: a `SecAccess`.
@safe nonisolated(unsafe) public let kSecAttrAccess: CFString = "acls"

/// Attribute of AppleShare passwords.
@safe nonisolated(unsafe) public let kSecAttrVolume: CFString = "volm"

/// Attribute of AppleShare passwords.
@safe nonisolated(unsafe) public let kSecAttrAddress: CFString = "addr"

/// Attribute of AppleShare passwords.
@safe nonisolated(unsafe) public let kSecAttrAFPServerSignature: CFString = "afps"

/// Attribute of revocation lists.
@safe nonisolated(unsafe) public let kSecAttrCRLType: CFString = "crlt"

/// Attribute of revocation lists.
@safe nonisolated(unsafe) public let kSecAttrCRLEncoding: CFString = "crle"

// MARK: Values of kSecAttrAccessible that Apple keeps private

/// The same as `kSecAttrAccessibleAlways`.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlwaysPrivate: CFString = "dk"

/// The same as `kSecAttrAccessibleAlwaysThisDeviceOnly`.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlwaysThisDeviceOnlyPrivate: CFString = "dku"

/// Readable until the next start.
///
/// Not served: errSecParam.
@safe nonisolated(unsafe) public let kSecAttrAccessibleUntilReboot: CFString = "f"
