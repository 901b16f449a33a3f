internal import Foundation
internal import Testing
@testable internal import ThumbturnSecurity

/// SECITEM.md §11.
@Suite("Match keys")
struct MatchKeyTests {
  private func accounts(_ keychain: TestKeychain, _ query: [String: Any]) -> [String]? {
    let all: [String: Any] = ["class": "genp", "m_Limit": "m_LimitAll", "r_Attributes": true]
    let found = keychain.find(all.merging(query) { $1 })
    guard found.status != errSecItemNotFound else { return [] }
    return (found.value as? [[String: Any]])?.compactMap { $0["acct"] as? String }
  }

  @Test("a list of items leaves only these", arguments: Store.allCases)
  func itemList(store: Store) {
    let keychain = TestKeychain(store)
    var references: [String: Data] = [:]
    for account in ["a", "b", "c"] {
      references[account] = keychain.add(password(account, ["r_PersistentRef": true])).value as? Data
    }
    func found(_ list: [Any]) -> [String]? { accounts(keychain, ["m_ItemList": list]) }
    #expect(found([references["c"] as Any, references["a"] as Any]) == ["a", "c"], "in the order of the vault")
    #expect(found([]) == [])
    #expect(found([references["b"] as Any, "text", Data(), NSObject(), ["b"]]) == ["b"])
    #expect(accounts(keychain, ["m_ItemList": "no list"]) == ["a", "b", "c"])
    #expect(accounts(keychain, ["m_ItemList": [references["b"] as Any], "acct": "a"]) == [])
    let many = Array(repeating: Data(), count: CheckedQuery.listCountMax)
    #expect(found(many) == [])
    #expect(found(many + [Data()]) == nil)
    #expect(keychain.find(["class": "genp", "m_ItemList": many + [Data()]]).status == errSecParam)
  }

  /// Root, intermediate and leaf, and a stranger.
  private func chain(_ length: Int = 3, _ store: Store = .vault) -> TestKeychain {
    let keychain = TestKeychain(store)
    for number in 0..<length {
      let item: [String: Any] = [
        "class": "cert", "subj": Data("name \(number + 1)".utf8), "issr": Data("name \(number)".utf8),
        "labl": "\(number)",
      ]
      #expect(keychain.add(item).status == 0)
    }
    #expect(keychain.add(["class": "cert", "subj": Data("Stranger".utf8), "issr": Data("Strange".utf8)]).status == 0)
    return keychain
  }
  private func labels(_ keychain: TestKeychain, _ query: [String: Any]) -> [String]? {
    let all: [String: Any] = ["class": "cert", "m_Limit": "m_LimitAll", "r_Attributes": true]
    let found = keychain.find(all.merging(query) { $1 })
    guard found.status != errSecItemNotFound else { return [] }
    return (found.value as? [[String: Any]])?.compactMap { $0["labl"] as? String }
  }

  @Test("an issuer is one in the chain above, through ten certificates and no more")
  func issuers() {
    let keychain = chain(14)
    func found(_ names: [String]) -> [String]? {
      labels(keychain, ["m_Issuers": names.map { Data($0.utf8) } + ["no name" as Any]])
    }
    #expect(found(["name 0"]) == (0..<10).map(String.init))
    #expect(found(["name 13"]) == ["13"])
    #expect(found(["name 12", "unknown"]) == ["12", "13"])
    #expect(found(["unknown"]) == [])
    #expect(found([]) == [])
    #expect(labels(keychain, ["m_Issuers": "no list"]) == nil)
    #expect(keychain.find(["class": "cert", "m_Issuers": Data()]).status == errSecParam)
  }

  @Test("certificates that issue each other end the search too")
  func circle() {
    let keychain = TestKeychain(.vault)
    for (subject, issuer) in [("a", "b"), ("b", "a")] {
      let item: [String: Any] = [
        "class": "cert", "subj": Data(subject.utf8), "issr": Data(issuer.utf8), "labl": subject,
      ]
      #expect(keychain.add(item).status == 0)
    }
    #expect(labels(keychain, ["m_Issuers": [Data("a".utf8)]]) == ["a", "b"])
  }

  @Test("a part of the subject is found where it stands, in the case that is asked for", arguments: Store.allCases)
  func subject(store: Store) {
    let keychain = chain(3, store)
    #expect(labels(keychain, ["m_SubjectContains": "name"]) == ["0", "1", "2"])
    #expect(labels(keychain, ["m_SubjectContains": "e 2"]) == ["1"])
    #expect(labels(keychain, ["m_SubjectContains": "NAME 3"]) == [])
    #expect(labels(keychain, ["m_SubjectContains": "NAME 3", "m_CaseInsensitive": true]) == ["2"])
    #expect(labels(keychain, ["m_SubjectContains": "name 33"]) == [])
    #expect(keychain.add(password("a")).status == 0)
    #expect(keychain.find(["class": "genp", "m_SubjectContains": "name"]).status == 0, "not of passwords")
  }

  @Test("that are of other classes are errSecUnimplemented; wrong values come first")
  func otherClasses() {
    for itemClass in ["genp", "inet", "cert", "keys"] {
      let keychain = TestKeychain()
      #expect(keychain.add(["class": itemClass, "labl": "l"]).status == 0)
      func status(_ name: String, _ value: Any) -> OSStatus {
        keychain.find(["class": itemClass, name: value]).status
      }
      let isCertificate = itemClass == "cert"
      if !isCertificate { #expect(status("m_Issuers", [Data()]) == errSecUnimplemented) }
      #expect(status("m_Policy", SecPolicyCreateBasicX509()) == errSecUnimplemented)
      #expect(status("m_Policy", "none") == errSecParam)
      #expect(status("m_Issuers", "none") == errSecParam)
      if itemClass != "inet" { #expect(status("m_HostOrSubdomainOfHost", "h") == errSecUnimplemented) }
      #expect(status("m_HostOrSubdomainOfHost", 5) == errSecParam)
      // Certificates are not looked into yet, and a filter that lets everything pass would be a lie.
      let unserved = isCertificate ? errSecUnimplemented : errSecSuccess
      #expect(status("m_EmailAddressIfPresent", "a@b") == unserved)
      #expect(status("m_EmailAddressIfPresent", 1) == errSecParam)
      #expect(status("m_TrustedOnly", true) == unserved)
      #expect(status("m_TrustedOnly", false) == errSecSuccess)
      #expect(status("m_TrustedOnly", 1) == errSecParam)
      #expect(status("m_ValidOnDate", NSNull()) == unserved)
      #expect(status("m_ValidOnDate", Date()) == unserved)
      #expect(status("m_ValidOnDate", "now") == errSecParam)
      #expect(status("m_CaseInsensitive", true) == errSecSuccess)
      #expect(status("m_Anything", "at all") == errSecSuccess)
    }
  }

  @Test("limits are one, all, a number; -1 is all and 0 nothing", arguments: Store.allCases)
  func limits(store: Store) {
    let keychain = TestKeychain(store)
    for account in ["a", "b", "c"] { #expect(keychain.add(password(account)).status == 0) }
    func count(_ limit: Any) -> Int? {
      (keychain.find(["class": "genp", "m_Limit": limit, "r_Attributes": true]).value as? [Any])?.count
    }
    #expect(count("m_LimitAll") == 3 && count(2) == 2 && count(-1) == 3 && count(1_000_000) == 3)
    #expect(count(1) == nil && count("m_LimitOne") == nil, "a dictionary and no array")
    for wrong in [-2, "two", true, 1.5, Data()] as [Any] {
      #expect(keychain.find(["class": "genp", "m_Limit": wrong]).status == errSecParam, "\(wrong)")
    }
    #expect(keychain.find(["class": "genp", "m_Limit": 0]).status == errSecItemNotFound)
  }
}
