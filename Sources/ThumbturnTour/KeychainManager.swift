import Foundation
import Security

/// The keychain as the tutorials wrap it: one shared object, one item per service and account.
///
/// Nothing in this file knows about Linux.
final class KeychainManager: Sendable {
  static let shared = KeychainManager()
  private init() {}

  /// Saves a secret; one that is there already is replaced.
  ///
  /// - Returns: The status of `SecItemAdd`, and that of `SecItemUpdate` where it was a duplicate.
  func save(_ secret: Data, service: String, account: String, label: String) -> (add: OSStatus, update: OSStatus?) {
    let query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: service,
      kSecAttrAccount as String: account,
    ]
    var attributes = query
    attributes[kSecAttrLabel as String] = label
    attributes[kSecValueData as String] = secret
    let status = SecItemAdd(attributes as CFDictionary, nil)
    guard status == errSecDuplicateItem else { return (status, nil) }
    return (status, SecItemUpdate(query as CFDictionary, [kSecValueData as String: secret] as CFDictionary))
  }

  /// Loads a secret.
  func load(service: String, account: String) -> (status: OSStatus, secret: Data?) {
    let query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: service,
      kSecAttrAccount as String: account,
      kSecReturnData as String: true,
      kSecMatchLimit as String: kSecMatchLimitOne,
    ]
    var item: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &item)
    return (status, item as? Data)
  }

  /// Loads every secret of a service, by account.
  func loadAll(service: String) -> (status: OSStatus, secrets: [String: Data?]) {
    let query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: service,
      kSecReturnAttributes as String: true,
      kSecReturnData as String: true,
      kSecMatchLimit as String: kSecMatchLimitAll,
    ]
    var items: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &items)
    var secrets: [String: Data?] = [:]
    for item in items as? [[String: Any]] ?? [] {
      guard let account = item[kSecAttrAccount as String] as? String else { continue }
      secrets.updateValue(item[kSecValueData as String] as? Data, forKey: account)
    }
    return (status, secrets)
  }

  /// Deletes a secret.
  func delete(service: String, account: String) -> OSStatus {
    let query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: service,
      kSecAttrAccount as String: account,
    ]
    return SecItemDelete(query as CFDictionary)
  }
}
