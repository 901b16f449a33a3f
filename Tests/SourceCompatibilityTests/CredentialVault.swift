import Foundation
import Security

actor CredentialVault {
  enum Failure: Error {
    case keychain(OSStatus, String)
  }

  private let service: String

  init(service: String) { self.service = service }

  func save<Value: Codable>(_ value: Value, for account: String) throws {
    let data = try JSONEncoder().encode(value)
    var query = baseQuery(account)
    let status = SecItemUpdate(query as CFDictionary, [kSecValueData: data] as CFDictionary)
    guard status == errSecItemNotFound else { return try check(status) }
    query[kSecValueData] = data
    query[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlock
    try check(SecItemAdd(query as CFDictionary, nil))
  }

  func load<Value: Codable>(_ type: Value.Type, for account: String) throws -> Value? {
    var query = baseQuery(account)
    query[kSecReturnData] = kCFBooleanTrue
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    if status == errSecItemNotFound { return nil }
    try check(status)
    guard let data = result as? Data else { return nil }
    return try JSONDecoder().decode(type, from: data)
  }

  func removeAll() throws {
    let status = SecItemDelete([kSecClass: kSecClassGenericPassword, kSecAttrService: service] as CFDictionary)
    if status != errSecItemNotFound { try check(status) }
  }

  private func check(_ status: OSStatus) throws {
    guard status == errSecSuccess else {
      throw Failure.keychain(status, SecCopyErrorMessageString(status, nil) as String? ?? "unknown")
    }
  }

  private func baseQuery(_ account: String) -> [CFString: Any] {
    [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account]
  }
}
