internal import Foundation
internal import ThumbturnKeychain

/// A key of a query dictionary, by Apple's rules for its name (SECITEM.md §2).
enum QueryKey {
  /// `class`.
  case itemClass
  /// An attribute of the item class.
  case attribute(AttributeDefinition)
  /// A match key, known or not: an unknown one counts, and filters nothing.
  case match(String)
  /// A return key.
  case returns(ReturnKinds)
  /// A use key.
  case use(UseKey)
  /// `v_Data`.
  case data
  /// `v_Ref`.
  case reference
  /// `v_PersistentRef`.
  case persistentReference
  /// A key that is accepted and means nothing.
  case ignored

  /// The use keys that are served; every other one is errSecParam.
  enum UseKey: String {
    case authenticationContext = "u_AuthCtx"
    case authenticationUI = "u_AuthUI"
    case noAuthenticationUI = "u_NoAuthUI"
    case operationPrompt = "u_OpPrompt"
    /// Tombstones exist for a syncing service; there is none.
    case tombstones = "u_Tomb"
    case userIndependentKeychain = "u_UserIndependentKeychain"
  }

  /// Reads a key's name.
  ///
  /// - Throws: ``KeychainError/Code/noSuchAttribute`` for an unknown name of four characters, and for whatever is no
  ///   attribute in the change of an update; ``KeychainError/Code/parameter`` for any other unknown name.
  init(_ name: String, of itemClass: QueryClass, in call: QueryCall) throws(KeychainError) {
    if name.utf16.count == 4 {
      self = try Self.attribute(name, of: itemClass)
      return
    }
    guard name.utf16.count >= 2, let first = name.first else { throw KeychainError(.parameter) }
    if call == .change, "cmru".contains(first) || name == "v_PersistentRef" { throw KeychainError(.noSuchAttribute) }
    switch first {
    case "c" where name == "class": self = .itemClass
    case "m": self = .match(name)
    case "r": self = .returns(try Self.returnKind(name))
    case "u":
      guard let key = UseKey(rawValue: name) else { throw KeychainError(.parameter) }
      self = .use(key)
    case "v": self = try Self.value(name)
    case "f": self = .ignored
    default: throw KeychainError(.parameter)
    }
  }

  private static func attribute(_ name: String, of itemClass: QueryClass) throws(KeychainError) -> QueryKey {
    // kSecUseDataProtectionKeychain chooses a store on the Mac; here there is one.
    if name == "nleg" { return .ignored }
    guard let definition = itemClass.definition(of: name) else {
      throw KeychainError(.noSuchAttribute)
    }
    switch definition.attribute {
    case .appClip: throw KeychainError(.parameter)
    // Apple keeps a digest of the secret and an internal identity. A vault that stores no digest cannot serve them.
    case .sha1, .uuid: throw KeychainError(.noSuchAttribute)
    default: return .attribute(definition)
    }
  }

  private static func returnKind(_ name: String) throws(KeychainError) -> ReturnKinds {
    switch name {
    case "r_Data": .data
    case "r_Attributes": .attributes
    case "r_Ref": .reference
    case "r_PersistentRef": .persistentReference
    default: throw KeychainError(.parameter)
    }
  }

  private static func value(_ name: String) throws(KeychainError) -> QueryKey {
    switch name {
    case "v_Data": .data
    case "v_Ref": .reference
    case "v_PersistentRef": .persistentReference
    default: throw KeychainError(.parameter)
    }
  }
}
