// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names and raw strings: programs store and compare them. Every constant is an immutable string; it says
// nonisolated(unsafe) because NSString is not Sendable on Linux, and @safe so that no client has to say `unsafe`.

// MARK: Use keys that Apple keeps private

/// Use key: tombstones are meant too; a boolean, accepted and ignored, for there are none.
@safe nonisolated(unsafe) public let kSecUseTombstones: CFString = "u_Tomb"

/// Use key of Apple's own programs: errSecParam.
@safe nonisolated(unsafe) public let kSecUseCredentialReference: CFString = "u_CredRef"

/// Use key of Apple's own programs: errSecParam.
@safe nonisolated(unsafe) public let kSecUseSystemKeychain: CFString = "u_SystemKeychain"

/// Use key of Apple's own programs: errSecParam.
@safe nonisolated(unsafe) public let kSecUseSystemKeychainAlways: CFString = "u_SystemKeychainAlways"

/// Use key of Apple's own programs: errSecParam.
@safe nonisolated(unsafe) public let kSecUseSystemKeychainAlwaysDarwinOSOnlyUnavailableOnMacOS: CFString =
  "u_SystemKeychainAlways"

/// Use key of Apple's own programs: errSecParam.
@safe nonisolated(unsafe) public let kSecUseSyncBubbleKeychain: CFString = "u_SyncBubbleKeychain"

/// Use key of Apple's own programs: errSecParam.
@safe nonisolated(unsafe) public let kSecUseCallerName: CFString = "u_CallerName"

/// Use key of Apple's own programs: errSecParam.
@safe nonisolated(unsafe) public let kSecUseTokenRawItems: CFString = "u_TokenRawItems"

/// Use key of Apple's own programs: errSecParam.
@safe nonisolated(unsafe) public let kSecUseCertificatesWithMatchIssuers: CFString = "u_CertWithIssuers"

// MARK: Keys of SecPKCS12Import

/// Key of the options: the passphrase, text.
@safe nonisolated(unsafe) public let kSecImportExportPassphrase: CFString = "passphrase"

/// Key of a result: the label, text.
@safe nonisolated(unsafe) public let kSecImportItemLabel: CFString = "label"

/// Key of a result: the identifier of the key, data.
@safe nonisolated(unsafe) public let kSecImportItemKeyID: CFString = "keyid"

/// Key of a result: the trust.
@safe nonisolated(unsafe) public let kSecImportItemTrust: CFString = "trust"

/// Key of a result: the certificates, an array.
@safe nonisolated(unsafe) public let kSecImportItemCertChain: CFString = "chain"

/// Key of a result: the identity.
@safe nonisolated(unsafe) public let kSecImportItemIdentity: CFString = "identity"

// MARK: Rules of a generated password

/// Key of a rule: the most characters.
@safe nonisolated(unsafe) public let kSecPasswordMaxLength: CFString = "PasswordMaxLength"

/// Key of a rule: the fewest characters.
///
/// Apple gives it the same string as `kSecPasswordMaxLength`.
@safe nonisolated(unsafe) public let kSecPasswordMinLength: CFString = "PasswordMaxLength"

/// Key of a rule: what it may hold.
@safe nonisolated(unsafe) public let kSecPasswordAllowedCharacters: CFString = "PasswordAllowedCharacters"

/// Key of a rule: what it must hold.
@safe nonisolated(unsafe) public let kSecPasswordRequiredCharacters: CFString = "PasswordRequiredCharacters"
