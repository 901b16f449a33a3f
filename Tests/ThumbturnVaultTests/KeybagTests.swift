internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnVault

@Suite("Keybag")
struct KeybagTests {
  private func makeFile(under parents: borrowing ParentKeys) throws -> (file: [UInt8], keybag: Keybag) {
    let keySet = try KeySet.random()
    let keybag = Keybag(
      vaultID: try Identifier.random(), number: 3, id: try Identifier.random(), predecessor: try Identifier.random(),
      deviceKeyID: try Identifier.random(), keySetID: keySet.id, wraps: try keySet.wraps(under: parents),
      dead: [.whenPasscodeSetThisDeviceOnly], removals: ["vault-x.db", "d0-y"])
    return (try keybag.file(under: parents), keybag)
  }

  private func isAuthentic(_ file: [UInt8], _ keybag: Keybag, _ parents: borrowing ParentKeys) throws -> Bool {
    let cut = file.count - Keybag.macCount
    return try Keybag.verify(
      file.span.extracting(0..<cut), mac: file.span.extracting(cut..<file.count), vault: keybag.vaultID, under: parents)
  }

  @Test("reads what it wrote")
  func roundTrip() throws {
    let parents = try ParentKeys.random()
    let (file, keybag) = try makeFile(under: parents)
    let read = try Keybag(decoding: file.span)
    #expect(read == keybag)
    #expect(try isAuthentic(file, read, parents))
    #expect(read.wraps.count == 10)
    #expect(read.databaseName == "vault-\(keybag.keySetID.hexadecimal).db")
  }

  @Test("any bit changed: refused by its form or by its MAC")
  func changedBits() throws {
    let parents = try ParentKeys.random()
    var (file, keybag) = try makeFile(under: parents)
    for bit in 0..<(file.count * 8) {
      file[bit / 8] ^= 1 << UInt8(bit % 8)
      if (try? Keybag(decoding: file.span)) != nil {
        #expect(try !isAuthentic(file, keybag, parents), "bit \(bit)")
      }
      file[bit / 8] ^= 1 << UInt8(bit % 8)
    }
    #expect(try isAuthentic(file, keybag, parents))
  }

  @Test("cut to any length, or with a byte more: refused")
  func otherLengths() throws {
    let parents = try ParentKeys.random()
    let (file, keybag) = try makeFile(under: parents)
    for count in 0..<file.count {
      let cut = Array(file.prefix(count))
      if (try? Keybag(decoding: cut.span)) != nil { #expect(try !isAuthentic(cut, keybag, parents)) }
    }
    let long = file + [0]
    if (try? Keybag(decoding: long.span)) != nil { #expect(try !isAuthentic(long, keybag, parents)) }
  }

  @Test("another device key does not authenticate it")
  func foreignDeviceKey() throws {
    let parents = try ParentKeys.random()
    let (file, keybag) = try makeFile(under: parents)
    let others = try ParentKeys.random()
    #expect(try !isAuthentic(file, keybag, others))
  }

  @Test("keys come back, and no wrap opens in another role's place")
  func keySet() throws {
    let parents = try ParentKeys.random()
    let (_, keybag) = try makeFile(under: parents)
    let keys = try KeySet.open(keybag, under: parents)
    #expect(keys.key(.policy) == nil)
    #expect(keys.key(.protection(.whenPasscodeSetThisDeviceOnly)) == nil)
    #expect(keys.key(.protection(.whenUnlocked)) != nil)
    var swapped = keybag
    swapped.wraps[0] = .init(role: keybag.wraps[0].role, bytes: keybag.wraps[1].bytes)
    #expect(throws: CryptoError.mismatch) { _ = try KeySet.open(swapped, under: parents) }
    var moved = keybag
    moved.keySetID = try Identifier.random()
    #expect(throws: CryptoError.mismatch) { _ = try KeySet.open(moved, under: parents) }
  }

  @Test(
    "keys that a passcode guards are wrapped under the KEK, the others under the device key",
    arguments: KeyRole.all)
  func parents(role: KeyRole) throws {
    let always: [KeyRole] = [
      .protection(.always), .protection(.alwaysThisDeviceOnly), .index, .tag, .header, .mac,
    ]
    #expect(role.needsPasscodeKey == !always.contains(role))
    #expect(KeyRole(rawValue: role.rawValue) == role)
  }

  @Test("a larger major is a newer format; a passcode is one that this version cannot ask for")
  func newerFormats() throws {
    let parents = try ParentKeys.random()
    var (file, _) = try makeFile(under: parents)
    file[8] = 2
    #expect(throws: VaultError(.newerFormat, "")) { _ = try Keybag(decoding: file.span) }
  }
}
