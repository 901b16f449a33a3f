// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
internal import Foundation

/// Any numbers do, as long as they differ.
enum TypeNumber {
  static let null: CFTypeID = 1
  static let string: CFTypeID = 7
  static let data: CFTypeID = 20
  static let dictionary: CFTypeID = 18
  static let array: CFTypeID = 19
  static let boolean: CFTypeID = 21
  static let number: CFTypeID = 22
  static let error: CFTypeID = 27
  static let date: CFTypeID = 42
  static let accessControl: CFTypeID = 300
  static let policy: CFTypeID = 301
}

/// The number of an object's class; 0 for a class that is not of Core Foundation.
public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID {
  switch cf {
  case is CFNull: TypeNumber.null
  case is CFString: TypeNumber.string
  case is CFData: TypeNumber.data
  case is CFDictionary: TypeNumber.dictionary
  case is CFArray: TypeNumber.array
  case let number as CFNumber: isBoolean(number) ? TypeNumber.boolean : TypeNumber.number
  case is CFError: TypeNumber.error
  case is CFDate: TypeNumber.date
  case is SecAccessControl: TypeNumber.accessControl
  case is SecPolicy: TypeNumber.policy
  default: 0
  }
}

/// Whether a number object was made from a boolean.
func isBoolean(_ number: NSNumber) -> Bool {
  // corelibs gives booleans a class of their own, and no public name for it.
  type(of: number) == type(of: NSNumber(value: true))
}

/// The class number of text.
public func CFStringGetTypeID() -> CFTypeID { TypeNumber.string }
/// The class number of bytes.
public func CFDataGetTypeID() -> CFTypeID { TypeNumber.data }
/// The class number of dictionaries.
public func CFDictionaryGetTypeID() -> CFTypeID { TypeNumber.dictionary }
/// The class number of arrays.
public func CFArrayGetTypeID() -> CFTypeID { TypeNumber.array }
/// The class number of booleans.
public func CFBooleanGetTypeID() -> CFTypeID { TypeNumber.boolean }
/// The class number of numbers.
public func CFNumberGetTypeID() -> CFTypeID { TypeNumber.number }
/// The class number of errors.
public func CFErrorGetTypeID() -> CFTypeID { TypeNumber.error }
/// The class number of dates.
public func CFDateGetTypeID() -> CFTypeID { TypeNumber.date }
/// The class number of the object for nothing.
public func CFNullGetTypeID() -> CFTypeID { TypeNumber.null }
/// The class number of access controls.
public func SecAccessControlGetTypeID() -> CFTypeID { TypeNumber.accessControl }

/// Whether two objects are equal by value.
public func CFEqual(_ cf1: CFTypeRef!, _ cf2: CFTypeRef!) -> Bool {
  guard let left = cf1 as? NSObject, let right = cf2 as? NSObject else { return cf1 === cf2 }
  return left.isEqual(right)
}

/// The hash of an object by value.
public func CFHash(_ cf: CFTypeRef!) -> UInt { UInt(bitPattern: (cf as? NSObject)?.hash ?? 0) }
