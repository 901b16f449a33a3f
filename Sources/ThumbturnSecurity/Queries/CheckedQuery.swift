internal import Foundation
internal import ThumbturnAuthentication
internal import ThumbturnKeychain
internal import ThumbturnVault

/// What a dictionary says, once its class, its key names and the types of its values are known to be valid.
struct CheckedQuery {
  /// `kSecAttrSynchronizable`, with the value that only queries have.
  enum Synchronizable {
    case no, yes, any
  }

  /// The kind of item.
  let itemClass: QueryClass
  /// The attributes that have no property of their own here; the access group is one of them.
  var attributes: [Attribute: AttributeValue] = [:]
  /// How many attributes were named, those with a property of their own too.
  var attributeCount = 0
  /// Whether the access group is no text: an error of its own everywhere but in a find.
  var hasGroupOfOtherKind = false
  var protectionClass: ProtectionClass?
  var accessControl: SecAccessControl?
  var synchronizable: Synchronizable?
  /// A tombstone is asked for; there are none.
  var wantsTombstone = false
  /// The caller's own bytes: Apple's API hands the secret over as `Data`.
  ///
  /// They are copied into locked memory once, at the end of all checks; wiping the original is the program's.
  var secret: Data?
  /// The further secrets of an internet password, as ``secret``.
  var extraSecrets: [Attribute: Data] = [:]
  var reference: PersistentReference?
  var wanted: ReturnKinds = []
  var limit: ItemQuery.Limit?
  var hasMatchKey = false
  /// A match key that other item classes have.
  var hasMatchKeyOfOtherClass = false
  /// A match key that needs a certificate's content or trust: not served yet.
  var hasUnservedMatchKey = false
  var filter = ItemFilter()
  /// `kSecMatchSubjectContains` and `kSecMatchCaseInsensitive`, which change only each other.
  var subjectPart: String?
  var ignoresCase = false
  var consent = ItemQuery.Consent.ask
  /// What an LAContext carries: what was verified before, whether prompts are allowed, and what they say.
  var context: AuthenticationContext?
  var operationPrompt: String?

  init(_ itemClass: QueryClass) { self.itemClass = itemClass }

  /// Takes one key and its value.
  ///
  /// - Throws: ``KeychainError/Code/parameter`` for a value of a type that the key does not take.
  mutating func take(_ key: QueryKey, _ value: QueryValue, in call: QueryCall) throws(KeychainError) {
    if case .null = value {
      // Null is "now" for one key and nothing for all others.
      guard case .match("m_ValidOnDate") = key else { throw KeychainError(.parameter) }
    }
    switch key {
    case .itemClass, .ignored: break
    case .attribute(let definition): try take(definition, value, in: call)
    case .match(let name): try takeMatch(name, value)
    case .returns(let kind): if try value.strictBoolean() { wanted.insert(kind) }
    case .use(let key): try takeUse(key, value)
    case .data:
      guard case .data(let bytes) = value else { throw KeychainError(.parameter) }
      secret = bytes
    case .reference: throw KeychainError(.parameter)  // Passwords have no reference objects.
    case .persistentReference:
      guard case .data(let bytes) = value, let parsed = PersistentReference(bytes) else {
        throw KeychainError(.parameter)
      }
      reference = parsed
    }
  }

  private mutating func take(
    _ definition: AttributeDefinition, _ value: QueryValue, in call: QueryCall
  ) throws(KeychainError) {
    attributeCount += 1
    switch definition.attribute {
    case .accessible: protectionClass = try value.protectionClass()
    case .accessControl:
      guard case .accessControl(let object) = value else { throw KeychainError(.parameter) }
      accessControl = object
    case .synchronizable: synchronizable = try Self.synchronizable(value)
    case .tombstone: wantsTombstone = try value.looseBoolean()
    case .accessGroup:
      if call != .find, !value.isText {
        hasGroupOfOtherKind = true
      } else {
        attributes[.accessGroup] = .text(try value.plainText())
      }
    case let attribute where definition.isExtraSecret:
      guard case .data(let bytes) = try value.attributeValue(as: definition.kind) else { return }
      extraSecrets[attribute] = Data(bytes)
    default: attributes[definition.attribute] = try value.attributeValue(as: definition.kind)
    }
  }

  private static func synchronizable(_ value: QueryValue) throws(KeychainError) -> Synchronizable {
    if case .text("syna") = value { return .any }
    switch try value.attributeValue(as: .number) {
    case .number(0): return .no
    case .number(1): return .yes
    // Apple stores what it is given; a flag that is neither would match nothing.
    default: throw KeychainError(.parameter)
    }
  }
}
