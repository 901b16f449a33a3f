internal import Foundation
internal import Testing
internal import ThumbturnKeychain

@testable internal import ThumbturnSecurity

/// Every attribute of SECITEM.md §5 that has a column, in every class that has it.
@Suite("Attributes")
struct AttributeRowTests {
  struct Row: Sendable, CustomStringConvertible {
    let itemClass: String
    let code: String
    let kind: AttributeDefinition.Kind
    var description: String { "\(itemClass) \(code)" }

    /// Two values that differ, as they come back.
    var values: (NSObject, NSObject) {
      switch kind {
      case .blob, .text: ("one" as NSString, "two" as NSString)
      case .data: (Data([1]) as NSData, Data([2]) as NSData)
      case .number, .accessControl: (NSNumber(value: 1), NSNumber(value: 2))
      case .date: (NSDate(timeIntervalSinceReferenceDate: 1), NSDate(timeIntervalSinceReferenceDate: 2))
      }
    }
  }

  /// Those with rules of their own are tested where these are.
  private static let special: Set<String> = [
    "cdat", "mdat", "agrp", "pdmn", "sync", "tomb", "sha1", "v_Data", "accc", "UUID", "persistref", "clip", "binn",
    "bini", "bin0", "bin1", "bin2", "bin3",
  ]

  static let rows: [Row] = ItemClass.allCases.flatMap { itemClass in
    AttributeDefinition.table
      .filter { AttributeDefinition.of(code: $0.code, in: itemClass)?.attribute == $0.attribute }
      .filter { !special.contains($0.code) }
      .map { Row(itemClass: itemClass.code, code: $0.code, kind: $0.kind) }
  }

  @Test("the table has as many rows as the specification")
  func count() {
    // Counted by hand in SECITEM.md §5, without those of `special`: own ones, and eight of every class.
    let counts = Dictionary(grouping: Self.rows, by: \.itemClass).mapValues(\.count)
    #expect(counts == ["genp": 14 + 8, "inet": 18 + 8, "cert": 9 + 8, "keys": 27 + 8])
  }

  @Test("are stored, found by, given back, and changed by an update", arguments: rows, Store.allCases)
  func lifetime(row: Row, store: Store) {
    let keychain = TestKeychain(store)
    let (one, two) = row.values
    let all: [String: Any] = ["class": row.itemClass]
    func found(by value: NSObject) -> NSObject? {
      let query: [String: Any] = ["class": row.itemClass, row.code: value, "r_Attributes": true]
      return (keychain.find(query).value as? NSDictionary)?.object(forKey: row.code).map { $0 as AnyObject }
        as? NSObject
    }
    #expect(keychain.add(["class": row.itemClass, row.code: one]).status == 0)
    #expect(found(by: one) == one)
    #expect(keychain.find(["class": row.itemClass, row.code: two]).status == errSecItemNotFound)
    #expect(keychain.update(all, ["labl": "other"].filter { $0.key != row.code }) == 0)
    #expect(found(by: one) == one, "another change leaves it")
    #expect(keychain.update(all, [row.code: two]) == 0)
    #expect(keychain.find(["class": row.itemClass, row.code: one]).status == errSecItemNotFound)
    #expect(found(by: two) == two)
    #expect(keychain.delete(["class": row.itemClass, row.code: one]) == errSecItemNotFound)
    #expect(keychain.delete(["class": row.itemClass, row.code: two]) == 0)
  }

  @Test("of another class are errSecNoSuchAttr in every call, and nothing is stored")
  func otherClasses() {
    let codes = Set(AttributeDefinition.table.map(\.code)).filter { $0.utf8.count == 4 }
    for itemClass in ItemClass.allCases {
      for code in codes where AttributeDefinition.of(code: code, in: itemClass) == nil {
        for call in [QueryCall.add, .find, .update, .delete] {
          #expect(TestKeychain().call(call, ["class": itemClass.code, code: "v"]) == errSecNoSuchAttr, "\(code)")
        }
        let keychain = TestKeychain()
        #expect(keychain.add(["class": itemClass.code, code: "v"]).status == errSecNoSuchAttr)
        #expect(keychain.find(["class": itemClass.code]).status == errSecItemNotFound)
        #expect(keychain.add(["class": itemClass.code]).status == 0)
        #expect(keychain.update(["class": itemClass.code], [code: "v"]) == errSecNoSuchAttr)
      }
    }
  }

  @Test("that are not served anywhere on iOS are errSecNoSuchAttr", arguments: ItemClass.allCases)
  func notServed(itemClass: ItemClass) {
    for constant in [
      kSecAttrVolume, kSecAttrAddress, kSecAttrAFPServerSignature, kSecAttrCRLType, kSecAttrCRLEncoding,
    ] {
      let code = String(constant)
      #expect(TestKeychain().add(["class": itemClass.code, code: "v"]).status == errSecNoSuchAttr, "\(code)")
    }
  }

  @Test("that were never set match nothing, not even empty", arguments: Store.allCases)
  func neverSet(store: Store) {
    let keychain = TestKeychain(store)
    #expect(keychain.add(password()).status == 0)
    for (code, value) in ["labl": "", "icmt": Data(), "desc": "", "gena": "", "type": 0, "crtr": 0] as [String: Any] {
      #expect(keychain.find(password("a", [code: value])).status == errSecItemNotFound, "\(code)")
    }
  }
}
