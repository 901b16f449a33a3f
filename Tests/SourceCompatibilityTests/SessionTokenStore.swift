import Foundation
import Security

protocol TokenStoring {
  func token() -> String?
  mutating func setToken(_ token: String?)
}

struct SessionTokenStore: TokenStoring {
  private let service = "org.example.compatibility.session"

  private var baseQuery: [CFString: Any] {
    [
      kSecClass: kSecClassGenericPassword,
      kSecAttrService: service,
      kSecAttrAccount: "session",
    ]
  }

  func token() -> String? {
    var query = baseQuery
    query[kSecReturnData] = true
    query[kSecReturnAttributes] = true
    query[kSecMatchLimit] = kSecMatchLimitOne
    var item: CFTypeRef?
    guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess,
      let existing = item as? [String: Any],
      let data = existing[kSecValueData as String] as? Data,
      existing[kSecAttrAccount as String] as? String == "session"
    else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  mutating func setToken(_ token: String?) {
    guard let token = token else {
      SecItemDelete(baseQuery as CFDictionary)
      return
    }
    var query = baseQuery
    query[kSecValueData] = Data(token.utf8)
    query[kSecAttrSynchronizable] = kCFBooleanFalse
    if SecItemAdd(query as CFDictionary, nil) == errSecDuplicateItem {
      let changes: [CFString: Any] = [kSecValueData: Data(token.utf8)]
      SecItemUpdate(baseQuery as CFDictionary, changes as CFDictionary)
    }
  }
}
