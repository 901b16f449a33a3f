// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names and raw strings: programs store and compare them. Every constant is an immutable string; it says
// nonisolated(unsafe) because NSString is not Sendable on Linux, and @safe so that no client has to say `unsafe`.

// MARK: Values of kSecAttrAccessible

/// Readable while the vault is unlocked.
///
/// The default.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlocked: CFString = "ak"

/// Readable from the first unlock after a start on.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"

/// Always readable: protected by the device key alone.
///
/// Deprecated by Apple.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlways: CFString = "dk"

/// Readable while unlocked and only as long as a passcode is set; without one, add answers errSecAuthFailed.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"

/// Readable while unlocked; never in a backup that another device can open.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"

/// Readable from the first unlock on; never in a backup that another device can open.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"

/// Always readable, by the device key alone; never in a backup that another device can open.
///
/// Deprecated by Apple.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
