// swift-format-ignore-file
import Foundation

final class Session {
  private let keychain = KeychainStore()

  func draft() throws -> String {
// wrong: keychain.error-swallowed
    (try? keychain.string(for: "draft")) ?? ""
// right
    try keychain.string(for: "draft") ?? ""
// end
  }

  func keep(_ draft: String) throws {
    do {
      try keychain.set(draft, for: "draft")
    } catch {
// wrong: keychain.plain-text-fallback
      UserDefaults.standard.set(draft, forKey: "draft")
// right
      throw error
// end
    }
  }
}
