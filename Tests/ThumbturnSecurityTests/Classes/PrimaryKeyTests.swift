internal import Foundation
internal import Testing
@testable internal import ThumbturnSecurity

/// SECITEM.md §5.1: what makes an item unique, written down once more.
@Suite("Primary keys")
struct PrimaryKeyTests {
  struct Row: Sendable, CustomStringConvertible {
    let itemClass: String
    /// A value for each attribute of the key, and the default that an absent one counts as.
    let key: @Sendable () -> [(name: String, value: Any, absent: Any)]
    /// Values for attributes that are none.
    let others: @Sendable () -> [(name: String, value: Any)]
    var description: String { itemClass }
  }

  private static let date = Date(timeIntervalSinceReferenceDate: 7)
  private static let zero = Date(timeIntervalSinceReferenceDate: 0)

  @Sendable private static func common() -> [(name: String, value: Any, absent: Any)] {
    [
      ("agrp", "G2", "G1"), ("vwht", "view", ""), ("tkid", "token", ""), ("musr", Data([1]), Data()),
      ("ggrp", "people", ""),
    ]
  }

  static let rows: [Row] = [
    Row(
      itemClass: "genp",
      key: { [("acct", "a", ""), ("svce", "s", Data())] + common() },
      others: {
        [
          ("labl", "l"), ("icmt", "c"), ("desc", "d"), ("gena", Data([1])), ("type", 1), ("crtr", 2), ("invi", true),
          ("nega", true), ("pdmn", "ck"), ("cdat", date), ("v_Data", Data([1])),
        ]
      }),
    Row(
      itemClass: "inet",
      key: {
        [
          ("acct", "a", ""), ("sdmn", "d", ""), ("srvr", "s", Data()), ("ptcl", "htps", 0), ("atyp", "dflt", ""),
          ("port", 443, 0), ("path", "/p", ""),
        ] + common()
      },
      others: {
        [("labl", "l"), ("icmt", "c"), ("type", 1), ("pdmn", "ck"), ("binn", Data([1])), ("v_Data", Data([1]))]
      }),
    Row(
      itemClass: "cert", key: { [("ctyp", 3, 0), ("issr", Data([1]), Data()), ("slnr", Data([2]), "")] + common() },
      others: {
        [("labl", "l"), ("cenc", 3), ("subj", Data([3])), ("skid", Data([4])), ("pkhh", Data([5])), ("pdmn", "ck")]
      }),
    Row(
      itemClass: "keys",
      key: {
        [
          ("kcls", "1", 0), ("klbl", Data([1]), ""), ("atag", "t", Data()), ("crtr", 1, 0), ("type", "42", 0),
          ("bsiz", 2_048, 0), ("esiz", 2_048, 0), ("sdat", date, zero), ("edat", date, zero),
        ] + common()
      },
      others: { [("labl", "l"), ("perm", 1), ("priv", 1), ("sign", true), ("extr", true), ("pdmn", "ck")] }),
  ]

  @Test("an item is another one when one attribute of the key differs", arguments: rows, Store.allCases)
  func differs(row: Row, store: Store) {
    let keychain = TestKeychain(store)
    #expect(keychain.add(["class": row.itemClass]).status == 0)
    for (name, value, _) in row.key() {
      #expect(keychain.add(["class": row.itemClass, name: value]).status == 0, "\(name)")
      #expect(keychain.add(["class": row.itemClass, name: value]).status == errSecDuplicateItem, "\(name)")
    }
    #expect(keychain.add(["class": row.itemClass, "sync": true]).status == 0)
    let all = keychain.find(["class": row.itemClass, "sync": "syna", "m_Limit": "m_LimitAll", "r_PersistentRef": true])
    #expect((all.value as? [Data])?.count == row.key().count + 2)
  }

  @Test("an absent attribute of the key counts as empty or zero, also in a query", arguments: rows, Store.allCases)
  func absent(row: Row, store: Store) {
    let keychain = TestKeychain(store)
    #expect(keychain.add(["class": row.itemClass]).status == 0)
    for (name, value, absent) in row.key() {
      #expect(keychain.add(["class": row.itemClass, name: absent]).status == errSecDuplicateItem, "\(name)")
      #expect(keychain.find(["class": row.itemClass, name: absent]).status == 0, "\(name)")
      #expect(keychain.find(["class": row.itemClass, name: value]).status == errSecItemNotFound, "\(name)")
    }
  }

  @Test("no other attribute makes another item", arguments: rows, Store.allCases)
  func others(row: Row, store: Store) {
    let keychain = TestKeychain(store)
    #expect(keychain.add(["class": row.itemClass]).status == 0)
    for (name, value) in row.others() {
      #expect(keychain.add(["class": row.itemClass, name: value]).status == errSecDuplicateItem, "\(name)")
    }
  }

  @Test("an update may change the key, and not into that of another item", arguments: rows, Store.allCases)
  func update(row: Row, store: Store) {
    for (name, value, absent) in row.key() {
      let keychain = TestKeychain(store)
      #expect(keychain.add(["class": row.itemClass, "labl": "first"]).status == 0)
      #expect(keychain.update(["class": row.itemClass], [name: value]) == 0, "\(name)")
      #expect(keychain.find(["class": row.itemClass, name: value, "labl": "first"]).status == 0, "\(name)")
      #expect(keychain.add(["class": row.itemClass, "labl": "second"]).status == 0, "\(name)")
      #expect(keychain.update(["class": row.itemClass, name: absent], [name: value]) == errSecDuplicateItem, "\(name)")
      #expect(keychain.find(["class": row.itemClass, name: absent, "labl": "second"]).status == 0, "\(name)")
    }
  }

  @Test("the same key in two classes is two items", arguments: Store.allCases)
  func classes(store: Store) {
    let keychain = TestKeychain(store)
    for row in Self.rows { #expect(keychain.add(["class": row.itemClass, "labl": row.itemClass]).status == 0) }
    for row in Self.rows {
      let found = keychain.find(["class": row.itemClass, "m_Limit": "m_LimitAll", "r_Attributes": true]).value
      #expect((found as? [[String: Any]])?.map { $0["labl"] as? String } == [row.itemClass])
    }
  }

  @Test(
    "the protection class is ak without one, and dk for a certificate",
    arguments: [("genp", "ak"), ("inet", "ak"), ("cert", "dk"), ("keys", "ak")], Store.allCases)
  func protectionClass(row: (String, String), store: Store) {
    let keychain = TestKeychain(store)
    let itemClass = row.0
    #expect(keychain.add(["class": itemClass]).status == 0)
    let found = keychain.find(["class": itemClass, "r_Attributes": true]).value as? [String: Any]
    #expect(found?["pdmn"] as? String == row.1)
    #expect(keychain.find(["class": itemClass, "pdmn": row.1]).status == 0)
    #expect(keychain.find(["class": itemClass, "pdmn": "cku"]).status == errSecItemNotFound)
    #expect(keychain.update(["class": itemClass], ["pdmn": "cku"]) == 0)
    #expect(keychain.find(["class": itemClass, "pdmn": "cku"]).status == 0)
  }
}
