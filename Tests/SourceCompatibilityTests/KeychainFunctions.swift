import Foundation
import Security

func saveToKeychain(key: String, data: Data) -> Bool {
  let query =
    [
      kSecClass as String: kSecClassGenericPassword as String,
      kSecAttrAccount as String: key,
      kSecValueData as String: data,
    ] as [String: Any]
  SecItemDelete(query as CFDictionary)
  return SecItemAdd(query as CFDictionary, nil) == errSecSuccess
}

func loadFromKeychain(key: String) -> Data? {
  let query =
    [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrAccount as String: key,
      kSecReturnData as String: kCFBooleanTrue!,
      kSecMatchLimit as String: kSecMatchLimitOne,
    ] as [String: Any]
  var dataTypeRef: AnyObject? = nil
  let status: OSStatus = SecItemCopyMatching(query as CFDictionary, &dataTypeRef)
  if status == noErr {
    return dataTypeRef as! Data?
  } else {
    return nil
  }
}

func removeFromKeychain(key: String) -> Bool {
  let query: NSDictionary = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: key]
  return SecItemDelete(query) == errSecSuccess
}

func keychainContains(key: String) -> Bool {
  let query: [NSString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: key]
  return SecItemCopyMatching(query as CFDictionary, nil) == errSecSuccess
}
