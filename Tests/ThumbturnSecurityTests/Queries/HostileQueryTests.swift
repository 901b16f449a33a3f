internal import Foundation
internal import Testing
@testable internal import ThumbturnSecurity

/// Whatever a program hands over: the status of SECITEM.md §15, and nothing is stored.
@Suite("Hostile dictionaries")
struct HostileQueryTests {
  /// Arrays in arrays.
  ///
  /// Never let go: Foundation would end one call deeper for each level.
  private static func nested(_ levels: Int) -> NSArray {
    var deep = NSArray()
    for _ in 0..<levels {
      let outer = NSMutableArray(capacity: 1)
      outer.add(deep)
      deep = outer
    }
    _ = unsafe Unmanaged.passRetained(deep)
    return deep
  }

  /// One object under a key, without Foundation's conversion.
  private static func dictionary(_ key: String, _ object: AnyObject) -> NSMutableDictionary {
    let dictionary: NSMutableDictionary = ["class": "genp"]
    dictionary.setObject(object, forKey: key as NSString)
    return dictionary
  }

  private func statuses(_ keychain: TestKeychain, _ dictionary: NSDictionary) -> [OSStatus] {
    let calls = keychain.calls
    return [
      status { () throws(KeychainFailure) in _ = try calls.add(dictionary) },
      status { () throws(KeychainFailure) in _ = try calls.copyMatching(dictionary) },
      status { () throws(KeychainFailure) in try calls.update(dictionary, [:]) },
      status { () throws(KeychainFailure) in try calls.delete(dictionary) },
    ]
  }

  @Test("100,000 arrays in arrays are refused as an attribute, a class, a secret and a reference")
  func nesting() {
    let deep = Self.nested(100_000)
    let keychain = TestKeychain()
    for key in ["acct", "class", "v_Data", "v_PersistentRef", "accc", "agrp", "pdmn", "sync", "u_AuthCtx"] {
      let found = statuses(keychain, Self.dictionary(key, deep))
      let isGroup = key == "agrp"
      #expect(found == [isGroup ? -34018 : -50, -50, isGroup ? -34018 : -50, isGroup ? -34018 : -50], "\(key)")
    }
    #expect(keychain.find(["class": "genp"]).status == errSecItemNotFound)
    #expect(keychain.add(["class": "genp"]).status == 0)
    let change = NSMutableDictionary()
    change.setObject(deep, forKey: "labl" as NSString)
    #expect(status { () throws(KeychainFailure) in try keychain.calls.update(["class": "genp"], change) } == -50)
  }

  @Test("100,000 arrays in arrays are passed over where an array is looked at")
  func nestedLists() {
    let deep = Self.nested(100_000)
    let keychain = TestKeychain()
    #expect(keychain.add(["class": "genp"]).status == 0)
    #expect(statuses(keychain, Self.dictionary("m_ItemList", deep))[1] == errSecItemNotFound)
    #expect(statuses(keychain, Self.dictionary("m_Unknown", deep))[1] == errSecSuccess)
    let certificates = Self.dictionary("m_Issuers", deep)
    certificates.setObject("cert" as NSString, forKey: "class" as NSString)
    #expect(statuses(keychain, certificates)[1] == errSecItemNotFound)
  }

  @Test("a dictionary of a class of the program's is read by Foundation's own way")
  func subclass() {
    let keychain = TestKeychain()
    let own = OwnDictionary()
    #expect(status { () throws(KeychainFailure) in _ = try keychain.calls.add(own) } == 0)
    #expect(keychain.find(["class": "genp", "acct": "own"]).status == 0)
  }

  @Test("a million bytes of an attribute are kept whole, and more than the limit is refused", arguments: Store.allCases)
  func large(store: Store) {
    for itemClass in ["genp", "inet", "cert", "keys"] {
      let keychain = TestKeychain(store)
      let label = String(repeating: "x", count: 1_000_000)
      #expect(keychain.add(["class": itemClass, "labl": label + label]).status == errSecParam)
      #expect(keychain.find(["class": itemClass]).status == errSecItemNotFound)
      #expect(keychain.add(["class": itemClass, "labl": label]).status == 0)
      let found = keychain.find(["class": itemClass, "labl": label, "r_Attributes": true]).value as? [String: Any]
      #expect(found?["labl"] as? String == label)
      #expect(keychain.update(["class": itemClass], ["labl": label + label]) == errSecParam)
    }
    let keychain = TestKeychain(store)
    let host = String(repeating: "h", count: 2_000_000)
    #expect(keychain.find(["class": "inet", "m_HostOrSubdomainOfHost": host]).status == errSecParam)
  }

  @Test("wrong types, nulls, unknown keys and 129 keys store nothing in any class", arguments: Store.allCases)
  func nothingStored(store: Store) {
    let rows: [(String, Any, OSStatus)] = [
      ("labl", NSNull(), -50), ("labl", Date(), -50), ("labl", ["x"], -50), ("labl", ["x": 1], -50),
      ("labl", true, -50), ("labl", NSObject(), -50), ("vwht", 1, -50), ("cdat", "now", -50), ("sync", 1.5, -50),
      ("pdmn", "never", -50),
      ("v_Data", "text", -50), ("v_Ref", NSObject(), -50), ("zzzz", 1, -25303), ("unknown", 1, -50),
      ("r_Data", 1, -50), ("u_Unknown", 1, -50), ("accc", Data(), -50),
    ]
    for itemClass in ["genp", "inet", "cert", "keys"] {
      let keychain = TestKeychain(store)
      for (key, value, expected) in rows {
        #expect(keychain.add(["class": itemClass, key: value]).status == expected, "\(itemClass) \(key)")
      }
      var many: [String: Any] = ["class": itemClass]
      for number in 0..<128 { many["f_\(number)"] = number }
      #expect(keychain.add(many).status == errSecParam)
      #expect(keychain.find(["class": itemClass, "sync": "syna"]).status == errSecItemNotFound)
    }
  }
}

/// A dictionary that keeps nothing where Foundation's own does.
private final class OwnDictionary: NSDictionary {
  private static let content: [String: String] = ["class": "genp", "acct": "own"]
  override var count: Int { Self.content.count }
  override func object(forKey aKey: Any) -> Any? { (aKey as? String).flatMap { Self.content[$0] } }
  override func keyEnumerator() -> NSEnumerator { NSArray(array: Array(Self.content.keys)).objectEnumerator() }
}
