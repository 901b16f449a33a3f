internal import Foundation
internal import Testing
internal import ThumbturnKeychain
@_spi(Testing) internal import ThumbturnSecurity
internal import ThumbturnTestSupport

/// The backend of the whole process; each test in a process of its own, since the others share one.
@Suite("The process's keychain")
struct ProcessTests {
  @Test("a test can put its own backend behind the four calls, and take it away again")
  func replacement() async {
    await #expect(processExitsWith: .success) {
      let item: NSDictionary = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "a", kSecReturnData: true]
      useKeychainBackend(FailingBackend(code: .diskFull))
      guard SecItemAdd(item, nil) == errSecDiskFull, SecItemCopyMatching(item, nil) == errSecDiskFull,
        SecItemDelete(item) == errSecDiskFull
      else { exit(1) }
      useKeychainBackend(MemoryBackend(), for: Caller(accessGroups: ["G"]))
      var result: CFTypeRef?
      guard SecItemAdd(item, &result) == errSecSuccess, result as? Data == Data() else { exit(2) }
      let group: NSDictionary = [kSecClass: kSecClassGenericPassword, kSecAttrAccessGroup: "G"]
      guard SecItemUpdate(group, [kSecAttrLabel: "l"] as NSDictionary) == errSecSuccess else { exit(3) }
      useKeychainBackend(nil)
      guard SecItemCopyMatching(item, nil) == errSecItemNotFound else { exit(4) }
      exit(0)
    }
  }

  @Test("without a place for a vault every call is errSecNotAvailable, until there is one")
  func noPlace() async {
    await #expect(processExitsWith: .success) {
      let item: NSDictionary = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "a"]
      let home = ProcessInfo.processInfo.environment["THUMBTURN_HOME"] ?? ""
      guard unsafe setenv("THUMBTURN_HOME", "relative", 1) == 0 else { exit(1) }
      guard SecItemAdd(item, nil) == errSecNotAvailable, SecItemCopyMatching(item, nil) == errSecNotAvailable,
        SecItemUpdate(item, [:] as NSDictionary) == errSecNotAvailable, SecItemDelete(item) == errSecNotAvailable
      else { exit(2) }
      guard unsafe setenv("THUMBTURN_HOME", home, 1) == 0, SecItemAdd(item, nil) == errSecSuccess else { exit(3) }
      // The place is kept from here on: a changed environment moves no vault of a program that runs.
      guard unsafe setenv("THUMBTURN_HOME", home + "/other", 1) == 0, SecItemDelete(item) == errSecSuccess else {
        exit(4)
      }
      exit(0)
    }
  }

  @Test("on failure the caller's variable is left as it is; without a return key too")
  func untouched() async {
    await #expect(processExitsWith: .success) {
      useKeychainBackend(MemoryBackend())
      let item: NSDictionary = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "a"]
      var result: CFTypeRef? = "before" as NSString
      guard SecItemCopyMatching(item, &result) == errSecItemNotFound, result as? String == "before" else { exit(1) }
      guard SecItemAdd(item, &result) == errSecSuccess, result as? String == "before" else { exit(2) }
      guard SecItemCopyMatching(item, &result) == errSecSuccess, result as? String == "before" else { exit(3) }
      let data: NSDictionary = [kSecClass: kSecClassGenericPassword, kSecReturnData: true]
      // An item without data: what was there before is no answer to what was asked.
      guard SecItemCopyMatching(data, &result) == errSecSuccess, result == nil else { exit(4) }
      exit(0)
    }
  }
}
