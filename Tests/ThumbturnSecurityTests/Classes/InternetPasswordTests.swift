internal import Foundation
internal import Testing
@testable internal import ThumbturnSecurity

@Suite("Internet passwords")
struct InternetPasswordTests {
  private let page: [String: Any] = [
    "class": "inet", "srvr": "example.com", "acct": "me", "ptcl": kSecAttrProtocolHTTPS, "port": 443, "path": "/a",
    "atyp": kSecAttrAuthenticationTypeHTMLForm, "sdmn": "realm",
  ]

  private func merged(_ more: [String: Any]) -> [String: Any] { page.merging(more) { $1 } }

  @Test("come back with Apple's values for protocol, port and authentication type", arguments: Store.allCases)
  func roundTrip(store: Store) {
    let keychain = TestKeychain(store)
    #expect(keychain.add(merged(["v_Data": Data("x".utf8)])).status == 0)
    let found = keychain.find(merged(["r_Attributes": true, "r_Data": true])).value as? [String: Any]
    #expect(found?["ptcl"] as? String == "htps", "four letters in an attribute of numbers")
    #expect(found?["port"] as? Int == 443)
    #expect(found?["atyp"] as? String == "form")
    #expect(found?["sdmn"] as? String == "realm")
    #expect(found?["v_Data"] as? Data == Data("x".utf8))
    #expect(keychain.find(["class": "inet", "port": "443"]).status == 0, "text that is an integer is the number")
    #expect(keychain.find(["class": "inet", "port": "0443"]).status == errSecItemNotFound)
  }

  static let hosts: [(String, Bool)] = [
    ("example.com", true), ("mail.example.com", true), ("com", true), ("ample.com", false), ("Example.com", false),
    (".example.com", false), ("x.mail.example.com", false), ("", false),
  ]

  @Test("are found by a host or a domain above it, by whole labels", arguments: hosts)
  func host(wanted: String, isFound: Bool) {
    for store in Store.allCases {
      let keychain = TestKeychain(store)
      #expect(keychain.add(["class": "inet", "srvr": "mail.example.com"]).status == 0)
      let query: [String: Any] = ["class": "inet", "m_HostOrSubdomainOfHost": wanted]
      #expect(keychain.find(query).status == (isFound ? 0 : errSecItemNotFound))
    }
  }

  @Test("whose server is data are never found by a host; the limit counts what is found", arguments: Store.allCases)
  func hostAndLimit(store: Store) {
    let keychain = TestKeychain(store)
    #expect(keychain.add(["class": "inet", "srvr": Data("a.example".utf8)]).status == 0)
    #expect(keychain.add(["class": "inet", "srvr": "b.other"]).status == 0)
    for name in ["c.example", "d.example", "e.example"] {
      #expect(keychain.add(["class": "inet", "srvr": name]).status == 0)
    }
    func servers(_ limit: Any) -> [String]? {
      let query: [String: Any] = [
        "class": "inet", "m_HostOrSubdomainOfHost": "example", "m_Limit": limit, "r_Attributes": true,
      ]
      return (keychain.find(query).value as? [[String: Any]])?.compactMap { $0["srvr"] as? String }
    }
    #expect(servers("m_LimitAll") == ["c.example", "d.example", "e.example"])
    #expect(servers(2) == ["c.example", "d.example"])
  }

  private static let extras: [String: Data] = [
    "binn": Data("notes".utf8), "bini": Data("history".utf8), "bin0": Data([0]), "bin1": Data(), "bin2": Data([2, 2]),
    "bin3": Data([3]),
  ]

  @Test("keep further secrets, which come with the data and never alone", arguments: Store.allCases)
  func extraSecrets(store: Store) {
    let keychain = TestKeychain(store)
    let item = merged(Self.extras).merging(["v_Data": Data("x".utf8)]) { $1 }
    let added = keychain.add(item.merging(["r_Attributes": true, "r_Data": true]) { $1 }).value as? [String: Any]
    #expect(Self.extras.allSatisfy { added?[$0] as? Data == $1 })
    func found(_ wanted: [String]) -> [String: Any]? {
      keychain.find(merged(Dictionary(uniqueKeysWithValues: wanted.map { ($0, true) }))).value as? [String: Any]
    }
    let both = found(["r_Attributes", "r_Data"])
    #expect(Self.extras.allSatisfy { both?[$0] as? Data == $1 })
    #expect(both?["v_Data"] as? Data == Data("x".utf8))
    let attributes = found(["r_Attributes"])
    #expect(Self.extras.keys.allSatisfy { attributes?[$0] == nil })
    #expect(keychain.find(merged(["r_Data": true])).value as? Data == Data("x".utf8))
    #expect(keychain.find(merged(["binn": Data("no filter".utf8)])).status == 0)
  }

  @Test("keep each secret that an update does not name", arguments: Store.allCases)
  func updatedSecrets(store: Store) {
    let keychain = TestKeychain(store)
    #expect(keychain.add(merged(Self.extras).merging(["v_Data": Data("x".utf8)]) { $1 }).status == 0)
    func secrets() -> [String: Data] {
      let found = keychain.find(merged(["r_Attributes": true, "r_Data": true])).value as? [String: Any] ?? [:]
      return found.compactMapValues { $0 as? Data }.filter { Self.extras[$0.key] != nil || $0.key == "v_Data" }
    }
    var expected = Self.extras.merging(["v_Data": Data("x".utf8)]) { $1 }
    for (key, value) in [("bini", Data("old".utf8)), ("v_Data", Data("y".utf8)), ("bin3", Data())] {
      #expect(keychain.update(page, [key: value]) == 0)
      expected[key] = value
      #expect(secrets() == expected, "\(key)")
    }
    #expect(keychain.update(page, ["labl": "l", "pdmn": "cku"]) == 0)
    #expect(secrets() == expected, "another protection class seals them anew")
  }

  @Test("take further secrets of one kind, and 16 MiB of all together", arguments: Store.allCases)
  func extraSecretLimits(store: Store) {
    let keychain = TestKeychain(store)
    for wrong in [true, Date(), ["a"], NSNull()] as [Any] {
      #expect(keychain.add(merged(["binn": wrong])).status == errSecParam)
      #expect(keychain.find(merged(["binn": wrong])).status == errSecParam)
    }
    #expect(keychain.add(password("a", ["binn": Data()])).status == errSecNoSuchAttr)
    #expect(keychain.add(merged(["v_Data": Data(count: 16_777_200), "bin0": Data(count: 17)])).status == -25302)
    #expect(keychain.find(page).status == errSecItemNotFound)
    #expect(keychain.add(merged(["v_Data": Data(count: 16_777_200), "bin0": Data(count: 16)])).status == 0)
    if store == .vault { #expect(keychain.update(page, ["bin1": Data(count: 1)]) == errSecDataTooLarge) }
    #expect(keychain.update(page, ["bin0": "text"]) == 0)
    let found = keychain.find(merged(["r_Attributes": true, "r_Data": true])).value as? [String: Any]
    #expect(found?["bin0"] as? Data == Data("text".utf8))
  }
}
