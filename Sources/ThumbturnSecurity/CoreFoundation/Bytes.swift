// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
public import Foundation

/// Makes bytes from memory.
///
/// They are copied, and the memory stays the caller's: there are no allocators on Linux that could free it.
///
/// - Parameters:
///   - allocator: Not used.
///   - bytes: At least `length` bytes of memory; nil only for a length of 0.
///   - length: Size in bytes; nil is returned for a negative one.
///   - bytesDeallocator: Not used.
@safe
public func CFDataCreateWithBytesNoCopy(
  _ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex, _ bytesDeallocator: CFAllocator!
) -> CFData! {
  guard length >= 0 else { return nil }
  guard length > 0 else { return NSData() }
  guard let bytes = unsafe bytes else { return nil }
  // Apple's signature: the caller vouches for `length` bytes behind the pointer.
  return unsafe NSData(bytes: bytes, length: length)
}
