// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
public import Foundation

/// Makes an error.
///
/// - Parameter allocator: Not used.
public func CFErrorCreate(
  _ allocator: CFAllocator!, _ domain: CFString!, _ code: CFIndex, _ userInfo: CFDictionary!
) -> CFError! {
  NSError(domain: String(domain ?? ""), code: code, userInfo: userInfo as? [String: Any])
}

/// The domain of an error.
public func CFErrorGetDomain(_ err: CFError!) -> CFString! { err.map { $0.domain as CFString } }

/// The code of an error; 0 for nil.
public func CFErrorGetCode(_ err: CFError!) -> CFIndex { err?.code ?? 0 }

/// The user info of an error.
public func CFErrorCopyUserInfo(_ err: CFError!) -> CFDictionary! { err.map { $0.userInfo as CFDictionary } }

/// The text of an error.
public func CFErrorCopyDescription(_ err: CFError!) -> CFString! { err.map { $0.localizedDescription as CFString } }
