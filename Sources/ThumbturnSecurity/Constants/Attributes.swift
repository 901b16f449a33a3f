// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names and raw strings: programs store and compare them. Every constant is an immutable string; it says
// nonisolated(unsafe) because NSString is not Sendable on Linux, and @safe so that no client has to say `unsafe`.

// MARK: Attributes of every class

/// Attribute: when the item may be read, one of the `kSecAttrAccessible…` values.
@safe nonisolated(unsafe) public let kSecAttrAccessible: CFString = "pdmn"

/// Attribute: a `SecAccessControl`; checked by type in a query, but no filter.
@safe nonisolated(unsafe) public let kSecAttrAccessControl: CFString = "accc"

/// Attribute: the access group; absent on add, it is the first group of the program.
@safe nonisolated(unsafe) public let kSecAttrAccessGroup: CFString = "agrp"

/// Attribute: a stored flag, and part of the key; absent in a query it means false.
///
/// Nothing is sent anywhere.
@safe nonisolated(unsafe) public let kSecAttrSynchronizable: CFString = "sync"

/// Value of `kSecAttrSynchronizable`: finds items with and without the flag.
@safe nonisolated(unsafe) public let kSecAttrSynchronizableAny: CFString = "syna"

/// Attribute: a view name, text; part of the key.
@safe nonisolated(unsafe) public let kSecAttrSyncViewHint: CFString = "vwht"

/// Attribute: a date that the vault sets on add.
@safe nonisolated(unsafe) public let kSecAttrCreationDate: CFString = "cdat"

/// Attribute: a date that the vault sets on add and update.
@safe nonisolated(unsafe) public let kSecAttrModificationDate: CFString = "mdat"

/// Attribute: a name for people; text, data or number.
@safe nonisolated(unsafe) public let kSecAttrLabel: CFString = "labl"

/// Attribute: the token that holds the item; part of the key.
@safe nonisolated(unsafe) public let kSecAttrTokenID: CFString = "tkid"

/// Value of `kSecAttrTokenID`: the Secure Enclave.
@safe nonisolated(unsafe) public let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"

/// Internal attribute: refused as a query key, as by Apple; use `kSecValuePersistentRef`.
@safe nonisolated(unsafe) public let kSecAttrPersistentReference: CFString = "persistref"

/// Value of `kSecAttrAccessGroup`: the group of token items, which programs can only read.
@safe nonisolated(unsafe) public let kSecAttrAccessGroupToken: CFString = "com.apple.token"

// MARK: Attributes of passwords

/// Attribute: the account; text, data or number, part of the key.
@safe nonisolated(unsafe) public let kSecAttrAccount: CFString = "acct"

/// Attribute: the service of a generic password; text, data or number, part of the key.
@safe nonisolated(unsafe) public let kSecAttrService: CFString = "svce"

/// Attribute: anything that the program wants to find a generic password by.
@safe nonisolated(unsafe) public let kSecAttrGeneric: CFString = "gena"

/// Attribute: the kind of item in words.
@safe nonisolated(unsafe) public let kSecAttrDescription: CFString = "desc"

/// Attribute: a comment.
@safe nonisolated(unsafe) public let kSecAttrComment: CFString = "icmt"

/// Attribute: a number, the creator.
@safe nonisolated(unsafe) public let kSecAttrCreator: CFString = "crtr"

/// Attribute: a number, the type.
@safe nonisolated(unsafe) public let kSecAttrType: CFString = "type"

/// Attribute: whether lists should leave the item out; comes back as 0 or 1.
@safe nonisolated(unsafe) public let kSecAttrIsInvisible: CFString = "invi"

/// Attribute: whether the item says that there is no password; comes back as 0 or 1.
@safe nonisolated(unsafe) public let kSecAttrIsNegative: CFString = "nega"

/// Attribute of internet passwords: the host, part of the key.
@safe nonisolated(unsafe) public let kSecAttrServer: CFString = "srvr"

/// Attribute of internet passwords: the realm, part of the key.
@safe nonisolated(unsafe) public let kSecAttrSecurityDomain: CFString = "sdmn"

/// Attribute of internet passwords: one of the `kSecAttrProtocol…` values, part of the key.
@safe nonisolated(unsafe) public let kSecAttrProtocol: CFString = "ptcl"

/// Attribute of internet passwords: one of the `kSecAttrAuthenticationType…` values, part of the key.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationType: CFString = "atyp"

/// Attribute of internet passwords: the port number, part of the key.
@safe nonisolated(unsafe) public let kSecAttrPort: CFString = "port"

/// Attribute of internet passwords: the path, part of the key.
@safe nonisolated(unsafe) public let kSecAttrPath: CFString = "path"
