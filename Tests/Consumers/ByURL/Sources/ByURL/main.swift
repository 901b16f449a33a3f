import Foundation
import Security
import ThirdParty

enum TokenError: Error { case status(OSStatus), notData, unexpected }

struct TokenStore {
  let service: String
  let account: String

  private var query: [CFString: Any] {
    [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account]
  }

  func store(_ token: String) throws {
    var status = SecItemAdd(query.merging([kSecValueData: Data(token.utf8)]) { $1 } as CFDictionary, nil)
    if status == errSecDuplicateItem {
      let change: [CFString: Any] = [kSecValueData: Data(token.utf8)]
      status = SecItemUpdate(query as CFDictionary, change as CFDictionary)
    }
    guard status == errSecSuccess else { throw TokenError.status(status) }
  }

  func token() throws -> String? {
    var item: CFTypeRef?
    let status = SecItemCopyMatching(query.merging([kSecReturnData: true]) { $1 } as CFDictionary, &item)
    if status == errSecItemNotFound { return nil }
    guard status == errSecSuccess else { throw TokenError.status(status) }
    guard let data = item as? Data else { throw TokenError.notData }
    return String(data: data, encoding: .utf8)
  }

  func delete() throws {
    let status = SecItemDelete(query as CFDictionary)
    guard status == errSecSuccess || status == errSecItemNotFound else { throw TokenError.status(status) }
  }
}

let store = TokenStore(service: "consumer", account: "by URL")
try store.store("first")
try store.store("second")
guard try store.token() == "second" else { throw TokenError.unexpected }
try store.delete()
guard try store.token() == nil else { throw TokenError.unexpected }
try store.delete()
guard await authenticationError() == .biometryNotAvailable else { throw TokenError.unexpected }
print("ok")
let seen = "Security: \(thirdPartySeesSecurity), LocalAuthentication: \(thirdPartySeesLocalAuthentication)"
print("third party sees \(seen)")
