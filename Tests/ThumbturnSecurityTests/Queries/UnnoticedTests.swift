internal import Foundation
internal import Testing
internal import ThumbturnKeychain
internal import ThumbturnTestSupport

@testable internal import ThumbturnSecurity

/// What the test suites of public wrappers do not notice when a store does it wrong.
@Suite("What public suites miss")
struct UnnoticedTests {
  @Test(
    "label, comment, description, type and accessibility are filters",
    arguments: [("labl", "x", "y"), ("icmt", "x", "y"), ("desc", "x", "y"), ("pdmn", "ck", "ak")], Store.allCases)
  func filters(row: (code: String, value: String, other: String), store: Store) {
    for itemClass in ["genp", "inet"] {
      let keychain = TestKeychain(store)
      let (one, two): ([String: Any], [String: Any]) = (
        ["class": itemClass, "acct": "1", row.code: row.value], ["class": itemClass, "acct": "2", row.code: row.other]
      )
      #expect(keychain.add(one).status == 0)
      #expect(keychain.add(two).status == 0)
      func accounts(_ value: String) -> [String] {
        let query: [String: Any] = [
          "class": itemClass, row.code: value, "m_Limit": "m_LimitAll", "r_Attributes": true,
        ]
        return (keychain.find(query).value as? [[String: Any]] ?? []).compactMap { $0["acct"] as? String }
      }
      #expect(accounts(row.value) == ["1"] && accounts(row.other) == ["2"])
      #expect(keychain.update(["class": itemClass, row.code: row.value], ["acct": "3"]) == 0)
      #expect(accounts(row.value) == ["3"] && accounts(row.other) == ["2"], "an update changes only what matches")
      #expect(keychain.delete(["class": itemClass, row.code: row.other]) == 0)
      #expect(accounts(row.value) == ["3"] && accounts(row.other) == [], "a delete takes only what matches")
    }
  }

  @Test("type and creator are filters by number", arguments: ["type", "crtr"], Store.allCases)
  func numbers(code: String, store: Store) {
    let keychain = TestKeychain(store)
    #expect(keychain.add(password("1", [code: 1])).status == 0)
    #expect(keychain.add(password("2", [code: 2])).status == 0)
    let found = keychain.find(["class": "genp", code: 2, "r_Attributes": true]).value as? [String: Any]
    #expect(found?["acct"] as? String == "2")
    #expect(keychain.find(["class": "genp", code: "2"]).status == 0)
    #expect(keychain.find(["class": "genp", code: 3]).status == errSecItemNotFound)
  }

  @Test("a foreign group is refused, and items in one are not there", arguments: ["genp", "inet", "cert", "keys"])
  func foreignGroups(itemClass: String) {
    for store in Store.allCases {
      let backend = store.makeBackend()
      let (mine, theirs) = (TestKeychain(backend, groups: ["mine"]), TestKeychain(backend, groups: ["theirs"]))
      #expect(theirs.add(["class": itemClass, "labl": "l"]).status == 0)
      #expect(mine.find(["class": itemClass]).status == errSecItemNotFound)
      #expect(mine.update(["class": itemClass], ["labl": "stolen"]) == errSecItemNotFound)
      #expect(mine.delete(["class": itemClass]) == errSecItemNotFound)
      for call in [QueryCall.add, .find, .update, .delete] {
        #expect(mine.call(call, ["class": itemClass, "agrp": "theirs"]) == errSecMissingEntitlement)
      }
      #expect(mine.add(["class": itemClass]).status == 0, "the same key in another group")
      #expect(mine.update(["class": itemClass], ["agrp": "theirs"]) == errSecMissingEntitlement)
      #expect(theirs.find(["class": itemClass, "labl": "l"]).status == 0)
    }
  }

  @Test("an account as text and as data is one key, and comes back as it was last written", arguments: Store.allCases)
  func textAndData(store: Store) {
    let keychain = TestKeychain(store)
    let (text, data) = ("jos\u{E9}", Data("jos\u{E9}".utf8))
    for itemClass in ["genp", "inet"] {
      #expect(keychain.add(["class": itemClass, "acct": text]).status == 0)
      #expect(keychain.add(["class": itemClass, "acct": data]).status == errSecDuplicateItem)
      func account() -> Any? {
        (keychain.find(["class": itemClass, "acct": data, "r_Attributes": true]).value as? [String: Any])?["acct"]
      }
      #expect(account() as? String == text)
      #expect(keychain.update(["class": itemClass, "acct": data], ["acct": data]) == 0)
      #expect(account() as? Data == data)
      #expect(keychain.delete(["class": itemClass, "acct": text]) == 0)
      #expect(keychain.find(["class": itemClass, "acct": "jose\u{301}"]).status == errSecItemNotFound)
    }
  }

  @Test("all matches come in the order in which they were added, also after changes", arguments: Store.allCases)
  func order(store: Store) {
    let keychain = TestKeychain(store)
    let accounts = ["m", "z", "a", "k", "b", "y"]
    for account in accounts { #expect(keychain.add(password(account, ["svce": "s"])).status == 0) }
    func found(_ query: [String: Any]) -> [String]? {
      let all: [String: Any] = ["class": "genp", "m_Limit": "m_LimitAll", "r_Attributes": true]
      return (keychain.find(all.merging(query) { $1 }).value as? [[String: Any]])?.compactMap { $0["acct"] as? String }
    }
    #expect(found([:]) == accounts && found(["svce": "s"]) == accounts)
    #expect(keychain.update(password("z"), ["labl": "changed", "v_Data": Data([1])]) == 0)
    #expect(keychain.update(password("a"), ["pdmn": "ck"]) == 0)
    #expect(found([:]) == accounts && found(["svce": "s"]) == accounts)
    #expect(keychain.delete(password("m")) == 0)
    #expect(keychain.add(password("m", ["svce": "s"])).status == 0)
    #expect(found(["svce": "s"]) == ["z", "a", "k", "b", "y", "m"])
  }

  @Test("a caller's access control comes back with its flags and its protection class")
  func accessControl() {
    let keychain = TestKeychain(MemoryBackend())
    let flags: [SecAccessControlCreateFlags] = [
      [], .userPresence, [.biometryAny, .or, .devicePasscode], [.privateKeyUsage, .biometryCurrentSet],
      .applicationPassword,
    ]
    for (number, flags) in flags.enumerated() {
      let control = SecAccessControlCreateWithFlags(nil, "cku" as NSString, flags, nil)
      #expect(keychain.add(password("\(number)", ["accc": control as Any])).status == 0)
      let found = keychain.find(password("\(number)", ["r_Attributes": true])).value as? [String: Any]
      #expect(found?["accc"] as? SecAccessControl == control)
      #expect(found?["pdmn"] as? String == "cku")
    }
    #expect(keychain.update(password("1"), ["labl": "l"]) == 0)
    func control() -> SecAccessControl? {
      (keychain.find(password("1", ["r_Attributes": true])).value as? [String: Any])?["accc"] as? SecAccessControl
    }
    #expect(control()?.value.conditions == .userPresence, "another change leaves it")
    #expect(keychain.update(password("1"), ["pdmn": "ak"]) == 0)
    #expect(control() == SecAccessControlCreateWithFlags(nil, "ak" as NSString, [], nil), "a class alone clears it")
  }
}
