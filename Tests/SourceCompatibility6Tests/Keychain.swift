import Foundation
import Security

struct Keychain: Sendable {
  enum Failure: Error, Equatable {
    case status(OSStatus)
    case noData
  }

  static let shared = Keychain(service: "org.example.compatibility6")
  let service: String
  var accessible: @Sendable () -> CFString = { kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly }

  subscript(account: String) -> String? {
    get { try? string(for: account) }
    nonmutating set {
      if let newValue { try? set(newValue, for: account) } else { try? remove(account) }
    }
  }

  func set(_ string: String, for account: String) throws(Failure) {
    var query = query(for: account)
    query[kSecAttrAccessible as String] = accessible()
    query[kSecValueData as String] = Data(string.utf8)
    var status = SecItemAdd(query as CFDictionary, nil)
    if status == errSecDuplicateItem {
      let change: [String: Any] = [kSecValueData as String: Data(string.utf8)]
      status = SecItemUpdate(self.query(for: account) as CFDictionary, change as CFDictionary)
    }
    guard status == errSecSuccess else { throw .status(status) }
  }

  func string(for account: String) throws(Failure) -> String {
    var query = query(for: account)
    query[kSecReturnData as String] = true
    var item: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &item)
    guard status == errSecSuccess else { throw .status(status) }
    guard let data = item as? Data else { throw .noData }
    return String(decoding: data, as: UTF8.self)
  }

  func remove(_ account: String) throws(Failure) {
    let status = SecItemDelete(query(for: account) as CFDictionary)
    guard status == errSecSuccess || status == errSecItemNotFound else { throw .status(status) }
  }

  private func query(for account: String) -> [String: Any] {
    [
      kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
      kSecAttrAccount as String: account, kSecUseDataProtectionKeychain as String: true,
    ]
  }
}

@propertyWrapper
struct KeychainStored: Sendable {
  let account: String
  init(_ account: String) { self.account = account }

  var wrappedValue: String? {
    get { Keychain.shared[account] }
    nonmutating set { Keychain.shared[account] = newValue }
  }
}
