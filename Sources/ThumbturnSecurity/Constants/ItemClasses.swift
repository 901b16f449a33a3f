// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names and raw strings: programs store and compare them. Every constant is an immutable string; it says
// nonisolated(unsafe) because NSString is not Sendable on Linux, and @safe so that no client has to say `unsafe`.

// MARK: Item classes

/// Query key: the kind of item, one of the `kSecClass…` values.
@safe nonisolated(unsafe) public let kSecClass: CFString = "class"

/// Item class: a password or token, unique by service and account.
@safe nonisolated(unsafe) public let kSecClassGenericPassword: CFString = "genp"

/// Item class: a password of a server.
///
/// Not served yet: errSecUnimplemented.
@safe nonisolated(unsafe) public let kSecClassInternetPassword: CFString = "inet"

/// Item class: a certificate.
///
/// Not served yet: errSecUnimplemented.
@safe nonisolated(unsafe) public let kSecClassCertificate: CFString = "cert"

/// Item class: a cryptographic key.
///
/// Not served yet: errSecUnimplemented.
@safe nonisolated(unsafe) public let kSecClassKey: CFString = "keys"

/// Item class: a certificate with its private key.
///
/// Not served yet: errSecUnimplemented.
@safe nonisolated(unsafe) public let kSecClassIdentity: CFString = "idnt"
