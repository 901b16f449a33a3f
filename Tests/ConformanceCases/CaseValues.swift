internal import Foundation
internal import ThumbturnAuthentication
internal import ThumbturnSecurity

/// Makes the objects that a case's JSON stands for.
struct CaseValues {
  /// Results that earlier steps saved.
  var saved: [String: Any] = [:]
  let fixtures: Fixtures
  /// Has somebody show everything in a context.
  var authenticate: (AuthenticationContext) throws(Problem) -> Void = { _ throws(Problem) in }

  /// The dictionary of a call.
  func dictionary(_ object: [String: JSON]) throws(Problem) -> [String: Any] {
    var dictionary: [String: Any] = [:]
    for (name, value) in object { dictionary[try SymbolicNames.key(name)] = try self.value(value) }
    return dictionary
  }

  /// One value.
  func value(_ json: JSON) throws(Problem) -> Any {
    switch json {
    case .null: throw Problem("a bare null; {\"$null\": true} is the object")
    case .boolean(let value): return value ? kCFBooleanTrue as Any : kCFBooleanFalse as Any
    case .integer(let value): return NSNumber(value: value)
    case .real(let value): return NSNumber(value: value)
    case .text(let text): return text.hasPrefix("kSec") ? try SymbolicNames.key(text) : text
    case .array: throw Problem("a bare list; {\"$array\": […]} is the object")
    case .object(let object):
      guard object.count == 1, let (kind, content) = object.first else { throw Problem("an object of several keys") }
      return try special(kind, content)
    }
  }

  private func special(_ kind: String, _ content: JSON) throws(Problem) -> Any {
    switch (kind, content) {
    case ("$data", .text(let text)): return Data(text.utf8)
    case ("$hex", .text(let text)): return try Self.bytes(hex: text)
    case ("$date", .integer(let seconds)): return Date(timeIntervalSinceReferenceDate: Double(seconds))
    case ("$date", .real(let seconds)): return Date(timeIntervalSinceReferenceDate: seconds)
    case ("$null", .boolean(true)): return NSNull()
    case ("$array", .array(let values)):
      var array: [Any] = []
      for value in values { array.append(try self.value(value)) }
      return array as NSArray
    case ("$repeat", .array(let parts)):
      guard parts.count == 2, case .text(let text) = parts[0], case .integer(let count) = parts[1], count >= 0,
        count * Int64(text.utf8.count) <= 1 << 26
      else { throw Problem("$repeat is no text with a count, or more than 64 MiB") }
      return Data(String(repeating: text, count: Int(count)).utf8)
    case ("$saved", .text(let name)):
      guard let value = saved[name] else { throw Problem("nothing was saved as \(name)") }
      return value
    case ("$acl", .object(let control)): return try accessControl(control)
    case ("$authContext", .object(let context)): return try CaseContext(context, authenticate: authenticate)
    case ("$cert", .text(let name)): return try fixtures.object(.certificate, name)
    case ("$key", .text(let name)): return try fixtures.object(.key, name)
    case ("$identity", .text(let name)): return try fixtures.object(.identity, name)
    default: throw Problem("unknown value \(kind), or a wrong one")
    }
  }

  private func accessControl(_ object: [String: JSON]) throws(Problem) -> Any {
    try object.expectOnly(["protection", "flags"], in: "$acl")
    guard let made = try makeAccessControl(object) else { throw Problem("the access control was not made") }
    return made
  }

  /// What `SecAccessControlCreateWithFlags` makes of a protection and flags.
  func makeAccessControl(_ object: [String: JSON]) throws(Problem) -> SecAccessControl? {
    guard let protection = object["protection"] else { throw Problem("an access control without a protection") }
    return SecAccessControlCreateWithFlags(
      nil, try value(protection) as AnyObject, try AccessControlFlags.named(try object.texts("flags")), nil)
  }

  private static func bytes(hex: String) throws(Problem) -> Data {
    let digits = hex.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count % 2 == 0, !digits.contains(nil) else { throw Problem("$hex is no pairs of digits") }
    var bytes = Data()
    for index in stride(from: 0, to: digits.count, by: 2) {
      bytes.append(UInt8(digits[index] ?? 0) << 4 | UInt8(digits[index + 1] ?? 0))
    }
    return bytes
  }
}

/// Stands for an LAContext: an object that carries what one carries.
final class CaseContext: NSObject, AuthenticationContextProviding {
  let authenticationContext = AuthenticationContext()

  /// - Parameter authenticate: Has somebody show everything.
  init(_ object: [String: JSON], authenticate: (AuthenticationContext) throws(Problem) -> Void) throws(Problem) {
    try object.expectOnly(["authenticated", "interactionNotAllowed"], in: "$authContext")
    if object["authenticated"] == .boolean(true) { try authenticate(authenticationContext) }
    authenticationContext.forbidsPrompts = object["interactionNotAllowed"] == .boolean(true)
  }
}
