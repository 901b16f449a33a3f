internal import Foundation
internal import ThumbturnSecurity

/// What a step must answer.
struct Expectation {
  /// What a result was held against, and what it is.
  struct Difference {
    let expected: String
    let got: String
  }

  private static let keys: Set<String> = ["status", "code", "shape", "value", "count", "has", "absent", "each", "save"]
  let object: [String: JSON]
  let values: CaseValues
  private let code: OSStatus

  init(_ object: [String: JSON], _ values: CaseValues) throws(Problem) {
    try object.expectOnly(Self.keys, in: "expect")
    let name = try object.text("status")
    guard let known = StatusNames.codes[name] else { throw Problem("unknown status \(name)") }
    guard object["code"] == .integer(Int64(known)) else {
      throw Problem("\(name) is \(known), the case says another code")
    }
    code = known
    self.object = object
    self.values = values
  }

  /// Nil when the answer is as it must be.
  func difference(status: OSStatus, result: AnyObject?) throws(Problem) -> Difference? {
    guard status == code else { return Difference(expected: StatusNames.text(code), got: StatusNames.text(status)) }
    guard status == errSecSuccess else {
      guard Set(object.keys).isSubset(of: ["status", "code"]) else { throw Problem("a result expected of a failure") }
      return nil
    }
    return try Self.difference(object, result, values)
  }

  private static func difference(
    _ object: [String: JSON], _ result: AnyObject?, _ values: CaseValues
  ) throws(Problem) -> Difference? {
    if object["shape"] != nil {
      let shape = try object.text("shape")
      guard try hasShape(shape, result) else { return Difference(expected: shape, got: describe(result)) }
    }
    if let value = object["value"], try !isValue(value, result, values) {
      return Difference(expected: "value \(describe(value))", got: describe(result))
    }
    if let count = object["count"] {
      guard case .integer(let count) = count else { throw Problem("count is no number") }
      guard let array = result as? NSArray, array.count == Int(count) else {
        return Difference(expected: "an array of \(count)", got: describe(result))
      }
    }
    if object["has"] != nil {
      for (name, wanted) in try object.object("has").sorted(by: { $0.key < $1.key }) {
        let held = (result as? [String: Any])?[try SymbolicNames.key(name)]
        guard try matches(wanted, held, values) else {
          return Difference(expected: "\(name) = \(describe(wanted))", got: describe(held))
        }
      }
    }
    if object["absent"] != nil {
      guard let dictionary = result as? [String: Any] else {
        return Difference(expected: "a dictionary", got: describe(result))
      }
      for name in try object.texts("absent") {
        if let held = dictionary[try SymbolicNames.key(name)] {
          return Difference(expected: "no \(name)", got: describe(held))
        }
      }
    }
    guard object["each"] != nil else { return nil }
    let each = try object.object("each")
    try each.expectOnly(["shape", "value", "has", "absent"], in: "each")
    guard let array = result as? NSArray else { return Difference(expected: "an array", got: describe(result)) }
    for element in array {
      if let difference = try difference(each, element as AnyObject, values) { return difference }
    }
    return nil
  }

  private static func hasShape(_ shape: String, _ result: AnyObject?) throws(Problem) -> Bool {
    switch shape {
    case "nil": result == nil
    case "nilOrEmpty": result == nil || (result as? NSArray)?.count == 0
    case "data": result is NSData
    case "dict": result is NSDictionary
    case "array": result is NSArray
    case "persistentRef":
      (result as? Data).map {
        $0.count == 20 && ["genp", "inet", "cert", "keys", "idnt"].contains($0.prefix(4).asText)
      }
        ?? false
    case "ref":
      if let result {
        !(result is NSData) && !(result is NSDictionary) && !(result is NSArray) && !(result is NSString)
      } else {
        false
      }
    default: throw Problem("unknown shape \(shape)")
    }
  }

  /// A value, or a list of values in any order.
  private static func isValue(_ wanted: JSON, _ result: AnyObject?, _ values: CaseValues) throws(Problem) -> Bool {
    guard case .array(let list) = wanted else { return try matches(wanted, result, values) }
    guard var rest = result as? [Any], rest.count == list.count else { return false }
    for element in list {
      var place: Int?
      for (index, held) in rest.enumerated() where try matches(element, held, values) {
        place = index
        break
      }
      guard let place else { return false }
      rest.remove(at: place)
    }
    return true
  }

  /// Whether a value is the one that is wanted: numbers and booleans compare as numbers, text and data never.
  private static func matches(_ wanted: JSON, _ held: Any?, _ values: CaseValues) throws(Problem) -> Bool {
    if wanted == .object(["$any": .boolean(true)]) { return held != nil }
    let object = try values.value(wanted)
    guard let held else { return false }
    switch (object, held) {
    case (let object as String, let held as String): return object.utf8.elementsEqual(held.utf8)
    case (let object as Data, let held as Data): return object == held
    case (let object as NSNumber, let held as NSNumber):
      return object.int64Value == held.int64Value && object.doubleValue == held.doubleValue
    case (let object as Date, let held as Date): return object == held
    case (let object as NSObject, let held as NSObject):
      return type(of: object) == type(of: held) && object.isEqual(held)
    default: return false
    }
  }
}

extension Data {
  fileprivate var asText: String { String(validating: self, as: UTF8.self) ?? "" }
}

/// A value in words, cut where it is long.
private func describe(_ value: Any?) -> String {
  let text =
    switch value {
    case nil: "nil"
    case let value as String: "\"\(value)\""
    case let value as Data: "data \(value.prefix(40).map { "\($0 < 16 ? "0" : "")" + String($0, radix: 16) }.joined())"
    case let value as NSArray: "an array of \(value.count)"
    case let value as [String: Any]: "a dictionary of \(value.keys.sorted().joined(separator: " "))"
    case let value?: "\(value)"
    }
  return String(text.prefix(200))
}
