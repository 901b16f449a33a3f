public import Foundation

// Core Foundation's names over Foundation's classes, which are what Apple's bridging makes of them. CFString must be a
// class: programs pass it where AnyObject is wanted.

/// Any object of Core Foundation.
public typealias CFTypeRef = AnyObject
/// Text.
public typealias CFString = NSString
/// Text that can be changed.
public typealias CFMutableString = NSMutableString
/// A dictionary.
public typealias CFDictionary = NSDictionary
/// A dictionary that can be changed.
public typealias CFMutableDictionary = NSMutableDictionary
/// An array.
public typealias CFArray = NSArray
/// Bytes.
public typealias CFData = NSData
/// Bytes that can be changed.
public typealias CFMutableData = NSMutableData
/// A point in time.
public typealias CFDate = NSDate
/// A number.
public typealias CFNumber = NSNumber
/// A boolean: the two objects `kCFBooleanTrue` and `kCFBooleanFalse`, and numbers made from a `Bool`.
public typealias CFBoolean = NSNumber
/// An error.
public typealias CFError = NSError
/// The object that stands for nothing.
public typealias CFNull = NSNull
/// An index or a count.
public typealias CFIndex = Int
/// A set of flags.
public typealias CFOptionFlags = UInt
/// The number of a class of Core Foundation.
public typealias CFTypeID = UInt
/// A status of Apple's: 0 is success.
public typealias OSStatus = Int32
/// Four characters in a number.
public typealias OSType = UInt32

/// An allocator of Core Foundation.
///
/// There is none on Linux; the type is here for the parameters that want one or nil.
public final class CFAllocator: Sendable {
  private init() {}
}

/// A pointer through which a called function hands out an object.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>
/// Where a called function puts its error; nil when the caller does not want it.
public typealias NSErrorPointer = AutoreleasingUnsafeMutablePointer<NSError?>?
