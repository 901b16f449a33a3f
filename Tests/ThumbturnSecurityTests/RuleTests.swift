internal import Foundation
internal import Testing
@testable internal import ThumbturnSecurity

/// SECITEM.md §1, 6, 8, 11 to 14: class, groups, the synchronizable flag, and what may stand together.
@Suite("Rules of the four calls")
struct RuleTests {
  @Test("the class must be there, be text, and be known", arguments: Store.allCases)
  func itemClass(store: Store) {
    for call in [QueryCall.add, .find, .update, .delete] {
      func status(_ dictionary: [String: Any]) -> OSStatus { TestKeychain(store).call(call, dictionary) }
      #expect(status(["acct": "a"]) == errSecParam)
      #expect(status([:]) == errSecParam)
      #expect(status(["class": 7]) == errSecParam)
      #expect(status(["class": NSNull()]) == errSecParam)
      #expect(status(["class": Data("genp".utf8)]) == errSecParam)
      for unknown in ["apls", "", "GENP", "genp "] { #expect(status(["class": unknown]) == errSecNoSuchClass) }
      for known in ["genp", "inet", "cert", "keys"] {
        #expect(status(["class": known]) == (call == .add ? errSecSuccess : errSecItemNotFound))
      }
    }
  }

  @Test("a foreign group is refused in all calls; so is a caller without groups", arguments: Store.allCases)
  func groups(store: Store) {
    for call in [QueryCall.add, .find, .update, .delete] {
      #expect(TestKeychain(store).call(call, password("a", ["agrp": "GX"])) == errSecMissingEntitlement)
      #expect(TestKeychain(store).call(call, password("a", ["agrp": ""])) == errSecMissingEntitlement)
      #expect(TestKeychain(store, groups: []).call(call, password()) == errSecMissingEntitlement)
      let number = TestKeychain(store).call(call, password("a", ["agrp": 7]))
      #expect(number == (call == .find ? errSecParam : errSecMissingEntitlement))
      if call != .find {
        #expect(TestKeychain(store, groups: ["com.apple.token"]).call(call, password()) == errSecMissingEntitlement)
      }
    }
    let keychain = TestKeychain(store)
    #expect(keychain.add(password()).status == 0)
    #expect(keychain.update(password(), ["agrp": "GX"]) == errSecMissingEntitlement)
    #expect(keychain.update(password(), ["agrp": "G2"]) == 0)
    #expect(keychain.find(password("a", ["agrp": "G1"])).status == errSecItemNotFound)
    #expect(keychain.find(password("a", ["agrp": "G2"])).status == 0)
  }

  @Test("an equal-looking group in another Unicode form is another group", arguments: Store.allCases)
  func groupForm(store: Store) {
    #expect(TestKeychain(store, groups: ["\u{E9}"]).add(password("a", ["agrp": "e\u{301}"])).status == -34018)
  }

  @Test("absent, false, true and any synchronizable mean what they mean on iOS", arguments: Store.allCases)
  func synchronizable(store: Store) {
    let keychain = TestKeychain(store)
    #expect(keychain.add(password("a", ["v_Data": Data("1".utf8)])).status == 0)
    #expect(keychain.add(password("a", ["v_Data": Data("2".utf8), "sync": true])).status == 0)
    #expect(keychain.add(password("a", ["sync": "syna"])).status == errSecDuplicateItem)
    func all(_ sync: Any?) -> [Data]? {
      var query = password("a", ["m_Limit": "m_LimitAll", "r_Data": true])
      query["sync"] = sync
      return keychain.find(query).value as? [Data]
    }
    #expect(all(nil) == [Data("1".utf8)])
    #expect(all(false) == [Data("1".utf8)])
    #expect(all(0) == [Data("1".utf8)])
    #expect(all(true) == [Data("2".utf8)])
    #expect(all("syna") == [Data("1".utf8), Data("2".utf8)])
    #expect(keychain.update(password("a"), ["sync": true]) == errSecDuplicateItem)
    #expect(keychain.update(password("a", ["sync": "syna"]), ["labl": "l", "sync": "syna"]) == 0)
    #expect(keychain.delete(password("a", ["sync": true])) == 0)
    #expect(keychain.update(password("a"), ["sync": true]) == 0)
    #expect(keychain.find(password("a")).status == errSecItemNotFound)
    #expect(keychain.find(password("a", ["sync": true])).status == 0)
  }

  @Test("match keys never stand in add, update or delete", arguments: Store.allCases)
  func matchKeys(store: Store) {
    let keychain = TestKeychain(store)
    let limit: [String: Any] = ["m_Limit": "m_LimitOne"]
    #expect(keychain.add(password("a", limit)).status == errSecParam)
    #expect(keychain.find(password("a")).status == errSecItemNotFound, "nothing was stored")
    #expect(keychain.add(password("a")).status == 0)
    #expect(keychain.update(password("a", limit), ["labl": "l"]) == errSecParam)
    #expect(keychain.delete(password("a", limit)) == errSecParam)
    #expect(keychain.find(password("a")).status == 0)
  }

  @Test("skipping prompts is for find only", arguments: Store.allCases)
  func skip(store: Store) {
    let skip: [String: Any] = ["u_AuthUI": "u_AuthUIS"]
    let keychain = TestKeychain(store)
    #expect(keychain.add(password("a", skip)).status == errSecParam)
    #expect(keychain.add(password("a", ["u_AuthUI": "u_AuthUIF"])).status == 0)
    #expect(keychain.find(password("a", skip)).status == 0)
    #expect(keychain.update(password("a", skip), [:]) == errSecParam)
    #expect(keychain.delete(password("a", skip)) == errSecParam)
    #expect(keychain.find(password("a", ["u_AuthUI": "other"])).status == errSecParam)
    #expect(keychain.find(password("a", ["u_AuthCtx": NSObject()])).status == errSecParam)
    #expect(keychain.find(password("a", ["u_AuthCtx": "context"])).status == errSecParam)
  }

  @Test("value data filters nothing, and an empty change succeeds on a match", arguments: Store.allCases)
  func valueData(store: Store) {
    let keychain = TestKeychain(store)
    #expect(keychain.add(password("a", ["v_Data": Data("x".utf8)])).status == 0)
    #expect(keychain.find(password("a", ["v_Data": Data("other".utf8)])).status == 0)
    #expect(keychain.update(password("a", ["v_Data": Data("other".utf8)]), [:]) == 0)
    #expect(keychain.update(password("b"), [:]) == errSecItemNotFound)
    #expect(keychain.update(password("a"), ["class": "genp"]) == errSecNoSuchAttr)
  }

  @Test(
    "dates of the caller are replaced in an add; update keeps a date of creation and drops one of modification",
    arguments: Store.allCases)
  func dates(store: Store) {
    let keychain = TestKeychain(store)
    let date = Date(timeIntervalSinceReferenceDate: 5)
    #expect(keychain.add(password("a", ["cdat": date, "mdat": date])).status == 0)
    #expect(keychain.find(password("a", ["cdat": date])).status == errSecItemNotFound)
    #expect(keychain.update(password("a"), ["cdat": date, "mdat": date]) == 0)
    #expect(keychain.find(password("a", ["cdat": date])).status == 0)
    #expect(keychain.find(password("a", ["mdat": date])).status == errSecItemNotFound)
  }

  @Test("there are no tombstones", arguments: Store.allCases)
  func tombstones(store: Store) {
    let keychain = TestKeychain(store)
    #expect(keychain.add(password("a", ["tomb": true])).status == errSecParam)
    #expect(keychain.add(password("a", ["tomb": 0])).status == 0)
    #expect(keychain.find(password("a", ["tomb": false])).status == 0)
    #expect(keychain.find(password("a", ["tomb": true])).status == errSecItemNotFound)
    #expect(keychain.delete(password("a", ["u_Tomb": false])) == 0)
  }
}
