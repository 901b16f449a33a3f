internal import Foundation
internal import Testing
@testable internal import ThumbturnSecurity

/// At each limit, and one past it.
@Suite("Limits")
struct LimitTests {
  @Test(
    "secrets from nothing to 16 MiB come back byte for byte", arguments: Store.allCases,
    [0, 1, 4_096, 4_097, 16_777_216])
  func secrets(store: Store, count: Int) {
    let keychain = TestKeychain(store)
    let secret = Data((0..<count).lazy.map { UInt8(truncatingIfNeeded: $0 &* 31) })
    #expect(keychain.add(password("a", ["v_Data": secret])).status == 0)
    #expect(keychain.find(password("a", ["r_Data": true])).value as? Data == secret)
    #expect(keychain.update(password("a"), ["v_Data": Data("short".utf8)]) == 0)
    #expect(keychain.update(password("a"), ["v_Data": secret]) == 0)
    #expect(keychain.find(password("a", ["r_Data": true])).value as? Data == secret)
  }

  @Test("one byte more is errSecDataTooLarge, and nothing is stored or changed", arguments: Store.allCases)
  func tooLarge(store: Store) {
    let keychain = TestKeychain(store)
    let secret = Data(count: 16_777_217)
    #expect(keychain.add(password("a", ["v_Data": secret])).status == errSecDataTooLarge)
    #expect(keychain.find(password("a")).status == errSecItemNotFound)
    #expect(keychain.add(password("a", ["v_Data": Data("x".utf8)])).status == 0)
    #expect(keychain.update(password("a"), ["v_Data": secret]) == errSecDataTooLarge)
    #expect(keychain.find(password("a", ["r_Data": true])).value as? Data == Data("x".utf8))
    #expect(keychain.find(password("a", ["v_Data": secret])).status == 0, "in a query it is no filter")
  }

  @Test("attributes have a limit together", arguments: Store.allCases)
  func attributes(store: Store) {
    let most = QueryChecker.attributeBytesMax
    let keychain = TestKeychain(store)
    let half = String(repeating: "a", count: most / 2)
    #expect(keychain.add(["class": "genp", "acct": half, "labl": half]).status == 0)
    #expect(keychain.add(["class": "genp", "acct": half, "svce": half, "labl": "l"]).status == errSecParam)
    #expect(keychain.find(["class": "genp", "labl": "l"]).status == errSecItemNotFound)
    #expect(keychain.find(["class": "genp", "acct": Data(count: most + 1)]).status == errSecParam)
    #expect(keychain.update(["class": "genp"], ["labl": Data(count: most + 1)]) == errSecParam)
  }

  @Test("an update cannot push an item's attributes past what a record holds")
  func growing() {
    let keychain = TestKeychain(.vault)
    let half = String(repeating: "a", count: 600_000)
    #expect(keychain.add(password("a", ["gena": half])).status == 0)
    #expect(keychain.update(password("a"), ["labl": half]) == errSecDataTooLarge)
    #expect(keychain.find(password("a", ["labl": half])).status == errSecItemNotFound)
    #expect(keychain.find(password("a", ["gena": half])).status == 0)
  }

  static let names: [Data] = [
    Data(), Data([0]), Data("a\0b".utf8), Data("a\nb".utf8), Data([0xff, 0xfe]), Data([0xc3]), Data("é".utf8),
    Data("\u{FEFF}bom".utf8), Data(String(repeating: "long", count: 10_000).utf8),
  ]

  @Test("names with NUL, newline and bytes that are no UTF-8 are kept as they are", arguments: Store.allCases, names)
  func oddNames(store: Store, name: Data) {
    let keychain = TestKeychain(store)
    #expect(keychain.add(password(name, ["labl": name, "v_Data": name])).status == 0)
    let found = keychain.find(password(name, ["r_Attributes": true, "r_Data": true])).value as? NSDictionary
    #expect(found?[kSecAttrAccount] as? Data == name)
    #expect(found?[kSecAttrLabel] as? Data == name)
    #expect(found?[kSecValueData] as? Data == name)
    if let text = String(validating: name, as: UTF8.self) {
      #expect(keychain.find(password(text)).status == 0, "text and data with the same bytes are the same")
    }
    #expect(keychain.find(password(name + [0])).status == errSecItemNotFound)
  }

  @Test("text with NUL and newline comes back whole, and is not normalised", arguments: Store.allCases)
  func oddText(store: Store) {
    let keychain = TestKeychain(store)
    for text in ["a\0b", "a\nb", "\u{E9}", "e\u{301}", "\u{1F512}", "\r\n"] {
      #expect(keychain.add(password(text)).status == 0)
      let found = keychain.find(password(text, ["r_Attributes": true])).value as? [String: Any]
      #expect((found?["acct"] as? String).map { Array($0.utf8) } == Array(text.utf8))
    }
  }

  @Test("random bytes fill exactly what was asked for")
  func random() {
    var bytes = [UInt8](repeating: 0, count: 1_024)
    #expect(SecRandomCopyBytes(kSecRandomDefault, 1_000, &bytes) == errSecSuccess)
    #expect(bytes[..<1_000].contains { $0 != 0 } && bytes[1_000...].allSatisfy { $0 == 0 })
    let first = bytes
    #expect(SecRandomCopyBytes(kSecRandomDefault, 1_000, &bytes) == errSecSuccess)
    #expect(first != bytes)
    #expect(SecRandomCopyBytes(kSecRandomDefault, 0, &bytes) == errSecSuccess)
    #expect(SecRandomCopyBytes(kSecRandomDefault, -1, &bytes) == errSecParam)
    #expect(SecRandomCopyBytes(kSecRandomDefault, Int(Int32.max) + 1, &bytes) == errSecParam)
  }
}
