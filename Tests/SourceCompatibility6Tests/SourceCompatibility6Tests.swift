import Foundation
import Security
import Testing

/// The newer style of client code, in Swift 6 mode without any further setting.
@Suite("Swift 6 client code")
struct SourceCompatibility6Tests {
  @Test("a Sendable keychain value, typed throws and a property wrapper work")
  func values() throws {
    let keychain = Keychain(service: "org.example.compatibility6.\(UUID().uuidString)")
    #expect(throws: Keychain.Failure.status(errSecItemNotFound)) { try keychain.string(for: "a") }
    try keychain.set("one", for: "a")
    try keychain.set("two", for: "a")
    #expect(keychain["a"] == "two")
    keychain["a"] = nil
    #expect(keychain["a"] == nil)
    let stored = KeychainStored(UUID().uuidString)
    stored.wrappedValue = "wrapped"
    #expect(stored.wrappedValue == "wrapped")
    stored.wrappedValue = nil
    #expect(stored.wrappedValue == nil)
  }

  @Test("the calls can be passed around as values")
  func functionValues() {
    let add: (CFDictionary, UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus = SecItemAdd
    let delete: @Sendable (CFDictionary) -> OSStatus = SecItemDelete
    let item = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: UUID().uuidString] as CFDictionary
    #expect(add(item, nil) == errSecSuccess)
    #expect(add(item, nil) == errSecDuplicateItem)
    #expect(delete(item) == errSecSuccess)
  }
}
