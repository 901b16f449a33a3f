internal import Foundation
internal import ThumbturnAuthentication
internal import ThumbturnKeychain
internal import ThumbturnVault

/// A value of a query dictionary, by the kinds that Apple's server tells apart (SECITEM.md §3).
enum QueryValue {
  case text(String)
  case data(Data)
  /// A number that is no boolean.
  case number(NSNumber)
  case boolean(Bool)
  case date(Date)
  case uuid(UUID)
  case null
  case accessControl(SecAccessControl)
  case policy(SecPolicy)
  /// An LAContext.
  case context(AuthenticationContext)
  case array(NSArray)
  /// A dictionary, an object of the program's: never looked into.
  case other

  /// Sorts a value by its class.
  init(_ object: AnyObject) {
    switch object {
    case let object as NSString: self = .text(object as String)
    case let object as NSData: self = .data(object as Data)
    case let object as NSNumber: self = isBoolean(object) ? .boolean(object.boolValue) : .number(object)
    case let object as NSDate: self = .date(object as Date)
    case let object as NSUUID: self = .uuid(object as UUID)
    case let object as NSArray: self = .array(object)
    case let object as SecAccessControl: self = .accessControl(object)
    case let object as SecPolicy: self = .policy(object)
    case let object as any AuthenticationContextProviding: self = .context(object.authenticationContext)
    case is NSNull: self = .null
    default: self = .other
    }
  }

  /// Whether it is text, without any conversion.
  var isText: Bool { if case .text = self { true } else { false } }

  /// Whether it is true, or a number that is not 0.
  var isTrue: Bool {
    switch self {
    case .boolean(let value): value
    case .number(let value): value != 0
    default: false
    }
  }

  /// The value of an attribute, converted as its kind asks.
  ///
  /// - Throws: ``KeychainError/Code/parameter`` for a value of another kind.
  func attributeValue(as kind: AttributeDefinition.Kind) throws(KeychainError) -> AttributeValue {
    switch kind {
    case .blob: try blob()
    case .data: try bytes()
    case .text: .text(try plainText())
    case .number: try integerOrText()
    case .date: try seconds()
    case .accessControl: throw KeychainError(.parameter)
    }
  }

  /// A boolean that is nothing else: return keys take no number.
  func strictBoolean() throws(KeychainError) -> Bool {
    guard case .boolean(let value) = self else { throw KeychainError(.parameter) }
    return value
  }

  /// A boolean, or a number that is 0 or not.
  func looseBoolean() throws(KeychainError) -> Bool {
    switch self {
    case .boolean(let value): value
    case .number(let value): value != 0
    default: throw KeychainError(.parameter)
    }
  }

  /// Text, or data that is UTF-8, or a UUID's text.
  func plainText() throws(KeychainError) -> String {
    switch self {
    case .text(let value): return value
    case .uuid(let value): return value.uuidString
    case .data(let value):
      // Foundation's own conversion would drop a byte order mark.
      guard let text = String(validating: value, as: UTF8.self) else { throw KeychainError(.parameter) }
      return text
    default: throw KeychainError(.parameter)
    }
  }

  /// A protection class.
  func protectionClass() throws(KeychainError) -> ProtectionClass {
    if case .uuid = self { throw KeychainError(.parameter) }
    guard let found = ProtectionClass(code: try plainText()) else { throw KeychainError(.parameter) }
    return found
  }

  private func blob() throws(KeychainError) -> AttributeValue {
    switch self {
    case .text(let value): .text(value)
    case .data(let value): .data([UInt8](value))
    case .number(let value): .number(try Self.integer(value))
    default: throw KeychainError(.parameter)
    }
  }

  private func bytes() throws(KeychainError) -> AttributeValue {
    switch self {
    case .data(let value): return .data([UInt8](value))
    case .text(let value): return .data([UInt8](value.utf8))
    case .number(let value):
      guard let number = Int32(exactly: value) else { throw KeychainError(.parameter) }
      let bits = UInt32(bitPattern: number)
      return .data([0, 8, 16, 24].map { UInt8(truncatingIfNeeded: bits >> $0) })
    default: throw KeychainError(.parameter)
    }
  }

  private func integerOrText() throws(KeychainError) -> AttributeValue {
    switch self {
    case .number(let value): return .number(try Self.integer(value))
    case .boolean(let value): return .number(value ? 1 : 0)
    case .text(let value):
      // Only text that prints back as the same integer is one: "+5" and "05" stay text.
      guard let number = Int64(value), String(number) == value else { return .text(value) }
      return .number(number)
    default: throw KeychainError(.parameter)
    }
  }

  private func seconds() throws(KeychainError) -> AttributeValue {
    guard case .date(let value) = self, value.timeIntervalSinceReferenceDate.isFinite else {
      throw KeychainError(.parameter)
    }
    return .date(value.timeIntervalSinceReferenceDate)
  }

  /// A 64-bit integer; fractions are refused, since a record could not give them back.
  static func integer(_ number: NSNumber) throws(KeychainError) -> Int64 {
    guard let value = Int64(exactly: number) else { throw KeychainError(.parameter) }
    return value
  }
}
