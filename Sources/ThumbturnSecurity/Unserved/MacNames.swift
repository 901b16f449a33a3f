// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import Foundation

// Names of the Mac's file keychain and of code signing: they compile, and say that there is no such thing here.

/// Which programs may use an item of the Mac's file keychain.
public final class SecAccess: NSObject, Sendable {}

/// Makes an access of the Mac's file keychain.
///
/// - Returns: errSecUnimplemented; `accessRef` is not touched.
@safe
public func SecAccessCreate(
  _ descriptor: CFString, _ trustedlist: CFArray?, _ accessRef: UnsafeMutablePointer<SecAccess?>
) -> OSStatus {
  errSecUnimplemented
}

/// Running code with a signature.
public final class SecCode: NSObject, Sendable {}
/// What a signature must fulfil.
public final class SecRequirement: NSObject, Sendable {}

/// How a signature is checked.
public struct SecCSFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt32
  /// Flags with these bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// Checks the signature of running code.
///
/// - Returns: errSecUnimplemented: Linux programs have none.
public func SecCodeCheckValidity(_ code: SecCode, _ flags: SecCSFlags, _ requirement: SecRequirement?) -> OSStatus {
  errSecUnimplemented
}
