internal import Foundation
internal import Testing
@testable internal import ThumbturnSecurity

/// SECITEM.md §7: which object a call hands back.
@Suite("Result shapes")
struct ShapeTests {
  /// Two items with data and one without, in this order.
  private func filled(_ store: Store) -> TestKeychain {
    let keychain = TestKeychain(store)
    #expect(keychain.add(password("1", ["svce": "s", "v_Data": Data("x".utf8)])).status == 0)
    #expect(keychain.add(password("2", ["svce": "s", "v_Data": Data("y".utf8)])).status == 0)
    #expect(keychain.add(password("3", ["svce": "s"])).status == 0)
    return keychain
  }
  private func returning(_ kinds: [String], _ more: [String: Any] = [:]) -> [String: Any] {
    var query: [String: Any] = ["class": "genp", "svce": "s"].merging(more) { _, new in new }
    for kind in kinds { query["r_\(kind)"] = true }
    return query
  }

  @Test("without a return key nothing is handed back", arguments: Store.allCases)
  func nothing(store: Store) {
    #expect(filled(store).find(returning([])).value == nil)
    #expect(filled(store).find(returning([], ["m_Limit": "m_LimitAll"])).value == nil)
    #expect(TestKeychain(store).add(password("a", ["v_Data": Data()])).value == nil)
  }

  @Test("one return key gives the bare value", arguments: Store.allCases)
  func bare(store: Store) {
    let keychain = filled(store)
    #expect(keychain.find(returning(["Data"])).value as? Data == Data("x".utf8))
    #expect((keychain.find(returning(["PersistentRef"])).value as? Data)?.count == 20)
    let attributes = keychain.find(returning(["Attributes"])).value as? [String: Any]
    #expect(attributes?["acct"] as? String == "1")
    #expect(attributes?["v_Data"] == nil && attributes?["class"] == nil && attributes?["v_PersistentRef"] == nil)
    let reference = keychain.find(returning(["Ref"]))
    #expect(reference.status == 0 && reference.value == nil)
  }

  @Test("an item without data gives nothing from find, and empty data from add", arguments: Store.allCases)
  func noData(store: Store) {
    let keychain = filled(store)
    let found = keychain.find(returning(["Data"], ["acct": "3"]))
    #expect(found.status == 0 && found.value == nil)
    #expect(TestKeychain(store).add(password("a", ["r_Data": true])).value as? Data == Data())
    let both = keychain.find(returning(["Data", "Attributes"], ["acct": "3"])).value as? [String: Any]
    #expect(both?["acct"] as? String == "3" && both?["v_Data"] == nil)
  }

  static let dictionaries: [(kinds: [String], has: [String], lacks: [String])] = [
    (["Data", "Attributes"], ["v_Data", "acct"], ["class", "v_PersistentRef"]),
    (["Data", "PersistentRef"], ["v_Data", "v_PersistentRef", "acct"], ["class"]),
    (["Attributes", "PersistentRef"], ["v_PersistentRef", "acct"], ["class", "v_Data"]),
    (["Data", "Ref"], ["class", "v_Data", "acct"], ["v_Ref", "v_PersistentRef"]),
    (["Attributes", "Ref"], ["class", "acct"], ["v_Ref", "v_Data", "v_PersistentRef"]),
    (["Data", "Attributes", "Ref", "PersistentRef"], ["class", "acct", "v_Data", "v_PersistentRef"], ["v_Ref"]),
  ]

  @Test("two return keys or more give a dictionary", arguments: Store.allCases, dictionaries)
  func combined(store: Store, row: (kinds: [String], has: [String], lacks: [String])) {
    let (kinds, has, lacks) = row
    let one = filled(store).find(returning(kinds)).value as? [String: Any]
    let added =
      TestKeychain(store).add(returning(kinds, ["acct": "1", "v_Data": Data("x".utf8)])).value as? [String: Any]
    for key in has { #expect(one?[key] != nil && added?[key] != nil, "\(key)") }
    for key in lacks { #expect(one?[key] == nil && added?[key] == nil, "\(key)") }
    let all = filled(store).find(returning(kinds, ["m_Limit": "m_LimitAll"])).value as? [[String: Any]]
    #expect(all?.count == 3)
  }

  @Test("a limit of all gives arrays; items without the value are left out", arguments: Store.allCases)
  func arrays(store: Store) {
    let keychain = filled(store)
    let all: [String: Any] = ["m_Limit": "m_LimitAll"]
    #expect(keychain.find(returning(["Data"], all)).value as? [Data] == [Data("x".utf8), Data("y".utf8)])
    #expect((keychain.find(returning(["PersistentRef"], all)).value as? [Data])?.count == 3)
    #expect((keychain.find(returning(["Ref"], all)).value as? [Any])?.isEmpty == true)
    let attributes = keychain.find(returning(["Attributes"], all)).value as? [[String: AnyHashable]]
    #expect(attributes?.map { $0["acct"] } == ["1", "2", "3"])
  }

  @Test("the limit is one by default; as a number it is one, several, none or all", arguments: Store.allCases)
  func limits(store: Store) {
    let keychain = filled(store)
    #expect(keychain.find(returning(["Data"], ["m_Limit": 1])).value is Data)
    #expect((keychain.find(returning(["Data"], ["m_Limit": 2])).value as? [Data])?.count == 2)
    #expect((keychain.find(returning(["Attributes"], ["m_Limit": 1_000_000])).value as? [Any])?.count == 3)
    #expect((keychain.find(returning(["Attributes"], ["m_Limit": -1])).value as? [Any])?.count == 3)
    #expect(keychain.find(returning(["Data"], ["m_Limit": 0])).status == errSecItemNotFound)
    for wrong in [-2, 1.5, true, "m_LimitTwo", Data()] as [Any] {
      #expect(keychain.find(returning(["Data"], ["m_Limit": wrong])).status == errSecParam)
    }
  }

  @Test("a return key that is false is absent; one that is no boolean is refused", arguments: Store.allCases)
  func falseKeys(store: Store) {
    let keychain = filled(store)
    let query = returning(["Data"], ["r_Attributes": false])
    #expect(keychain.find(query).value as? Data == Data("x".utf8))
    #expect(keychain.find(returning([], ["r_Data": false])).value == nil)
    #expect(keychain.find(returning([], ["r_Data": 1])).status == errSecParam)
    #expect(keychain.update(returning([], ["r_Data": false]), ["labl": "l"]) == 0)
  }

  @Test("attributes hold the group, the protection class, the flag and both dates", arguments: Store.allCases)
  func standardAttributes(store: Store) {
    let keychain = filled(store)
    let found = keychain.find(returning(["Attributes"])).value as? NSDictionary
    #expect(found?[kSecAttrAccessGroup] as? String == "G1")
    #expect(found?[kSecAttrAccessible] as? String == "ak")
    #expect(found?[kSecAttrSynchronizable] as? Int == 0)
    #expect(found?[kSecAttrCreationDate] is Date && found?[kSecAttrModificationDate] is Date)
    #expect(found?[kSecAttrAccessControl] is SecAccessControl)
  }

  @Test("what a find gave can be added again", arguments: Store.allCases)
  func copyBack(store: Store) {
    let keychain = filled(store)
    var copy = keychain.find(returning(["Attributes", "Data"])).value as? [String: Any] ?? [:]
    copy["class"] = "genp"
    #expect(keychain.add(copy).status == errSecDuplicateItem)
    #expect(keychain.delete(copy) == 0)
    #expect(keychain.add(copy).status == 0)
  }
}
