internal import Foundation
internal import Testing
@testable internal import ThumbturnSecurity

/// SECITEM.md §9: an item by the bytes that name it.
@Suite("Persistent references")
struct ReferenceTests {
  private func keychain(_ store: Store) -> (TestKeychain, Data) {
    let keychain = TestKeychain(store)
    let added = keychain.add(password("a", ["v_Data": Data("x".utf8), "sync": true, "r_PersistentRef": true]))
    #expect(keychain.add(password("b", ["v_Data": Data("y".utf8)])).status == 0)
    return (keychain, added.value as? Data ?? Data())
  }

  @Test(
    "hold the class and 16 bytes, and find their item without a class, synchronizable too", arguments: Store.allCases)
  func find(store: Store) {
    let (keychain, reference) = keychain(store)
    #expect(reference.count == 20 && reference.prefix(4) == Data("genp".utf8))
    #expect(keychain.find(["v_PersistentRef": reference, "r_Data": true]).value as? Data == Data("x".utf8))
    #expect(keychain.find(["v_PersistentRef": reference, "class": "genp"]).status == 0)
    let all = keychain.find(["v_PersistentRef": reference, "r_Data": true, "m_Limit": "m_LimitAll"])
    #expect(all.value as? [Data] == [Data("x".utf8)])
  }

  @Test("stay the same through an update", arguments: Store.allCases)
  func stable(store: Store) {
    let (keychain, reference) = keychain(store)
    #expect(keychain.update(["v_PersistentRef": reference], ["acct": "c", "agrp": "G2"]) == 0)
    let found = keychain.find(["class": "genp", "acct": "c", "sync": true, "r_PersistentRef": true])
    #expect(found.value as? Data == reference)
  }

  @Test("delete their item, with attributes beside them only if those match", arguments: Store.allCases)
  func delete(store: Store) {
    let (keychain, reference) = keychain(store)
    #expect(keychain.delete(["v_PersistentRef": reference, "acct": "b"]) == errSecItemNotFound)
    #expect(keychain.delete(["v_PersistentRef": reference, "acct": "a"]) == 0)
    #expect(keychain.find(["v_PersistentRef": reference]).status == errSecItemNotFound)
    #expect(keychain.find(password("b")).status == 0)
  }

  @Test("are refused beside attributes in a find, and in an add", arguments: Store.allCases)
  func refused(store: Store) {
    let (keychain, reference) = keychain(store)
    #expect(keychain.find(["v_PersistentRef": reference, "acct": "a"]).status == errSecParam)
    #expect(keychain.find(["v_PersistentRef": reference, "sync": true]).status == errSecParam)
    #expect(keychain.add(["v_PersistentRef": reference]).status == errSecParam)
    #expect(keychain.add(password("c", ["v_PersistentRef": reference])).status == errSecParam)
    #expect(keychain.update(password("b"), ["v_PersistentRef": reference]) == errSecNoSuchAttr)
  }

  @Test("of another class, malformed, foreign or old", arguments: Store.allCases)
  func others(store: Store) {
    let (keychain, reference) = keychain(store)
    let other = Data("cert".utf8) + reference.dropFirst(4)
    #expect(keychain.find(["v_PersistentRef": other, "class": "genp"]).status == errSecNoSuchClass)
    #expect(keychain.find(["v_PersistentRef": other]).status == errSecItemNotFound)
    for wrong in [Data(), reference.dropLast(), reference + [0], Data("abcd".utf8) + reference.dropFirst(4)] {
      #expect(keychain.find(["v_PersistentRef": wrong]).status == errSecParam)
      #expect(keychain.find(["v_PersistentRef": wrong, "class": "genp"]).status == errSecParam)
    }
    #expect(keychain.find(["v_PersistentRef": "text"]).status == errSecParam)
    let old = Data("genp".utf8) + Data([0, 0, 0, 0, 0, 0, 0, 1])
    #expect(keychain.find(["v_PersistentRef": old]).status == errSecItemNotFound)
    #expect(keychain.delete(["v_PersistentRef": old]) == errSecItemNotFound)
    #expect(keychain.delete(["v_PersistentRef": old, "acct": "a"]) == errSecParam)
    let foreign = TestKeychain(keychain.calls.backend, groups: ["G3"])
    #expect(foreign.find(["v_PersistentRef": reference]).status == errSecItemNotFound)
  }

  @Test(
    "find synchronizable items too; a flag beside them is a condition in update and delete", arguments: Store.allCases)
  func synchronizable(store: Store) {
    let keychain = TestKeychain(store)
    let added = keychain.add(password("s", ["sync": true, "r_PersistentRef": true])).value
    let reference: [String: Any] = ["v_PersistentRef": added as Any]
    #expect(keychain.find(reference).status == 0)
    for (sync, expected) in [(false, errSecItemNotFound), (true, 0)] {
      let query = reference.merging(["sync": sync]) { $1 }
      #expect(keychain.update(query, ["labl": "l"]) == expected)
      #expect(keychain.delete(query) == expected)
    }
    #expect(keychain.find(reference).status == errSecItemNotFound)
  }

  @Test("work as a slice of larger data", arguments: Store.allCases)
  func slice(store: Store) {
    let (keychain, reference) = keychain(store)
    let slice = (Data([9, 9, 9]) + reference).dropFirst(3)
    #expect(keychain.find(["v_PersistentRef": slice]).status == 0)
  }
}
