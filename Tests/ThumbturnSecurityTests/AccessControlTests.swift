internal import Foundation
internal import Testing
@testable internal import ThumbturnSecurity

/// SECACCESS.md §1, as far as it goes without a passcode.
@Suite("Access control")
struct AccessControlTests {
  private func make(_ protection: Any = "ak", _ flags: SecAccessControlCreateFlags = []) -> SecAccessControl? {
    var error: Unmanaged<CFError>?
    let made = SecAccessControlCreateWithFlags(nil, protection as AnyObject, flags, &error)
    // Exactly one of the two is there.
    if let reason = unsafe error?.takeRetainedValue() {
      #expect(made == nil && reason.code == -50 && reason.domain == NSOSStatusErrorDomain)
    } else {
      #expect(made != nil)
    }
    return made
  }

  @Test("every protection class makes one; anything else does not")
  func protection() {
    for code in ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"] { #expect(make(code) != nil) }
    for wrong in ["zz", "", 1, NSNull(), Data(), ["ak"]] as [Any] { #expect(make(wrong) == nil) }
  }

  static let flags: [(SecAccessControlCreateFlags, Bool)] = [
    ([], true), (.userPresence, true), (.biometryAny, true), (.biometryCurrentSet, true), (.devicePasscode, true),
    (.companion, true), (.applicationPassword, true), (.privateKeyUsage, true), (.or, true), (.and, true),
    ([.biometryAny, .devicePasscode], true), ([.biometryAny, .or, .devicePasscode], true),
    ([.userPresence, .applicationPassword], true), ([.userPresence, .privateKeyUsage], true),
    ([.companion, .or, .biometryAny], true),
    ([.or, .and, .biometryAny, .devicePasscode], false), ([.biometryAny, .biometryCurrentSet], false),
    ([.userPresence, .or], false), ([.userPresence, .biometryAny], false), ([.userPresence, .devicePasscode], false),
    (SecAccessControlCreateFlags(rawValue: 1 << 2), false), (SecAccessControlCreateFlags(rawValue: 1 << 40), false),
  ]

  @Test("flags that contradict each other or are unknown are refused", arguments: flags)
  func combinations(flags: SecAccessControlCreateFlags, isValid: Bool) {
    #expect((make("ak", flags) != nil) == isValid)
  }

  @Test("is equal by protection class and conditions")
  func equality() {
    #expect(make("ak", .biometryAny) == make("ak", .touchIDAny))
    #expect(make("ak") != make("ck"))
    #expect(make("ak", .biometryAny) != make("ak", .devicePasscode))
    #expect(make("ak", [.biometryAny, .devicePasscode]) == make("ak", [.biometryAny, .and, .devicePasscode]))
    #expect(make("ak", [.biometryAny, .devicePasscode]) != make("ak", [.biometryAny, .or, .devicePasscode]))
    #expect(make("ak", .or) == make("ak"))
    #expect(Set([make("ak"), make("ak"), make("ck")].map(AnyHashable.init)).count == 2)
  }

  @Test("without flags only sets the protection class", arguments: Store.allCases)
  func unconstrained(store: Store) {
    let keychain = TestKeychain(store)
    #expect(keychain.add(password("a", ["accc": make("cku") as Any, "v_Data": Data("x".utf8)])).status == 0)
    let found = keychain.find(password("a", ["r_Attributes": true])).value as? [String: Any]
    #expect(found?["pdmn"] as? String == "cku")
    #expect(found?["accc"] as? SecAccessControl == make("cku"))
    #expect(keychain.find(password("a", ["accc": make("dk", .biometryAny) as Any])).status == 0, "no filter")
    #expect(keychain.update(password("a"), ["accc": make("dk") as Any]) == 0)
    #expect(keychain.find(password("a", ["pdmn": "dk"])).status == 0)
  }

  @Test("with a condition cannot be stored while there is no passcode", arguments: Store.allCases)
  func constrained(store: Store) {
    let keychain = TestKeychain(store)
    for flags in [.userPresence, .applicationPassword, .privateKeyUsage] as [SecAccessControlCreateFlags] {
      #expect(keychain.add(password("a", ["accc": make("ak", flags) as Any])).status == errSecAuthFailed)
    }
    #expect(keychain.add(password("a")).status == 0)
    #expect(keychain.update(password("a"), ["accc": make("ak", .biometryAny) as Any]) == errSecAuthFailed)
  }

  @Test("excludes a protection class beside it, and the synchronizable flag", arguments: Store.allCases)
  func exclusions(store: Store) {
    let keychain = TestKeychain(store)
    let control = make("ak") as Any
    #expect(keychain.add(password("a", ["accc": control, "pdmn": "ck"])).status == errSecParam)
    #expect(keychain.add(password("a", ["accc": control, "pdmn": "ak"])).status == errSecParam)
    #expect(keychain.add(password("a", ["accc": control, "sync": true])).status == errSecParam)
    #expect(keychain.add(password("a", ["accc": control, "sync": false])).status == 0)
    #expect(keychain.update(password("a"), ["accc": control, "sync": true]) == errSecParam)
  }
}
