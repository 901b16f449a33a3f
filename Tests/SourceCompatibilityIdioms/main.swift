// swift-format-ignore-file
// One line per idiom that public code uses. Each must compile and print ok.
import Foundation
import Security

nonisolated(unsafe) var bad = 0
func ok(_ name: String, _ c: Bool) { if !c { bad += 1 }; print(c ? "ok  " : "BAD ", name) }

// keys and literals
let q1: [String: Any] = [kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "idiom", kSecAttrAccount as String: "a", kSecValueData as String: Data("x".utf8)]
let q2: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "idiom", kSecAttrAccount: "b", kSecValueData: Data("y".utf8), kSecAttrIsInvisible: kCFBooleanTrue!]
let q3: [String: AnyObject] = [kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "idiom" as NSString, kSecReturnAttributes as String: kCFBooleanTrue, kSecMatchLimit as String: kSecMatchLimitAll]
let q4: [String: AnyHashable] = [kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "idiom", kSecReturnData as String: true]
let q5: NSDictionary = [kSecClass: kSecClassGenericPassword, kSecAttrService: "idiom", kSecReturnRef: false]
let q6 = NSMutableDictionary(); q6[kSecClass] = kSecClassGenericPassword; q6[kSecAttrService as String] = "idiom"; q6[kSecAttrAccount as String] = "a" /* setValue(_:forKey:) is KVC: not in corelibs */; q6[kSecReturnAttributes] = true
_ = SecItemDelete([kSecClass: kSecClassGenericPassword, kSecAttrService: "idiom"] as CFDictionary)
ok("SecItemAdd([String: Any] as CFDictionary, nil)", SecItemAdd(q1 as CFDictionary, nil) == errSecSuccess)
ok("SecItemAdd([CFString: Any] as CFDictionary, nil)", SecItemAdd(q2 as CFDictionary, nil) == noErr)
ok("duplicate", SecItemAdd(q1 as CFDictionary, nil) == errSecDuplicateItem)
// results
var item: CFTypeRef?
ok("inout CFTypeRef?", SecItemCopyMatching(q3 as CFDictionary, &item) == errSecSuccess)
ok("as? [[String: Any]]", (item as? [[String: Any]])?.count == 2)
ok("as? [[String: AnyObject]]", (item as? [[String: AnyObject]])?.count == 2)
ok("as? [[String: AnyHashable]]", (item as? [[String: AnyHashable]])?.count == 2)
ok("as? [[CFString: Any]]", (item as? [[CFString: Any]])?.first?[kSecAttrAccount] as? String == "a")
ok("as? [[AnyHashable: Any]] with a CFString key", (item as? [[AnyHashable: Any]])?.first?[kSecAttrAccount] as? String == "a")
ok("as? [NSDictionary] with a CFString key", (item as? [NSDictionary])?.first?[kSecAttrAccount] as? String == "a")
ok("creation date", (item as? [[String: Any]])?.first?[kSecAttrCreationDate as String] is Date)
var obj: AnyObject?
ok("[String: AnyHashable] query", SecItemCopyMatching(q4 as CFDictionary, &obj) == errSecSuccess && (obj as? Data) == Data("x".utf8))
ok("NSDictionary passed without a cast", SecItemCopyMatching(q5, nil) == errSecSuccess)
ok("NSMutableDictionary passed without a cast", SecItemCopyMatching(q6, &obj) == errSecSuccess && (obj as? [String: Any])?[kSecAttrAccount as String] as? String == "a")
ok("withUnsafeMutablePointer", withUnsafeMutablePointer(to: &obj) { SecItemCopyMatching(q4 as CFDictionary, UnsafeMutablePointer($0)) } == errSecSuccess)
let copy: (CFDictionary, UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus = SecItemCopyMatching
ok("function value", copy(q4 as CFDictionary, nil) == errSecSuccess)
func generic<T>(_ q: [String: Any]) -> T? { var r: AnyObject?; guard SecItemCopyMatching(q as CFDictionary, &r) == errSecSuccess else { return nil }; return r as? T }
let g: Data? = generic(q4); ok("generic result as? T", g == Data("x".utf8))
ok("status switch", { switch SecItemCopyMatching([kSecClass: kSecClassGenericPassword, kSecAttrService: "none"] as CFDictionary, nil) { case errSecSuccess: return false; case errSecItemNotFound: return true; default: return false } }())
// strings
ok("String(kSecX)", String(kSecAttrAccount) == "acct")
ok("CFString switch", { let v: CFString = kSecAttrAccessibleWhenUnlocked; switch v { case kSecAttrAccessibleAfterFirstUnlock: return false; case kSecAttrAccessibleWhenUnlocked: return true; default: return false } }())
ok("String? as CFString? compare", (q1[kSecClass as String] as? String as CFString?) == kSecClassGenericPassword)
ok("CFString as AnyObject parameter", { (o: AnyObject) in o is NSString }(kSecClassKey))
ok("interpolation", "\(kSecAttrService)" == "svce")
ok("CFString in a Set and as a key", Set([kSecAttrService, kSecAttrService as String as CFString]).count == 1)
ok("SecCopyErrorMessageString as String?", (SecCopyErrorMessageString(errSecItemNotFound, nil) as String?) != nil)
ok("NSError(domain: NSOSStatusErrorDomain", NSError(domain: NSOSStatusErrorDomain, code: Int(errSecAuthFailed), userInfo: nil).code == -25293)
// CF helpers
ok("kCFBooleanTrue as Any / !", (kCFBooleanTrue as Any) is NSNumber && kCFBooleanTrue! == true && (kCFBooleanTrue as! Bool))
ok("CFGetTypeID", CFGetTypeID(kSecClass) == CFStringGetTypeID())
ok("CFEqual", CFEqual(kSecClass, "class" as CFString))
ok("Data as CFData", (Data([1]) as CFData).length == 1)
ok("autoreleasepool", autoreleasepool { 1 } == 1)
// access control
var err: Unmanaged<CFError>?
let ac = SecAccessControlCreateWithFlags(kCFAllocatorDefault, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, [.biometryCurrentSet, .or, .devicePasscode], &err)
ok("SecAccessControl", ac != nil && err == nil)
ok("SecAccessControl as AnyHashable", (ac.map { AnyHashable($0) }) != nil)
ok("SecAccessControlCreateFlags(rawValue: CFOptionFlags)", SecAccessControlCreateFlags(rawValue: CFOptionFlags(1 << 0)) == .userPresence)
let none = SecAccessControlCreateWithFlags(nil, "nonsense" as CFTypeRef, .userPresence, &err)
ok("error out: takeRetainedValue() as Error", none == nil && (err?.takeRetainedValue() as Error?) != nil)
ok("SecRandomCopyBytes(&array)", { var b = [UInt8](repeating: 0, count: 32); return SecRandomCopyBytes(kSecRandomDefault, b.count, &b) == errSecSuccess && b.contains { $0 != 0 } }())
ok("SecRandomCopyBytes(data)", { var d = Data(count: 16); return d.withUnsafeMutableBytes { SecRandomCopyBytes(kSecRandomDefault, 16, $0.baseAddress!) } == errSecSuccess }())
print(bad == 0 ? "ALL OK" : "\(bad) BAD")
exit(bad == 0 ? 0 : 1)
