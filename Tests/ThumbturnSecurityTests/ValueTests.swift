internal import Foundation
internal import Testing
@testable internal import ThumbturnSecurity

/// SECITEM.md §3: what each kind of attribute takes, and what comes back.
@Suite("Attribute values")
struct ValueTests {
  struct Row: Sendable, CustomStringConvertible {
    let name: String
    let make: @Sendable () -> (key: String, given: Any, expected: NSObject?)
    var description: String { name }
    init(_ name: String, _ make: @escaping @Sendable () -> (String, Any, NSObject?)) {
      self.name = name
      self.make = make
    }
  }

  static let identifier = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  static let accepted: [Row] = [
    Row("blob: text") { ("labl", "text", "text" as NSString) },
    Row("blob: empty text") { ("labl", "", "" as NSString) },
    Row("blob: text with NUL and newline") { ("labl", "a\0b\nc", "a\0b\nc" as NSString) },
    Row("blob: data") { ("labl", Data([0xff, 0x00]), Data([0xff, 0x00]) as NSData) },
    Row("blob: number") { ("labl", 7, NSNumber(value: 7)) },
    Row("blob: largest number") { ("labl", Int64.max, NSNumber(value: Int64.max)) },
    Row("text: text") { ("vwht", "view", "view" as NSString) },
    Row("text: UTF-8 data") { ("vwht", Data("view".utf8), "view" as NSString) },
    Row("text: UUID") { ("vwht", identifier, "01020304-0506-0708-090A-0B0C0D0E0F10" as NSString) },
    Row("data: data") { ("musr", Data([1]), Data([1]) as NSData) },
    Row("data: text") { ("musr", "ab", Data("ab".utf8) as NSData) },
    Row("data: number") { ("musr", 258, Data([2, 1, 0, 0]) as NSData) },
    Row("data: negative number") { ("musr", -2, Data([0xfe, 0xff, 0xff, 0xff]) as NSData) },
    Row("number: number") { ("type", 9, NSNumber(value: 9)) },
    Row("number: whole floating-point number") { ("type", 9.0, NSNumber(value: 9)) },
    Row("number: true") { ("invi", true, NSNumber(value: 1)) },
    Row("number: false") { ("invi", false, NSNumber(value: 0)) },
    Row("number: text of an integer") { ("crtr", "-12", NSNumber(value: -12)) },
    Row("number: text with a leading zero stays text") { ("crtr", "012", "012" as NSString) },
    Row("number: other text stays text") { ("crtr", "htps", "htps" as NSString) },
    Row("sync: true") { ("sync", true, NSNumber(value: 1)) },
    Row("sync: number") { ("sync", 1, NSNumber(value: 1)) },
    Row("sync: text") { ("sync", "1", NSNumber(value: 1)) },
    Row("accessible: text") { ("pdmn", "cku", "cku" as NSString) },
    Row("accessible: UTF-8 data") { ("pdmn", Data("dk".utf8), "dk" as NSString) },
  ]

  @Test("are stored and come back in their kind", arguments: accepted)
  func accepts(row: Row) {
    let (key, given, expected) = row.make()
    let keychain = TestKeychain()
    #expect(keychain.add(password("a", [key: given])).status == 0)
    var query = password("a", ["r_Attributes": true, key: given])
    let found = keychain.find(query)
    #expect(found.status == 0, "a value finds what it stored")
    let value = (found.value as? NSDictionary)?.object(forKey: key) as? NSObject
    #expect(value == expected || (found.value as? [String: AnyHashable])?[key] == (expected as AnyHashable?))
    query[key] = nil
    query["sync"] = "syna"
    #expect(keychain.find(query).status == 0)
  }

  static let refused: [Row] = [
    Row("blob: boolean") { ("acct", true, nil) },
    Row("blob: date") { ("acct", Date(), nil) },
    Row("blob: array") { ("acct", ["a"], nil) },
    Row("blob: dictionary") { ("acct", ["a": 1], nil) },
    Row("blob: UUID") { ("acct", identifier, nil) },
    Row("blob: object") { ("acct", NSObject(), nil) },
    Row("blob: fraction") { ("acct", 1.5, nil) },
    Row("blob: not a number") { ("acct", Double.nan, nil) },
    Row("blob: number above 64 bits") { ("acct", UInt64.max, nil) },
    Row("data: boolean") { ("musr", false, nil) },
    Row("data: date") { ("musr", Date(), nil) },
    Row("data: array") { ("musr", [1], nil) },
    Row("data: number above 32 bits") { ("musr", Int64.max, nil) },
    Row("text: number") { ("vwht", 1, nil) },
    Row("text: boolean") { ("vwht", true, nil) },
    Row("text: date") { ("vwht", Date(), nil) },
    Row("text: data that is no UTF-8") { ("vwht", Data([0xff]), nil) },
    Row("number: data") { ("type", Data([1]), nil) },
    Row("number: date") { ("type", Date(), nil) },
    Row("number: fraction") { ("type", 1.5, nil) },
    Row("sync: other number") { ("sync", 2, nil) },
    Row("sync: other text") { ("sync", "maybe", nil) },
    Row("date: text") { ("cdat", "now", nil) },
    Row("date: number") { ("mdat", 1, nil) },
    Row("accessible: unknown text") { ("pdmn", "zz", nil) },
    Row("accessible: internal class") { ("pdmn", "f", nil) },
    Row("accessible: number") { ("pdmn", 1, nil) },
    Row("access control: text") { ("accc", "none", nil) },
    Row("access control: data") { ("accc", Data([1]), nil) },
    Row("value: text") { ("v_Data", "text", nil) },
    Row("value: number") { ("v_Data", 1, nil) },
  ]

  @Test("of another kind are errSecParam in every call", arguments: refused)
  func refuses(row: Row) {
    let (key, given, _) = row.make()
    for call in [QueryCall.add, .find, .update, .change, .delete] {
      let keychain = TestKeychain()
      #expect(keychain.add(["class": "genp"]).status == 0)
      let dictionary = call == .change ? [key: given] : ["class": "genp", key: given]
      #expect(keychain.call(call, dictionary) == errSecParam, "\(call)")
    }
  }
}
