internal import Foundation
internal import Testing
@testable internal import ThumbturnSecurity

/// VAULT.md §8; each test in a process of its own, since the identity is the process's.
@Suite("The program's identity")
struct ProgramTests {
  @Test("is the group default until the program says another")
  func standard() async {
    await #expect(processExitsWith: .success) {
      var result: CFTypeRef?
      let item: NSDictionary = [kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true]
      guard ThumbturnProgram.accessGroups == ["default"], SecItemAdd(item, &result) == errSecSuccess else { exit(1) }
      guard (result as? [String: Any])?["agrp"] as? String == "default" else { exit(2) }
      guard (result as? [String: Any])?["svce"] == nil, Bundle.main.bundleIdentifier == nil else { exit(3) }
      exit(0)
    }
  }

  @Test("sets the groups of the calls that follow, the application identifier behind them")
  func groups() async {
    await #expect(processExitsWith: .success) {
      let item: NSDictionary = [kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true]
      func group() -> String? {
        var result: CFTypeRef?
        guard SecItemAdd(item, &result) == errSecSuccess else { return nil }
        return (result as? [String: Any])?["agrp"] as? String
      }
      guard ThumbturnProgram.setIdentity(applicationIdentifier: "org.app") == errSecSuccess, group() == "org.app" else {
        exit(1)
      }
      ThumbturnProgram.setIdentity(applicationIdentifier: "org.app", accessGroups: ["shared", "org.app", "shared"])
      guard ThumbturnProgram.accessGroups == ["shared", "org.app"], group() == "shared" else { exit(2) }
      ThumbturnProgram.setIdentity(applicationIdentifier: "org.app", accessGroups: ["one"])
      guard ThumbturnProgram.accessGroups == ["one", "org.app"] else { exit(3) }
      let theirs: NSDictionary = [kSecClass: kSecClassGenericPassword, kSecAttrAccessGroup: "shared"]
      guard SecItemCopyMatching(theirs, nil) == errSecMissingEntitlement else { exit(4) }
      ThumbturnProgram.setIdentity()
      guard ThumbturnProgram.accessGroups == ["default"] else { exit(5) }
      guard SecItemCopyMatching(item, nil) == errSecItemNotFound else { exit(6) }
      exit(0)
    }
  }

  @Test("with an explicitly empty list every call is errSecMissingEntitlement")
  func empty() async {
    await #expect(processExitsWith: .success) {
      let item: NSDictionary = [kSecClass: kSecClassGenericPassword]
      for identifier in [nil, "org.app"] {
        guard ThumbturnProgram.setIdentity(applicationIdentifier: identifier, accessGroups: []) == errSecSuccess else {
          exit(1)
        }
        guard SecItemAdd(item, nil) == -34018, SecItemCopyMatching(item, nil) == -34018,
          SecItemUpdate(item, [:] as NSDictionary) == -34018, SecItemDelete(item) == -34018
        else { exit(2) }
      }
      exit(0)
    }
  }

  @Test("refuses names and lists past their limits, and changes nothing then")
  func limits() async {
    await #expect(processExitsWith: .success) {
      let most = (0..<ThumbturnProgram.accessGroupCountMax).map { "g\($0)" }
      let longest = String(repeating: "g", count: ThumbturnProgram.accessGroupBytesMax)
      guard ThumbturnProgram.setIdentity(accessGroups: most) == errSecSuccess,
        ThumbturnProgram.setIdentity(accessGroups: [longest]) == errSecSuccess
      else { exit(1) }
      for wrong in [most + ["more"], [""], ["*"], ["g", longest + "g"]] {
        guard ThumbturnProgram.setIdentity(accessGroups: wrong) == errSecParam else { exit(2) }
      }
      guard ThumbturnProgram.setIdentity(applicationIdentifier: "", accessGroups: nil) == errSecParam,
        ThumbturnProgram.accessGroups == [longest]
      else { exit(3) }
      exit(0)
    }
  }

  @Test("an app clip has its own group, and nothing synchronizable", arguments: Store.allCases)
  func appClip(store: Store) {
    let backend = store.makeBackend()
    for groups in [["clip", "other"], ["other"]] {
      let wide = TestKeychain(backend, groups: groups, appClip: "clip")
      for call in [QueryCall.add, .find, .update, .delete] {
        #expect(wide.call(call, password()) == errSecRestrictedAPI)
      }
    }
    let clip = TestKeychain(backend, groups: ["clip"], appClip: "clip")
    #expect(clip.add(password()).status == 0)
    #expect(clip.add(password("b", ["sync": true])).status == errSecRestrictedAPI)
    #expect(clip.update(password(), ["sync": true]) == errSecRestrictedAPI)
    #expect(clip.update(password(), ["sync": false, "labl": "l"]) == 0)
    #expect(clip.find(password("a", ["sync": "syna"])).status == 0)
  }
}
