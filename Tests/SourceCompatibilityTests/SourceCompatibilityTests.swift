import Foundation
import Security
import Testing

/// Code in the manner of Apple's tutorials, each style in a file of its own, compiled as it would be for iOS: Swift 5
/// mode, no added setting, no line that knows of Linux. Here it runs over a vault on disk.
@Suite("Tutorial code")
struct SourceCompatibilityTests {
  /// Names that no other test uses: all of them share one vault.
  private let service = "org.example.compatibility.\(UUID().uuidString)"

  @Test("a singleton stores, retrieves and deletes; storing again replaces")
  func singleton() {
    let keychain = KeychainService.shared
    #expect(keychain.retrieve(service: service, account: "a") == nil)
    #expect(keychain.store("one", service: service, account: "a"))
    #expect(keychain.store("two", service: service, account: "a"))
    #expect(keychain.store("other", service: service, account: "b"))
    #expect(keychain.retrieve(service: service, account: "a") == "two")
    #expect(keychain.delete(service: service, account: "a"))
    #expect(keychain.delete(service: service, account: "a"))
    #expect(keychain.retrieve(service: service, account: "a") == nil)
    #expect(keychain.retrieve(service: service, account: "b") == "other")
  }

  @Test("a token store gives its token, or nil")
  func tokenStore() {
    var store: TokenStoring = SessionTokenStore()
    store.setToken(nil)
    #expect(store.token() == nil)
    store.setToken("first")
    store.setToken("second")
    #expect(store.token() == "second")
    store.setToken(nil)
    #expect(store.token() == nil)
  }

  @Test("a password item updates on a duplicate, is renamed, listed and deleted")
  func passwordItem() throws {
    var item = PasswordItem(service: service, account: "a")
    #expect(throws: PasswordItem.KeychainError.noPassword) { try item.readPassword() }
    try item.savePassword("one")
    try item.savePassword("zwölf 🔒")
    #expect(try item.readPassword() == "zwölf 🔒")
    try item.renameAccount("b")
    #expect(try item.readPassword() == "zwölf 🔒")
    try PasswordItem(service: service, account: "c").savePassword("three")
    #expect(try PasswordItem.items(forService: service).map(\.account) == ["b", "c"])
    try item.deleteItem()
    #expect(throws: PasswordItem.KeychainError.noPassword) { try item.readPassword() }
    let foreign = PasswordItem(service: service, account: "a", accessGroup: "TEAM.org.example.other")
    #expect(throws: PasswordItem.KeychainError.unhandledError(status: errSecMissingEntitlement)) {
      try foreign.savePassword("x")
    }
  }

  @Test("free functions say whether it worked")
  func freeFunctions() {
    #expect(!keychainContains(key: service))
    #expect(saveToKeychain(key: service, data: Data([0, 1, 2])))
    #expect(saveToKeychain(key: service, data: Data([3])))
    #expect(loadFromKeychain(key: service) == Data([3]))
    #expect(keychainContains(key: service))
    #expect(removeFromKeychain(key: service))
    #expect(!removeFromKeychain(key: service))
    #expect(loadFromKeychain(key: service) == nil)
  }

  @Test("an actor keeps values, from many tasks at once")
  func actorVault() async throws {
    let vault = CredentialVault(service: service)
    #expect(try await vault.load([String].self, for: "a") == nil)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask { try await vault.save(["value \(number)"], for: "account \(number)") }
      }
      try await group.waitForAll()
    }
    try await vault.save(["again"], for: "account 3")
    #expect(try await vault.load([String].self, for: "account 3") == ["again"])
    #expect(try await vault.load([String].self, for: "account 15") == ["value 15"])
    try await vault.removeAll()
    #expect(try await vault.load([String].self, for: "account 3") == nil)
  }

  @Test("the vault is in the tests' own folder")
  func home() {
    let home = ProcessInfo.processInfo.environment["THUMBTURN_HOME"] ?? ""
    #expect(home.hasPrefix("/tmp/thumbturn-tests-"))
    #expect(saveToKeychain(key: service, data: Data("x".utf8)))
    #expect(FileManager.default.fileExists(atPath: home + "/vault"))
    #expect(removeFromKeychain(key: service))
  }
}
