public import Foundation
internal import ThumbturnKeychain
internal import ThumbturnVault

/// When an item may be read and what must hold before: a protection class and constraints.
///
/// Immutable; equal by value.
///
/// An item with a constraint is stored only in a vault with a passcode; without one add and update answer errSecAuthFailed,
/// and with an application password they do so always. Only the agent asks a person: where none runs, reading the secret answers
/// errSecInteractionNotAllowed, and so does every update but of kSecValueData alone. Where one does, these calls wait for the
/// person, unless the context of the query was shown enough before. Without flags the object only sets the protection class.
public final class SecAccessControl: NSObject, Sendable {
  /// What it says.
  let value: AccessControl
  /// Whether it was made by a program.
  ///
  /// One that stands in a result for an item without access control may be added back beside `kSecAttrAccessible`, as
  /// with Apple's.
  let isExplicit: Bool

  init(_ value: AccessControl, isExplicit: Bool) {
    self.value = value
    self.isExplicit = isExplicit
  }

  /// The access control of a found item.
  convenience init(of item: FoundItem) {
    let value = item.accessControl ?? AccessControl(item.protectionClass)
    self.init(value, isExplicit: item.accessControl != nil)
  }

  /// When an item may be read.
  var protectionClass: ProtectionClass { value.protectionClass }

  /// Whether `object` is an access control with the same protection class and the same conditions.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecAccessControl else { return false }
    return value == other.value
  }

  /// A hash of the protection class and the conditions.
  public override var hash: Int { value.hashValue }

  /// The protection class and the raw flags: no secret.
  public override var description: String {
    "<SecAccessControlRef: \(protectionClass.code);\(value.conditions.rawValue)>"
  }
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
  guard let code = protection as? String, let protectionClass = ProtectionClass(code: code),
    let value = AccessControl(protectionClass, AccessControl.Conditions(rawValue: UInt64(flags.rawValue)))
  else {
    let refusal = NSError(domain: NSOSStatusErrorDomain, code: Int(errSecParam))
    unsafe error?.pointee = Unmanaged.passRetained(refusal)
    return nil
  }
  return SecAccessControl(value, isExplicit: true)
}
