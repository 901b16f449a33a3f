// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Plain global functions without overloads or default arguments: programs pass them around as values. Their results can
// be dropped without a warning, as those of every C function.
public import Foundation
internal import ThumbturnKeychain

/// Adds an item; it is on disk when this returns.
///
/// May be called from any thread and ends in bounded time. The rules are those of iOS's data-protection keychain.
///
/// - Parameters:
///   - attributes: `kSecClass`, attributes, `kSecValueData` (up to 16,777,216 bytes, together with the further secrets of an
///     internet password) and return keys. At most 128 keys, and 1,044,480 bytes of attributes.
///   - result: Set to what the return keys ask for, on success; not touched without a return key. May be nil.
/// - Returns: errSecSuccess, or: errSecDuplicateItem; errSecParam, errSecNoSuchAttr, errSecNoSuchClass for a dictionary
///   that is not valid; errSecUnimplemented for `kSecReturnRef` with anything but a password; errSecMissingEntitlement for
///   a foreign access group, and for a program that has none; errSecRestrictedAPI for what an app clip may not do;
///   errSecDataTooLarge; errSecAuthFailed for an access control with conditions, or an item that needs a passcode;
///   errSecInteractionNotAllowed while locked; errSecNotAvailable, errSecReadOnly, errSecDiskFull, errSecWrPerm, errSecIO,
///   errSecAllocate for the state of the vault. On failure nothing was stored.
@discardableResult
@safe
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  do throws(KeychainError) {
    if case .value(let value) = try ProcessKeychain.current().add(attributes) { unsafe result?.pointee = value }
    return errSecSuccess
  } catch {
    return status(of: error)
  }
}

/// Finds items, by default the first one.
///
/// May be called from any thread and ends in bounded time; it writes nothing. Where a secret is wanted that has an access
/// control, the call waits for the person that the agent asks, up to 130 seconds for each prompt; use keys forbid it.
///
/// - Parameters:
///   - query: `kSecClass` or `kSecValuePersistentRef`, attributes that must be equal, match keys, return keys.
///   - result: Set to what the return keys ask for, on success: `Data`, a dictionary, or an array of them with a limit
///     other than one. Not touched without a return key. May be nil.
/// - Returns: errSecSuccess, errSecItemNotFound, errSecUnimplemented also for a match key of another class or one that is
///   not served yet, or as ``SecItemAdd(_:_:)``.
@discardableResult
@safe
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  do throws(KeychainError) {
    if case .value(let value) = try ProcessKeychain.current().copyMatching(query) { unsafe result?.pointee = value }
    return errSecSuccess
  } catch {
    return status(of: error)
  }
}

/// Changes every item that matches, all or none; the change is on disk when this returns.
///
/// May be called from any thread and ends in bounded time.
///
/// - Parameters:
///   - query: As for ``SecItemCopyMatching(_:_:)``, without match and return keys.
///   - attributesToUpdate: Attributes and `kSecValueData` to set. Nothing can be removed, only replaced.
/// - Returns: errSecSuccess, errSecItemNotFound, errSecDuplicateItem when two items would have the same key,
///   errSecDataTooLarge also when the attributes of an item would be too large together, or as ``SecItemAdd(_:_:)``.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
  do throws(KeychainError) {
    try ProcessKeychain.current().update(query, attributesToUpdate)
    return errSecSuccess
  } catch {
    return status(of: error)
  }
}

/// Deletes every item that matches; they are gone from the disk when this returns.
///
/// May be called from any thread and ends in bounded time. Works while locked.
///
/// - Parameter query: As for ``SecItemCopyMatching(_:_:)``, without match keys; the class alone means all of its items.
/// - Returns: errSecSuccess, errSecItemNotFound, or as ``SecItemAdd(_:_:)``.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
  do throws(KeychainError) {
    try ProcessKeychain.current().delete(query)
    return errSecSuccess
  } catch {
    return status(of: error)
  }
}
