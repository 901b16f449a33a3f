internal import Foundation
internal import Testing
@testable internal import ThumbturnSecurity

/// SECITEM.md §5.1, 10: a certificate and the private key with the same hash of the public key.
@Suite("Identities")
struct IdentityTests {
  private let certificate: [String: Any] = [
    "class": "cert", "issr": Data("issuer".utf8), "slnr": Data([1]), "pkhh": Data([9]), "labl": "Leaf One",
    "v_Data": Data("certificate".utf8),
  ]
  private let key: [String: Any] = [
    "class": "keys", "kcls": kSecAttrKeyClassPrivate, "klbl": Data([9]), "priv": 1, "type": "73", "atag": "tag",
    "v_Data": Data("private".utf8),
  ]
  private let keychain = TestKeychain(.vault)

  private func add(_ item: [String: Any], _ more: [String: Any] = [:]) {
    #expect(keychain.add(item.merging(more) { $1 }).status == 0)
  }
  private func find(_ query: [String: Any] = [:]) -> (status: OSStatus, value: Any?) {
    keychain.find(query.merging(["class": "idnt"]) { $1 })
  }
  private func count(_ itemClass: String) -> Int {
    let query: [String: Any] = [
      "class": itemClass, "sync": "syna", "m_Limit": "m_LimitAll", "r_PersistentRef": true,
    ]
    return (keychain.find(query).value as? [Data])?.count ?? 0
  }

  @Test("are there when both halves are")
  func halves() {
    add(certificate)
    #expect(find().status == errSecItemNotFound)
    add(key, ["klbl": Data([8])])
    #expect(find().status == errSecItemNotFound, "a key of another pair")
    add(key, ["kcls": kSecAttrKeyClassPublic])
    #expect(find().status == errSecItemNotFound, "Apple marks public keys as private too")
    add(key, ["priv": 0])
    #expect(find().status == errSecItemNotFound)
    add(key, ["atag": "other"])
    #expect(find().status == 0)
  }

  @Test("need a hash: two absent ones are no pair")
  func hash() {
    add(certificate.filter { $0.key != "pkhh" })
    add(key.filter { $0.key != "klbl" })
    #expect(find().status == errSecItemNotFound)
  }

  @Test("have the attributes of both, the secret of the key and the certificate's reference")
  func shapes() {
    add(certificate)
    add(key)
    let found = find(["r_Attributes": true, "r_Data": true, "r_PersistentRef": true]).value as? [String: Any]
    #expect(found?["issr"] as? Data == Data("issuer".utf8))
    #expect(found?["atag"] as? String == "tag")
    #expect(found?["labl"] as? String == "Leaf One")
    #expect(found?["pdmn"] as? String == "dk", "the certificate's")
    #expect(found?["v_Data"] as? Data == Data("private".utf8))
    #expect(found?["certdata"] as? Data == Data("certificate".utf8))
    #expect(find(["r_Data": true]).value as? Data == Data("private".utf8))
    let certificate = keychain.find(["class": "cert", "r_PersistentRef": true]).value as? Data
    let reference = find(["r_PersistentRef": true]).value as? Data
    #expect(reference?.prefix(4) == Data("idnt".utf8) && reference?.dropFirst(4) == certificate?.dropFirst(4))
    #expect(keychain.find(["v_PersistentRef": reference as Any]).status == 0)
    #expect(find(["r_Attributes": true]).value as? [String: Any] != nil)
    #expect((find(["r_Attributes": true]).value as? [String: Any])?["certdata"] == nil)
  }

  @Test("are found by label, issuer, serial number and key identifier of the certificate, else by the key")
  func queries() {
    add(certificate, ["skid": Data([4]), "subj": Data([5])])
    add(key, ["labl": "the key's own"])
    for query in [
      ["labl": "Leaf One"], ["issr": Data("issuer".utf8)], ["slnr": Data([1])], ["skid": Data([4])],
      ["subj": Data([5])], ["pkhh": Data([9])], ["klbl": Data([9])], ["atag": "tag"], ["type": "73"], ["kcls": 1],
      ["pdmn": "ak"],
    ] as [[String: Any]] {
      #expect(find(query).status == 0, "\(query)")
    }
    for query in [
      ["labl": "the key's own"], ["issr": Data()], ["atag": "other"], ["type": "42"], ["kcls": 0], ["priv": 0],
      ["pdmn": "dk"], ["klbl": Data([8])], ["pkhh": Data([8])], ["sync": true],
    ] as [[String: Any]] {
      #expect(find(query).status == errSecItemNotFound, "\(query)")
    }
    #expect(find(["acct": "a"]).status == errSecNoSuchAttr)
  }

  @Test("come in the order of the certificates, up to the limit")
  func order() {
    for number in 0..<4 {
      add(certificate, ["slnr": Data([UInt8(number)]), "labl": "\(number)"])
    }
    add(key)
    func labels(_ limit: Any) -> [String]? {
      (find(["m_Limit": limit, "r_Attributes": true]).value as? [[String: Any]])?.compactMap { $0["labl"] as? String }
    }
    #expect(labels("m_LimitAll") == ["0", "1", "2", "3"])
    #expect(labels(2) == ["0", "1"])
  }

  @Test("need both halves in the groups of the caller, and a named group for the key")
  func groups() {
    add(certificate, ["agrp": "G1"])
    add(key, ["agrp": "G2"])
    #expect(find().status == 0)
    #expect(find(["agrp": "G2"]).status == 0)
    #expect(find(["agrp": "G1"]).status == errSecItemNotFound)
    #expect(find(["agrp": "GX"]).status == errSecMissingEntitlement)
    for group in ["G1", "G2"] {
      #expect(TestKeychain(keychain.calls.backend, groups: [group]).find(["class": "idnt"]).status == -25300)
    }
  }

  @Test("cannot be added from attributes, and have no one secret to change")
  func refused() {
    #expect(keychain.add(["class": "idnt", "labl": "x"]).status == errSecParam)
    add(certificate)
    add(key)
    #expect(keychain.update(["class": "idnt"], ["v_Data": Data()]) == errSecParam)
    #expect(find(["r_Ref": true]).status == errSecUnimplemented, "there is no object for them yet")
    #expect(keychain.update(["class": "idnt"], ["acct": "a"]) == errSecNoSuchAttr)
  }

  @Test("are changed in both halves, or not at all")
  func update() {
    add(certificate)
    add(certificate, ["slnr": Data([2])])
    add(key)
    #expect(keychain.update(["class": "idnt"], ["labl": "new", "cenc": 3, "sign": true]) == 0)
    #expect(keychain.find(["class": "cert", "labl": "new", "cenc": 3, "slnr": Data([1])]).status == 0)
    #expect(keychain.find(["class": "cert", "labl": "new", "cenc": 3, "slnr": Data([2])]).status == 0)
    #expect(keychain.find(["class": "keys", "labl": "new", "sign": 1]).status == 0)
    #expect(keychain.update(["class": "idnt"], ["labl": "never", "slnr": Data([3])]) == errSecDuplicateItem)
    #expect(keychain.find(["class": "cert", "labl": "never"]).status == errSecItemNotFound)
    #expect(keychain.update(["class": "idnt", "labl": "none"], ["labl": "x"]) == errSecItemNotFound)
  }

  @Test("go with their halves; a key that another certificate needs stays, and so does what is no half")
  func delete() {
    add(certificate)
    add(certificate, ["slnr": Data([2]), "labl": "Leaf Two"])
    add(certificate, ["slnr": Data([3]), "pkhh": Data([7])])
    add(key)
    add(key, ["kcls": kSecAttrKeyClassPublic])
    let reference = find(["r_PersistentRef": true]).value
    #expect(keychain.delete(["v_PersistentRef": reference as Any]) == 0)
    #expect(count("cert") == 2 && count("keys") == 2)
    #expect(keychain.delete(["class": "idnt", "labl": "Leaf One"]) == errSecItemNotFound)
    #expect(keychain.delete(["class": "idnt"]) == 0)
    #expect(count("cert") == 1 && count("keys") == 1)
    #expect(keychain.delete(["class": "idnt"]) == errSecItemNotFound)
  }
}
