// The lines are those of README.md, which scripts/test-consumers looks for here.
// swift-format-ignore-file
import Foundation
import Security

/// Runs the lines of code in README.md, and holds it to what it says of status codes.
func runReadmeLines() {
  let token = Data("token".utf8)
  var item: CFTypeRef?
  require(SecItemAdd([kSecClass: kSecClassGenericPassword, kSecAttrService: "api", kSecAttrAccount: "me", kSecValueData: token] as CFDictionary, nil) == errSecSuccess, "README: save")
  require(SecItemCopyMatching([kSecClass: kSecClassGenericPassword, kSecAttrService: "api", kSecAttrAccount: "me", kSecReturnData: true] as CFDictionary, &item) == errSecSuccess, "README: load")
  require(item as? Data == token, "README: load gives other bytes")
  let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "api", kSecAttrAccount: "me"]
  require(SecItemUpdate(query as CFDictionary, [kSecValueData: token] as CFDictionary) == errSecSuccess, "README: replace")
  require(SecItemDelete(query as CFDictionary) == errSecSuccess, "README: delete")
  var bytes = [UInt8](repeating: 0, count: 32)
  require(SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes) == errSecSuccess, "README: random bytes")
  require(SecCopyErrorMessageString(errSecItemNotFound, nil) != nil, "README: a reason")

  func add(_ key: CFString, _ value: Any) -> OSStatus {
    SecItemAdd(query.merging([key: value]) { $1 } as CFDictionary, nil)
  }
  let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
  require(control != nil, "README: access control")
  require(add(kSecAttrAccessControl, control!) == errSecAuthFailed, "README: access control")
  require(add(kSecAttrAccessible, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly) == errSecAuthFailed, "README: passcode")
  require(add(kSecAttrAccessGroup, "another") == errSecMissingEntitlement, "README: access group")
  require(add(kSecValueData, Data(count: 16_777_217)) != errSecSuccess, "README: one byte more than 16 MiB")
  require(SecItemCopyMatching(query as CFDictionary, nil) == errSecItemNotFound, "README: nothing stored by a refused add")

  require(add(kSecValueData, Data(count: 16_777_216)) == errSecSuccess, "README: 16 MiB")
  require(add(kSecAttrSynchronizable, true) == errSecSuccess, "README: the same key, synchronizable")
  require(add(kSecAttrSynchronizable, kSecAttrSynchronizableAny) == errSecDuplicateItem, "README: Any adds as not synchronizable")
  let any = query.merging([kSecAttrSynchronizable: kSecAttrSynchronizableAny]) { $1 }
  require(SecItemDelete(query as CFDictionary) == errSecSuccess, "README: delete finds only those that are not")
  require(SecItemDelete(query as CFDictionary) == errSecItemNotFound, "README: the synchronizable one stays")
  require(SecItemDelete(any as CFDictionary) == errSecSuccess, "README: Any finds it")
}
