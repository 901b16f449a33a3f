internal import Foundation
internal import ThumbturnCrypto
internal import ThumbturnKeychain

extension CheckedQuery {
  /// The item that an add stores.
  ///
  /// Dates are the vault's to set.
  func newItem() throws(KeychainError) -> NewItem {
    var kept = attributes
    kept[.creationDate] = nil
    kept[.modificationDate] = nil
    var item = NewItem(
      itemClass, kept, secret: try sharedSecret(), protectionClass: protectionClass ?? accessControl?.protectionClass)
    item.isSynchronizable = synchronizable == .yes
    item.accessControl = accessControl?.value
    return item
  }

  /// What a find, update or delete means; nil when nothing can match.
  func itemQuery() -> ItemQuery? {
    guard !wantsTombstone, limit != .count(0) else { return nil }
    if let reference, reference.identity == nil { return nil }
    var query = ItemQuery(
      itemClass, attributes, limit: limit ?? .count(1), wantsSecret: wanted.contains(.data))
    // An access control in a query filters nothing.
    query.protectionClass = protectionClass
    query.reference = reference?.identity
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
    return change
  }

  /// The secret in locked memory.
  private func sharedSecret() throws(KeychainError) -> SharedSecret? {
    guard let secret else { return nil }
    do throws(CryptoError) {
      return SharedSecret(try SecretBytes(copying: secret.span))
    } catch {
      throw KeychainError(error.code == .tooLarge ? .dataTooLarge : .outOfMemory)
    }
  }
}
