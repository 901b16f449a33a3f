internal import Foundation
internal import ThumbturnCrypto
internal import ThumbturnKeychain

extension CheckedQuery {
  /// The item that an add stores.
  ///
  /// Dates are the vault's to set.
  ///
  /// - Throws: ``KeychainError/Code/parameter`` for an identity: it has no row of its own.
  func newItem() throws(KeychainError) -> NewItem {
    guard case .items(let itemClass) = itemClass else { throw KeychainError(.parameter) }
    var kept = attributes
    kept[.creationDate] = nil
    kept[.modificationDate] = nil
    var item = NewItem(
      itemClass, kept, secret: try sharedSecret(), protectionClass: protectionClass ?? accessControl?.protectionClass)
    item.isSynchronizable = synchronizable == .yes
    item.accessControl = accessControl?.value
    item.extraSecrets = try sharedExtraSecrets()
    item.context = context
    return item
  }

  /// What a find, update or delete means; nil when nothing can match.
  func itemQuery() -> ItemQuery? {
    guard !wantsTombstone, limit != .count(0) else { return nil }
    if let reference, reference.identity == nil { return nil }
    var query = emptyQuery()
    query.limit = limit ?? .count(1)
    query.wantsSecret = wanted.contains(.data)
    query.wantsExtraSecrets = wanted.contains(.data) && wanted != .data
    // An access control in a query filters nothing.
    query.protectionClass = protectionClass
    query.reference = reference?.identity
    query.filter = filter
    query.filter.subjectPart = subjectPart.map { .init($0, ignoresCase: ignoresCase) }
    query.consent = consent
    query.context = context
    query.operationPrompt = operationPrompt
    query.synchronizable =
      switch synchronizable {
      case .yes: .yes
      case .any: .any
      case .no: .no
      // A reference finds synchronizable items too.
      case nil: reference == nil ? .no : .any
      }
    return query
  }

  /// The class and the attributes of a query.
  private func emptyQuery() -> ItemQuery {
    guard case .items(let itemClass) = itemClass else {
      var query = ItemQuery(.certificate, attributes.filter { $0.key.isAskedOfCertificate })
      query.identityKey = attributes.filter { !$0.key.isAskedOfCertificate }
      return query
    }
    return ItemQuery(itemClass, attributes)
  }

  /// What an update sets.
  ///
  /// A date of modification is the vault's to set.
  func itemChange() throws(KeychainError) -> ItemChange {
    var kept = attributes
    kept[.modificationDate] = nil
    var change = ItemChange(kept, secret: try sharedSecret())
    change.protectionClass = protectionClass ?? accessControl?.protectionClass
    change.isSynchronizable =
      switch synchronizable {
      case .yes: true
      case .no: false
      case .any, nil: nil
      }
    change.accessControl = accessControl?.value
    change.extraSecrets = try sharedExtraSecrets()
    return change
  }

  /// The secret in locked memory.
  private func sharedSecret() throws(KeychainError) -> SharedSecret? {
    guard let secret else { return nil }
    return try Self.shared(secret)
  }

  private func sharedExtraSecrets() throws(KeychainError) -> [Attribute: SharedSecret] {
    var shared: [Attribute: SharedSecret] = [:]
    for (attribute, secret) in extraSecrets { shared[attribute] = try Self.shared(secret) }
    return shared
  }

  private static func shared(_ secret: Data) throws(KeychainError) -> SharedSecret {
    do throws(CryptoError) {
      return SharedSecret(try SecretBytes(copying: secret.span))
    } catch {
      throw KeychainError(error.code == .tooLarge ? .dataTooLarge : .outOfMemory)
    }
  }
}
