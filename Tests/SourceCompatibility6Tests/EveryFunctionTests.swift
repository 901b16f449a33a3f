import Foundation
import Security
import Testing

/// Every function of Security in Swift 6 mode: no `unsafe`, no warning, whatever the client's settings are.
@Suite("Every function, in Swift 6")
struct EveryFunctionTests {
  private let service = "org.example.every.\(UUID().uuidString)"

  @Test("the four calls, over each item class")
  func calls() {
    for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey] {
      let label = "\(service) \(itemClass)"
      let item: [CFString: Any] = [kSecClass: itemClass, kSecAttrLabel: label]
      var added = item
      added[kSecValueData] = Data("secret".utf8)
      added[kSecReturnPersistentRef] = kCFBooleanTrue
      var reference: CFTypeRef?
      #expect(SecItemAdd(added as CFDictionary, &reference) == errSecSuccess)
      #expect((reference as? Data)?.count == 20)
      #expect(SecItemUpdate(item as CFDictionary, [kSecValueData: Data("new".utf8)] as CFDictionary) == errSecSuccess)
      var wanted = item
      wanted[kSecReturnData] = true
      wanted[kSecReturnAttributes] = true
      wanted[kSecMatchLimit] = kSecMatchLimitAll
      var found: CFTypeRef?
      #expect(SecItemCopyMatching(wanted as CFDictionary, &found) == errSecSuccess)
      let all = found as? [[String: Any]]
      #expect(all?.map { $0[kSecValueData as String] as? Data } == [Data("new".utf8)])
      #expect(SecItemDelete([kSecValuePersistentRef: reference as Any] as CFDictionary) == errSecSuccess)
      #expect(SecItemCopyMatching(item as CFDictionary, nil) == errSecItemNotFound)
    }
    #expect(SecItemCopyMatching([kSecClass: kSecClassIdentity] as CFDictionary, nil) == errSecItemNotFound)
  }

  @Test("the calls from many tasks at once")
  func tasks() async {
    let service = service
    await withTaskGroup(of: OSStatus.self) { group in
      for number in 0..<8 {
        group.addTask {
          let item =
            [
              kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "\(number)",
            ] as CFDictionary
          let added = SecItemAdd(item, nil)
          return added == errSecSuccess ? SecItemDelete(item) : added
        }
      }
      for await status in group { #expect(status == errSecSuccess) }
    }
  }

  @Test("access controls")
  func accessControl() throws {
    var error: Unmanaged<CFError>?
    let control = try #require(
      SecAccessControlCreateWithFlags(kCFAllocatorDefault, kSecAttrAccessibleAfterFirstUnlock, [], &error))
    #expect(error == nil)
    let item =
      [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service,
        kSecAttrAccessControl: control,
      ] as [CFString: Any]
    #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
    let wanted =
      [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecReturnAttributes: true,
      ] as CFDictionary
    var found: CFTypeRef?
    #expect(SecItemCopyMatching(wanted, &found) == errSecSuccess)
    #expect((found as? [String: Any])?[kSecAttrAccessControl as String] as? SecAccessControl == control)
    #expect(SecItemDelete(wanted) == errSecSuccess)
    #expect(CFGetTypeID(control) == SecAccessControlGetTypeID())
    #expect(
      SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleAlways, [.or, .and], &error) == nil && error != nil)
    let reason = error?.takeRetainedValue()
    #expect(CFErrorGetCode(reason) == Int(errSecParam))
    #expect(String(CFErrorGetDomain(reason)) == String(kCFErrorDomainOSStatus))
  }

  @Test("random bytes, texts, shared web credentials")
  func others() async {
    var bytes = [UInt8](repeating: 0, count: 16)
    #expect(SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes) == errSecSuccess)
    #expect(SecCopyErrorMessageString(errSecItemNotFound, nil) as String? == "No matching item.")
    #expect(SecCreateSharedWebCredentialPassword() != nil)
    let code = await withCheckedContinuation { continuation in
      SecAddSharedWebCredential("example.com", "me", nil) { continuation.resume(returning: CFErrorGetCode($0)) }
    }
    #expect(code == Int(errSecUnimplemented))
  }

  @Test("what is not served says so")
  func unserved() {
    var items: CFArray?
    #expect(SecPKCS12Import(Data() as CFData, [:] as CFDictionary, &items) == errSecUnimplemented)
    var access: SecAccess?
    #expect(SecAccessCreate("name", nil, &access) == errSecUnimplemented)
    #expect(SecCodeCheckValidity(SecCode(), [], nil) == errSecUnimplemented)
    #expect(CFGetTypeID(SecPolicyCreateBasicX509()) == SecPolicyGetTypeID())
    #expect(SecPadding.PKCS1.rawValue == 1)
  }

  @Test("Core Foundation's functions")
  func coreFoundation() {
    let error = CFErrorCreate(kCFAllocatorDefault, "domain" as CFString, 7, [:] as CFDictionary)
    #expect(CFErrorGetCode(error) == 7)
    #expect(CFErrorCopyUserInfo(error)?.count == 0)
    #expect(CFErrorCopyDescription(error) != nil)
    #expect(CFEqual("a" as CFString, "a" as CFString) && CFHash("a" as CFString) == CFHash("a" as CFString))
    for (object, number) in [
      ("a" as CFString, CFStringGetTypeID()), (Data() as CFData, CFDataGetTypeID()),
      ([:] as CFDictionary, CFDictionaryGetTypeID()), ([] as CFArray, CFArrayGetTypeID()),
      (kCFBooleanTrue, CFBooleanGetTypeID()), (7 as CFNumber, CFNumberGetTypeID()), (error!, CFErrorGetTypeID()),
      (Date() as CFDate, CFDateGetTypeID()), (kCFNull, CFNullGetTypeID()),
    ] as [(CFTypeRef, CFTypeID)] {
      #expect(CFGetTypeID(object) == number)
    }
    let bytes: [UInt8] = [1, 2]
    #expect(CFDataCreateWithBytesNoCopy(kCFAllocatorDefault, bytes, 2, kCFAllocatorNull) as Data? == Data(bytes))
    #expect(autoreleasepool { 7 } == 7)
  }

  @Test("the program's identity")
  func identity() {
    #expect(ThumbturnProgram.setIdentity(accessGroups: [""]) == errSecParam)
    #expect(!ThumbturnProgram.accessGroups.isEmpty)
  }
}
