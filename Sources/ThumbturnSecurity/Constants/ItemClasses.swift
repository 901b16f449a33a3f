// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names and raw strings: programs store and compare them. Every constant is an immutable string; it says
// nonisolated(unsafe) because NSString is not Sendable on Linux, and @safe so that no client has to say `unsafe`.

// MARK: Item classes

/// Query key: the kind of item, one of the `kSecClass…` values.
@safe nonisolated(unsafe) public let kSecClass: CFString = "class"

/// Item class: a password or token, unique by service and account.
@safe nonisolated(unsafe) public let kSecClassGenericPassword: CFString = "genp"

/// Item class: a password of a server, unique by server, account, protocol, port, path, security domain and
/// authentication type.
@safe nonisolated(unsafe) public let kSecClassInternetPassword: CFString = "inet"

/// Item class: a certificate, unique by type, issuer and serial number.
///
/// Stored and found as attributes and data; there is no object for it yet.
@safe nonisolated(unsafe) public let kSecClassCertificate: CFString = "cert"

/// Item class: a cryptographic key, unique by class, labels, type, sizes and dates.
///
/// Stored and found as attributes and data; there is no object for it yet.
@safe nonisolated(unsafe) public let kSecClassKey: CFString = "keys"

/// Item class: a certificate with its private key, which has the same hash of the public key.
///
/// No item of its own: it is there when both are. It cannot be added; update changes both, delete takes both.
@safe nonisolated(unsafe) public let kSecClassIdentity: CFString = "idnt"

/// Item class of AppleShare passwords: errSecNoSuchClass, as on iOS.
@safe nonisolated(unsafe) public let kSecClassAppleSharePassword: CFString = "apls"
