import Foundation
import ThumbturnSecurity

/// A value in a dictionary of a call, before it is an object.
enum Value: Hashable {
  case text(String)
  case data([UInt8])
  case number(Int64)
  case boolean(Bool)
  case date(Double)
  case fraction
  case null
  case array
  /// An access control without conditions, for a protection class.
  case control(String)
  /// The persistent reference of the row with this number.
  case reference(Int)

  /// The object for a store that gave out `references`.
  func object(_ references: [Int: Data]) -> Any {
    switch self {
    case .text(let text): text
    case .data(let bytes): Data(bytes)
    case .number(let number): NSNumber(value: number)
    case .boolean(let value): NSNumber(value: value)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .fraction: NSNumber(value: 1.5)
    case .null: NSNull()
    case .array: [1, "a"] as NSArray
    case .control(let protection):
      SecAccessControlCreateWithFlags(nil, protection as NSString, [], nil) as Any
    case .reference(let row): references[row] as Any
    }
  }

  var isText: Bool { if case .text = self { true } else { false } }

  // Text is compared byte for byte: Swift takes different spellings of one character for the same.
  static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.data(let left), .data(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.boolean(let left), .boolean(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.control(let left), .control(let right)): left == right
    case (.reference(let left), .reference(let right)): left == right
    case (.fraction, .fraction), (.null, .null), (.array, .array): true
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {}
}

extension Value: CustomStringConvertible {
  var description: String {
    switch self {
    case .text(let text): "\"\(text)\""
    case .data(let bytes): "\(bytes)"
    case .number(let number): "\(number)"
    case .boolean(let value): "\(value)"
    case .date(let seconds): "date \(seconds)"
    case .fraction: "1.5"
    case .null: "null"
    case .array: "an array"
    case .control(let protection): "an access control \(protection)"
    case .reference(let row): "the reference of row \(row)"
    }
  }
}

typealias Query = [String: Value]

/// One thing that a program does.
enum Step {
  case groups([String])
  case add(Query)
  case find(Query)
  case update(Query, Query)
  case delete(Query)
}
