import Foundation
import Security

struct PasswordItem {
  enum KeychainError: Error, Equatable {
    case noPassword
    case unexpectedPasswordData
    case unhandledError(status: OSStatus)
  }

  let service: String
  private(set) var account: String
  let accessGroup: String?

  init(service: String, account: String, accessGroup: String? = nil) {
    self.service = service
    self.account = account
    self.accessGroup = accessGroup
  }

  func readPassword() throws -> String {
    var query = PasswordItem.query(service: service, account: account, accessGroup: accessGroup)
    query[kSecMatchLimit as String] = kSecMatchLimitOne
    query[kSecReturnAttributes as String] = kCFBooleanTrue
    query[kSecReturnData as String] = kCFBooleanTrue

    var queryResult: AnyObject?
    let status = withUnsafeMutablePointer(to: &queryResult) {
      SecItemCopyMatching(query as CFDictionary, UnsafeMutablePointer($0))
    }
    guard status != errSecItemNotFound else { throw KeychainError.noPassword }
    guard status == noErr else { throw KeychainError.unhandledError(status: status) }
    guard let existingItem = queryResult as? [String: AnyObject],
      let passwordData = existingItem[kSecValueData as String] as? Data,
      let password = String(data: passwordData, encoding: String.Encoding.utf8)
    else { throw KeychainError.unexpectedPasswordData }
    return password
  }

  func savePassword(_ password: String) throws {
    var newItem = PasswordItem.query(service: service, account: account, accessGroup: accessGroup)
    newItem[kSecValueData as String] = password.data(using: .utf8) as AnyObject?
    let status = SecItemAdd(newItem as CFDictionary, nil)
    switch status {
    case errSecSuccess:
      return
    case errSecDuplicateItem:
      let query = PasswordItem.query(service: service, account: account, accessGroup: accessGroup)
      let update = [kSecValueData as String: password.data(using: .utf8)! as AnyObject]
      let status = SecItemUpdate(query as CFDictionary, update as CFDictionary)
      guard status == noErr else { throw KeychainError.unhandledError(status: status) }
    default:
      throw KeychainError.unhandledError(status: status)
    }
  }

  mutating func renameAccount(_ newAccountName: String) throws {
    let update: [String: AnyObject] = [kSecAttrAccount as String: newAccountName as AnyObject]
    let query = PasswordItem.query(service: service, account: account, accessGroup: accessGroup)
    let status = SecItemUpdate(query as CFDictionary, update as CFDictionary)
    guard status == noErr || status == errSecItemNotFound else {
      throw KeychainError.unhandledError(status: status)
    }
    account = newAccountName
  }

  func deleteItem() throws {
    let query = PasswordItem.query(service: service, account: account, accessGroup: accessGroup)
    let status = SecItemDelete(query as CFDictionary)
    guard status == noErr || status == errSecItemNotFound else {
      throw KeychainError.unhandledError(status: status)
    }
  }

  static func items(forService service: String) throws -> [PasswordItem] {
    var query = PasswordItem.query(service: service)
    query[kSecMatchLimit as String] = kSecMatchLimitAll
    query[kSecReturnAttributes as String] = kCFBooleanTrue
    query[kSecReturnData as String] = kCFBooleanFalse

    var queryResult: AnyObject?
    let status = SecItemCopyMatching(query as CFDictionary, &queryResult)
    guard status != errSecItemNotFound else { return [] }
    guard status == noErr else { throw KeychainError.unhandledError(status: status) }
    guard let results = queryResult as? [[String: AnyObject]] else { throw KeychainError.unexpectedPasswordData }
    return results.compactMap { result in
      (result[kSecAttrAccount as String] as? String).map { PasswordItem(service: service, account: $0) }
    }
  }

  private static func query(service: String, account: String? = nil, accessGroup: String? = nil) -> [String: AnyObject]
  {
    var query = [String: AnyObject]()
    query[kSecClass as String] = kSecClassGenericPassword
    query[kSecAttrService as String] = service as AnyObject?
    if let account = account { query[kSecAttrAccount as String] = account as AnyObject? }
    if let accessGroup = accessGroup { query[kSecAttrAccessGroup as String] = accessGroup as AnyObject? }
    return query
  }
}
