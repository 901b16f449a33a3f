internal import Foundation
internal import Testing
internal import ThumbturnKeychain
internal import ThumbturnVault

@testable internal import ThumbturnSecurity

@Suite("Core Foundation's names")
struct CoreFoundationTests {
  @Test("text keys are found however a result is read")
  func keys() {
    let result: NSDictionary = ["acct": "a"]
    #expect((result as? [AnyHashable: Any])?[kSecAttrAccount] as? String == "a")
    #expect((result as? [CFString: Any])?[kSecAttrAccount] as? String == "a")
    #expect((result as? [String: Any])?[kSecAttrAccount as String] as? String == "a")
    #expect(result[kSecAttrAccount] as? String == "a")
    #expect(AnyHashable("acct" as NSString) == AnyHashable("acct"))
    #expect(AnyHashable("acct" as NSString).hashValue == AnyHashable("acct").hashValue)
  }

  @Test("every kind of object has its own type number")
  func typeNumbers() {
    let objects: [CFTypeRef] = [
      "text" as CFString, NSNumber(value: true), NSNumber(value: 1), Data() as CFData, Date() as CFDate, NSNull(),
      NSArray(), NSDictionary(), NSError(domain: "d", code: 1),
      SecAccessControl(AccessControl(.always), isExplicit: true),
    ]
    #expect(Set(objects.map { CFGetTypeID($0) }).count == objects.count)
    #expect(CFGetTypeID(kCFBooleanTrue) == CFBooleanGetTypeID())
    #expect(CFGetTypeID(NSNumber(value: Int8(1))) == CFNumberGetTypeID())
    #expect(CFGetTypeID(kSecClass) == CFStringGetTypeID())
    #expect(CFGetTypeID(NSObject()) == 0)
    #expect(CFEqual("a" as CFString, "a" as CFString) && !CFEqual("a" as CFString, "b" as CFString))
  }

  @Test("an error gives back what it was made of")
  func errors() {
    let error = CFErrorCreate(nil, kCFErrorDomainOSStatus, -50, ["key": "value"] as CFDictionary)
    #expect(CFErrorGetCode(error) == -50)
    #expect(CFErrorGetDomain(error) as String? == NSOSStatusErrorDomain)
    #expect((CFErrorCopyUserInfo(error) as? [String: String])?["key"] == "value")
  }
}
