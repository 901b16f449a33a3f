// swift-format-ignore-file
// One line per idiom that public code uses. Each must compile and print ok.
import Foundation
import LocalAuthentication
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
// local authentication
let context = LAContext(); context.localizedReason = "to go on"; context.interactionNotAllowed = true; context.localizedFallbackTitle = ""; context.localizedCancelTitle = "Not now"
var reason: NSError?
ok("canEvaluatePolicy(&error)", !context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &reason) && reason != nil)
ok("NSError as? LAError", (reason as? LAError)?.code == .biometryNotAvailable)
ok("biometryType with every case", { switch context.biometryType { case .none: return true; case .touchID, .faceID, .opticID: return false; @unknown default: return false } }())
ok("LAError.Code(rawValue:)", LAError.Code(rawValue: Int(kLAErrorUserCancel)) == .userCancel)
ok("LAError.errorDomain == LAErrorDomain", LAError.errorDomain == LAErrorDomain)
func cancelled() throws { throw LAError(.userCancel) }
ok("catch LAError.userCancel", { do { try cancelled(); return false } catch LAError.userCancel { return true } catch { return false } }())
ok("catch let e as LAError", { do { try cancelled(); return false } catch let e as LAError { return e.code == .userCancel } catch { return false } }())
ok("(error as NSError).domain", { do { try cancelled(); return false } catch { return (error as NSError).domain == LAErrorDomain } }())
ok("case LAError.userCancel? of an optional error", { let e: Error? = LAError(.userCancel); switch e { case LAError.authenticationFailed?: return false; case LAError.userCancel?: return true; default: return false } }())
ok("LAError(_nsError:)", LAError(_nsError: NSError(domain: LAErrorDomain, code: -2)).code == .userCancel)
ok("LAError.userCancel.rawValue in an NSError", NSError(domain: LAErrorDomain, code: LAError.userCancel.rawValue, userInfo: nil).code == -2)
final class Stand: LAContext, @unchecked Sendable {
  override var biometryType: LABiometryType { .faceID }
  override func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool { error?.pointee = nil; return true }
  override func evaluatePolicy(_ policy: LAPolicy, localizedReason: String, reply: @escaping (Bool, Error?) -> Void) { reply(true, nil) }
}
ok("subclass of LAContext", Stand().biometryType == .faceID && Stand().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
ok("its reply", { var done = false; Stand().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to go on") { isDone, _ in done = isDone }; return done }())
class Plain: LAContext { var can = true; override func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool { can } }
ok("subclass that says nothing of Sendable", Plain().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
protocol Asking { func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool; func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool }
extension LAContext: Asking {}
ok("LAContext conforms to a protocol of its own methods", (context as Asking).canEvaluatePolicy(.deviceOwnerAuthentication, error: nil) == false)
ok("context in a [String: AnyHashable] query", { let q: [String: AnyHashable] = [kSecUseAuthenticationContext as String: context]; return (q as CFDictionary)[kSecUseAuthenticationContext] as? LAContext === context }())
ok("context in a [CFString: Any] query", { let q: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "idiom", kSecUseAuthenticationContext: context]; return SecItemCopyMatching(q as CFDictionary, nil) == errSecSuccess }())
ok("setCredential and isCredentialSet", context.setCredential(Data("p".utf8), type: .applicationPassword) && context.isCredentialSet(.applicationPassword))
let asked: LAError.Code? = await { do { _ = try await context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "to go on"); return nil } catch { return (error as? LAError)?.code } }()
ok("try await evaluatePolicy", asked == .notInteractive)
context.invalidate()
ok("invalidate", !context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &reason) && reason?.code == LAError.invalidContext.rawValue)
print(bad == 0 ? "ALL OK" : "\(bad) BAD")
exit(bad == 0 ? 0 : 1)
