internal import Foundation
internal import Testing
@testable internal import ThumbturnSecurity

/// SECITEM.md §2: what a key's name decides before its value is looked at.
@Suite("Key names")
struct KeyNameTests {
  struct Row: Sendable, CustomStringConvertible {
    let key: String
    /// Number 1, text and so on do for every row; the value's type is not the point.
    let isText: Bool
    let expected: [QueryCall: OSStatus]
    var description: String { key }
    var value: Any { isText ? "v" : kCFBooleanTrue as Any }

    init(
      _ key: String, text: Bool = true, add: OSStatus, find: OSStatus, update: OSStatus, change: OSStatus,
      delete: OSStatus
    ) {
      self.key = key
      isText = text
      expected = [.add: add, .find: find, .update: update, .change: change, .delete: delete]
    }
    init(_ key: String, text: Bool = true, everywhere: OSStatus) {
      self.init(
        key, text: text, add: everywhere, find: everywhere, update: everywhere, change: everywhere, delete: everywhere)
    }
  }

  static let rows: [Row] = [
    Row("zzzz", everywhere: -25303),  // four characters: an attribute, here an unknown one
    Row("srvr", everywhere: -25303),  // an attribute of another class
    Row("sha1", everywhere: -25303),
    Row("clip", everywhere: -50),  // internal
    Row("nleg", everywhere: 0),
    Row("nleg", text: false, everywhere: 0),
    Row("café", everywhere: -25303),
    Row("c", everywhere: -50),
    Row("cl", add: -50, find: -50, update: -50, change: -25303, delete: -50),
    Row("classes", add: -50, find: -50, update: -50, change: -25303, delete: -50),
    Row("m_Unknown", add: -50, find: 0, update: -50, change: -25303, delete: -50),
    Row("m_CaseInsensitive", text: false, add: -50, find: 0, update: -50, change: -25303, delete: -50),
    Row("m_SubjectContains", add: -50, find: 0, update: -50, change: -25303, delete: -50),
    Row("m_HostOrSubdomainOfHost", add: -50, find: -4, update: -50, change: -25303, delete: -50),
    Row("r_Unknown", text: false, add: -50, find: -50, update: -50, change: -25303, delete: -50),
    Row("r_Data", text: false, add: 0, find: 0, update: -50, change: -25303, delete: 0),
    Row("r_Data", add: -50, find: -50, update: -50, change: -25303, delete: -50),
    Row("u_OpPrompt", add: 0, find: 0, update: 0, change: -25303, delete: 0),
    Row("u_OpPrompt", text: false, add: -50, find: -50, update: -50, change: -25303, delete: -50),
    Row("u_NoAuthUI", text: false, add: 0, find: 0, update: 0, change: -25303, delete: 0),
    Row("u_Keychain", add: -50, find: -50, update: -50, change: -25303, delete: -50),
    Row("u_ItemList", add: -50, find: -50, update: -50, change: -25303, delete: -50),
    Row("u_Unknown", add: -50, find: -50, update: -50, change: -25303, delete: -50),
    Row("v_Data", everywhere: -50),  // text is no data
    Row("v_Ref", everywhere: -50),
    Row("v_Unknown", everywhere: -50),
    Row("f_Anything", everywhere: 0),
    Row("persistref", everywhere: -50),
    Row("x", everywhere: -50),
    Row("", everywhere: -50),
    Row("Xenon", everywhere: -50),
  ]

  @Test("decide the status by their first letter and length", arguments: rows)
  func names(row: Row) {
    for (call, expected) in row.expected {
      let keychain = TestKeychain()
      // Something to find, change and delete; an add of the same account would be a duplicate.
      if call != .add { #expect(keychain.add(["class": "genp"]).status == 0) }
      let dictionary = call == .change ? [row.key: row.value] : ["class": "genp", row.key: row.value]
      #expect(keychain.call(call, dictionary) == expected, "\(call) \(row.key)")
    }
  }

  @Test("null is no value, but for one key in a find")
  func null() {
    let keychain = TestKeychain()
    #expect(keychain.add(["class": "genp"]).status == 0)
    for key in ["acct", "nleg", "m_Unknown", "m_Limit", "r_Data", "u_OpPrompt", "f_Anything", "v_Data", "agrp"] {
      #expect(keychain.find(["class": "genp", key: NSNull()]).status == -50, "\(key)")
      #expect(keychain.add(["class": "genp", key: NSNull()]).status == -50, "\(key)")
    }
    #expect(keychain.find(["class": "genp", "m_ValidOnDate": NSNull()]).status == 0)
    #expect(keychain.update(["class": "genp"], ["v_Data": NSNull()]) == -50)
  }

  @Test("keys that are no text are refused")
  func otherKeys() {
    for key in [NSNumber(value: 7), NSNull(), NSData(), NSArray()] as [NSObject] {
      let dictionary = NSMutableDictionary(dictionary: ["class": "genp"])
      dictionary.setObject("x", forKey: AnyHashable(key))
      #expect(throws: (any Error).self) { try TestKeychain().calls.add(dictionary) }
    }
  }

  @Test("128 keys are accepted, 129 are not")
  func keyCount() {
    func dictionary(_ count: Int) -> [String: Any] {
      var all: [String: Any] = ["class": "genp"]
      for number in 1..<count { all["f_key_\(number)"] = number }
      return all
    }
    #expect(TestKeychain().add(dictionary(128)).status == 0)
    #expect(TestKeychain().add(dictionary(129)).status == -50)
    #expect(TestKeychain().add(dictionary(100_000)).status == -50)
  }

  @Test("a dictionary with several mistakes always gets the same status")
  func fixedOrder() {
    let keychain = TestKeychain()
    // Class before names, names before types, types before groups, groups before combinations.
    #expect(keychain.find(["class": "none", "zzzz": 1, "acct": true]).status == -25306)
    #expect(keychain.find(["class": "genp", "zzzz": 1, "acct": true, "agrp": "GX"]).status == -25303)
    #expect(keychain.find(["class": "genp", "acct": true, "agrp": "GX"]).status == -50)
    #expect(keychain.find(["class": "genp", "agrp": "GX", "m_Issuers": [Data()]]).status == -34018)
    #expect(keychain.find(["class": "genp", "m_Issuers": [Data()]]).status == -4)
  }
}
