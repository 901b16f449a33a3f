internal import Foundation

/// A JSON value with booleans and numbers kept apart: a query tells them apart too.
enum JSON: Decodable, Equatable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case text(String)
  case array([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .real(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  /// Every value in here, this one first.
  var everything: [JSON] {
    switch self {
    case .array(let values): [self] + values.flatMap(\.everything)
    case .object(let values): [self] + values.values.flatMap(\.everything)
    default: [self]
    }
  }
}

extension JSON: CustomStringConvertible {
  /// As it stood in the case, nearly.
  var description: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text): "\"\(text)\""
    case .array(let values): "[\(values.map(\.description).joined(separator: ", "))]"
    case .object(let values):
      "{\(values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))}"
    }
  }
}

/// Why a case cannot pass: what it says is not understood, or not built yet.
struct Problem: Error {
  let text: String
  init(_ text: String) { self.text = text }
}

extension [String: JSON] {
  /// Fails on a key that nobody would look at: it is a failure, never skipped.
  func expectOnly(_ known: Set<String>, in place: String) throws(Problem) {
    if let unknown = keys.filter({ !known.contains($0) }).min() { throw Problem("unknown key \(unknown) in \(place)") }
  }

  func text(_ key: String) throws(Problem) -> String {
    guard case .text(let value)? = self[key] else { throw Problem("\(key) is no text") }
    return value
  }

  func object(_ key: String) throws(Problem) -> [String: JSON] {
    guard case .object(let value)? = self[key] else { throw Problem("\(key) is no object") }
    return value
  }

  func texts(_ key: String) throws(Problem) -> [String] {
    guard case .array(let values)? = self[key] else { throw Problem("\(key) is no list") }
    var texts: [String] = []
    for value in values {
      guard case .text(let text) = value else { throw Problem("\(key) holds what is no text") }
      texts.append(text)
    }
    return texts
  }
}
