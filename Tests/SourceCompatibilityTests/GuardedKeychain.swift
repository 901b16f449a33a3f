import Foundation
import LocalAuthentication
import Security

/// A keychain wrapper whose items need the person.
final class GuardedKeychain {
  enum Failure: Error, Equatable {
    case accessControl
    case cancelled
    case notFound
    case status(OSStatus)
  }

  private let service: String
  private let flags: SecAccessControlCreateFlags

  init(service: String, flags: SecAccessControlCreateFlags = .biometryCurrentSet) {
    self.service = service
    self.flags = flags
  }

  func save(_ secret: Data, account: String) throws {
    var error: Unmanaged<CFError>?
    guard
      let access = SecAccessControlCreateWithFlags(
        kCFAllocatorDefault, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, flags, &error)
    else { throw Failure.accessControl }
    let query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: service,
      kSecAttrAccount as String: account,
      kSecAttrAccessControl as String: access as Any,
      kSecValueData as String: secret,
    ]
    var old = query
    old[kSecValueData as String] = nil
    old[kSecAttrAccessControl as String] = nil
    SecItemDelete(old as CFDictionary)
    let status = SecItemAdd(query as CFDictionary, nil)
    guard status == errSecSuccess else { throw Failure.status(status) }
  }

  func load(account: String, prompt: String = "Access your password", context: LAContext = LAContext()) throws -> Data {
    context.localizedReason = prompt
    let query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: service,
      kSecAttrAccount as String: account,
      kSecMatchLimit as String: kSecMatchLimitOne,
      kSecReturnData as String: true,
      kSecUseAuthenticationContext as String: context,
    ]
    var item: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &item)
    switch status {
    case errSecSuccess:
      guard let data = item as? Data else { throw Failure.notFound }
      return data
    case errSecUserCanceled: throw Failure.cancelled
    case errSecItemNotFound: throw Failure.notFound
    default: throw Failure.status(status)
    }
  }

  /// Whether something is there, without asking anybody.
  func has(account: String) -> Bool {
    let context = LAContext()
    context.interactionNotAllowed = true
    let query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: service,
      kSecAttrAccount as String: account,
      kSecReturnData as String: true,
      kSecUseAuthenticationContext as String: context,
    ]
    let status = SecItemCopyMatching(query as CFDictionary, nil)
    return status == errSecSuccess || status == errSecInteractionNotAllowed
  }
}
