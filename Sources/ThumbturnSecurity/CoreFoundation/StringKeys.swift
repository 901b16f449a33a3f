public import Foundation

// On Apple's systems AnyHashable(NSString) equals AnyHashable(String). On Linux it does not, so that a result read as
// [AnyHashable: Any] would not find its keys by kSecAttrAccount. This is Darwin's rule, for the whole process.

// swift-format-ignore: AvoidRetroactiveConformances
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
  /// The text as a Swift string, which is what its hash and equality then go by.
  public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(String(self)) }
}
