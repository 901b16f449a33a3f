internal import Foundation
internal import ThumbturnKeychain
@_spi(Testing) internal import ThumbturnSecurity

/// What Apple's API costs over the engine: `SecItemCopyMatching` as ours, the backend under it as the peer.
enum FaceRows {
  static func pairs(_ contest: Contest) throws -> Pairs {
    useKeychainBackend(contest.backend, for: Items.caller)
    defer { useKeychainBackend(nil) }
    var rows = Rows(of: contest.store.count)
    let batchCount = 10
    return try Pairs(
      400, batchCount: batchCount,
      ours: {
        let names = rows.next(batchCount).map { (Items.service($0), Items.account($0)) }
        return try nanoseconds {
          for (service, account) in names { try find(service, account) }
        }
      },
      peer: { try contest.read(batchCount) })
  }

  /// As an app does it: the dictionary is made for each call.
  private static func find(_ service: String, _ account: String) throws {
    let query: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account, kSecReturnData: true,
    ]
    var item: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &item)
    guard status == errSecSuccess, (item as? Data)?.count == Items.secretCount else {
      throw Failure("SecItemCopyMatching answered \(status)")
    }
  }
}
