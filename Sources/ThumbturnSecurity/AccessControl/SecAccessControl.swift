public import Foundation
internal import ThumbturnVault

/// When an item may be read and what must hold before: a protection class and constraints.
///
/// Immutable; equal by value.
///
/// This version has no passcode, so an item with any constraint cannot be stored: add and update answer
/// errSecAuthFailed. Without flags the object only sets the protection class.
public final class SecAccessControl: NSObject, Sendable {
  let protectionClass: ProtectionClass
  let flags: SecAccessControlCreateFlags
  /// Whether it was made by a program.
  ///
  /// One that stands in a result for an item without access control may be added back beside `kSecAttrAccessible`, as
  /// with Apple's.
  let isExplicit: Bool

  init(_ protectionClass: ProtectionClass, _ flags: SecAccessControlCreateFlags = [], isExplicit: Bool) {
    self.protectionClass = protectionClass
    self.flags = flags.normalized
    self.isExplicit = isExplicit
  }

  /// Whether anything beyond the protection class is asked for; an application password counts, since an item that is
  /// stored without it would be open to who does not know it.
  var isConstrained: Bool { !flags.isEmpty }

  /// Whether `object` is an access control with the same protection class and the same conditions.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecAccessControl else { return false }
    return protectionClass == other.protectionClass && flags == other.flags
  }

  /// A hash of the protection class and the conditions.
  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(protectionClass)
    hasher.combine(flags)
    return hasher.finalize()
  }

  /// The protection class and the raw flags: no secret.
  public override var description: String { "<SecAccessControlRef: \(protectionClass.code);\(flags.rawValue)>" }
}

/// Makes an access control (SECACCESS.md §1).
///
/// May be called from any thread; reads no file.
///
/// - Parameters:
///   - allocator: Not used.
///   - protection: One of the `kSecAttrAccessible…` values.
///   - flags: The conditions.
///   - error: Set to errSecParam in `NSOSStatusErrorDomain`, retained, when the answer is nil.
/// - Returns: Nil for another protection, for flags that contradict each other (`or` with `and`, both biometry flags,
///   `userPresence` with anything but `applicationPassword` and `privateKeyUsage`) and for unknown flags.
@safe
// swift-format-ignore: AlwaysUseLowerCamelCase
public func SecAccessControlCreateWithFlags(
  _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
  guard let code = protection as? String, let protectionClass = ProtectionClass(code: code), flags.isValid else {
    let refusal = NSError(domain: NSOSStatusErrorDomain, code: Int(errSecParam))
    unsafe error?.pointee = Unmanaged.passRetained(refusal)
    return nil
  }
  return SecAccessControl(protectionClass, flags, isExplicit: true)
}
