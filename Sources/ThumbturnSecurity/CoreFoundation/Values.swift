// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
// Implicitly unwrapped because programs write `kCFBooleanTrue!`, `kCFBooleanTrue as Any` and the bare name.
public import Foundation

/// True.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
/// False.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)
/// Nothing, where an object is wanted.
///
/// Refused with errSecParam as a value in a query.
public let kCFNull: CFNull! = NSNull()
/// The default allocator: nil.
public let kCFAllocatorDefault: CFAllocator! = nil
/// The allocator that frees nothing: nil.
public let kCFAllocatorNull: CFAllocator! = nil
/// The key of the bundle identifier in a program's Info.plist.
///
/// Immutable.
@safe nonisolated(unsafe) public let kCFBundleIdentifierKey: CFString! = "CFBundleIdentifier"
/// The error domain of ``OSStatus`` values, the same text as `NSOSStatusErrorDomain`.
///
/// Immutable.
@safe nonisolated(unsafe) public let kCFErrorDomainOSStatus: CFString! = "NSOSStatusErrorDomain"
/// The status of success, 0.
public let noErr: OSStatus = 0
