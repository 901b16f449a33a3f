/// A value of a property list, with the line on which it stands (0 in a binary list, which has no lines).
struct PropertyNode: Hashable, Sendable {
  var value: PropertyValue
  var line: Int

  /// The entries of a dictionary; none for another value.
  var entries: [PropertyEntry] {
    if case .dictionary(let entries) = value { entries } else { [] }
  }

  /// The items of an array; none for another value.
  var items: [PropertyNode] {
    if case .array(let items) = value { items } else { [] }
  }

  var string: String? {
    if case .string(let text) = value { text } else { nil }
  }

  /// Whether it is a boolean, and which.
  var boolean: Bool? {
    if case .boolean(let flag) = value { flag } else { nil }
  }

  /// What the last entry of that key holds: the last one wins, as in Apple's own reader.
  subscript(key: String) -> PropertyNode? { entry(key)?.node }

  func entry(_ key: String) -> PropertyEntry? { entries.last { $0.key == key } }

  /// What the type is called in a message.
  var typeName: String {
    switch value {
    case .string: "a string"
    case .boolean: "a boolean"
    case .integer, .real: "a number"
    case .date: "a date"
    case .data: "data"
    case .array: "an array"
    case .dictionary: "a dictionary"
    }
  }
}

/// A key of a dictionary and what it holds.
struct PropertyEntry: Hashable, Sendable {
  var key: String
  var line: Int
  var node: PropertyNode
}

/// What a property list can hold.
indirect enum PropertyValue: Hashable, Sendable {
  case string(String)
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case date(String)
  case data([UInt8])
  case array([PropertyNode])
  case dictionary([PropertyEntry])
}

/// A property list that could be read, and where it lies.
struct PropertyListFile: Hashable, Sendable {
  /// Relative to the folder that is audited.
  var path: String
  var root: PropertyNode
}
