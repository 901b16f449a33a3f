// swift-format-ignore-file
import Foundation
import Security

struct VaultError: Error { var status: OSStatus }

struct TokenVault {
  func add(_ token: String) throws {
    var query: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword, kSecAttrService: "notes", kSecAttrAccount: "token",
      kSecValueData: Data(token.utf8),
    ]
// wrong: keychain.match-key
    query[kSecMatchLimit] = kSecMatchLimitOne
// right
    query[kSecAttrLabel] = "Notes"
// end
    let status = SecItemAdd(query as CFDictionary, nil)
    guard status == errSecSuccess else { throw VaultError(status: status) }
  }

  func change(_ token: String, _ query: CFDictionary) throws {
    let change = [kSecValueData: Data(token.utf8)] as CFDictionary
// wrong: keychain.status-unchecked
    SecItemUpdate(query, change)
// right
    let status = SecItemUpdate(query, change)
    guard status == errSecSuccess else { throw VaultError(status: status) }
// end
  }

  func replace(_ query: CFDictionary, _ change: CFDictionary) throws {
// wrong: keychain.delete-then-add
    SecItemDelete(query)
    let status = SecItemAdd(query, nil)
// right
    var status = SecItemUpdate(query, change)
    if status == errSecItemNotFound { status = SecItemAdd(query, nil) }
// end
    guard status == errSecSuccess else { throw VaultError(status: status) }
  }

  func remove(_ account: String) throws {
// wrong: keychain.delete-too-broad
    let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword]
// right
    let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account]
// end
    let status = SecItemDelete(query as CFDictionary)
    guard status == errSecSuccess else { throw VaultError(status: status) }
  }

  func background(_ token: Data) -> [CFString: Any] {
    [
      kSecValueData: token,
// wrong: keychain.always-accessible
      kSecAttrAccessible: kSecAttrAccessibleAlwaysThisDeviceOnly,
// right
      kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
// end
    ]
  }

  func shared(_ token: Data) -> [CFString: Any] {
    [
      kSecValueData: token, kSecAttrSynchronizable: true,
// wrong: keychain.synchronizable-conflict
      kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
// right
      kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
// end
    ]
  }

  func guarded(_ token: Data, _ control: SecAccessControl) -> [CFString: Any] {
    [
      kSecValueData: token,
// wrong: keychain.access-control-with-accessible
      kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
// right
// end
      kSecAttrAccessControl: control,
    ]
  }

  func control() throws -> SecAccessControl {
// wrong: keychain.access-control-error
    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .devicePasscode, nil)!
// right
    guard let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .devicePasscode, nil) else {
      throw VaultError(status: errSecParam)
    }
    return control
// end
  }

  func enrolled() throws -> SecAccessControl {
// wrong: biometric.any-enrolled
    let flags: SecAccessControlCreateFlags = .biometryAny
// right
    let flags: SecAccessControlCreateFlags = .biometryCurrentSet
// end
    var error: Unmanaged<CFError>?
    guard let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, &error) else {
      throw VaultError(status: errSecParam)
    }
    return control
  }
}
