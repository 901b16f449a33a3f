internal import Foundation
internal import TestFixtures
internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

/// What somebody without the passcode does to the files, and by which name it is refused.
@Suite("Tampering with a vault that has a passcode")
struct PasscodeTamperTests {
  private func scratch() throws -> LockedScratch {
    let scratch = try LockedScratch()
    try scratch.backend.changePasscode(from: nil, to: passcode("1234"))
    for protection in ProtectionClass.allCases {
      _ = try scratch.backend.add(
        NewItem(
          .genericPassword, [.account: .text(protection.code)], secret: try secret(protection.code),
          protectionClass: protection), for: me)
    }
    scratch.backend.close()
    return scratch
  }

  /// The keybag with another content and a MAC that fits: what a thief with the device key can make.
  private func forge(_ scratch: LockedScratch, _ change: (inout Keybag) -> Void) throws {
    let bytes = try scratch.home.read("vault/keybag")
    let verified = try VerifiedKeybag(bytes, devicePath: scratch.home.location.deviceFolder)
    var keybag = verified.keybag
    change(&keybag)
    let file = try keybag.file(under: ParentKeys(lockedDeviceKey: try verified.copyOfDeviceKey()))
    try scratch.home.write("vault/keybag", file)
  }

  private func unlockCode(_ scratch: LockedScratch) throws -> VaultError.Code? {
    let other = scratch.another()
    defer { other.close() }
    return other.vaultCode {
      try $0.unlock(passcode("1234"))
      _ = try $0.find(query(), for: me)
    }
  }

  @Test(
    "swapped class-key blobs open nothing, also with a MAC that fits", arguments: [(6, 9), (7, 10), (6, 12), (12, 36)])
  func swappedWraps(first: UInt8, second: UInt8) throws {
    let scratch = try scratch()
    defer { scratch.end() }
    try forge(scratch) { keybag in
      keybag.wraps = keybag.wraps.map { wrap in
        let role = wrap.role.rawValue == first ? second : wrap.role.rawValue == second ? first : wrap.role.rawValue
        return Keybag.Wrap(role: KeyRole(rawValue: role) ?? wrap.role, bytes: wrap.bytes)
      }.sorted { $0.role.rawValue < $1.role.rawValue }
    }
    #expect(try unlockCode(scratch) == .wrongPasscode)
  }

  @Test("any bit of the derivation edited, without a MAC that fits: refused")
  func editedParameters() throws {
    let scratch = try scratch()
    defer { scratch.end() }
    let bytes = try scratch.home.read("vault/keybag")
    let keybag = try Keybag(decoding: bytes.span)
    let derivation = PasscodeDerivation.encoded(keybag.derivation)
    let start = try #require((0..<(bytes.count - 29)).first { Array(bytes[$0..<($0 + 29)]) == derivation })
    for bit in stride(from: 0, to: 29 * 8, by: 3) {
      var edited = bytes
      edited[start + bit / 8] ^= 1 << UInt8(bit % 8)
      try scratch.home.write("vault/keybag", edited)
      let code = try unlockCode(scratch)
      #expect([.wrongKey, .damaged, .newerFormat].contains(code), "bit \(bit): \(String(describing: code))")
    }
  }

  /// Memory in KiB and passes: too little would make guesses cheap, too much would take the machine.
  @Test(
    "a cost outside its limits is refused before anything is derived, also with a MAC that fits",
    arguments: [(65_535, 3), (65_536, 2), (1_048_577, 3), (65_536, 11), (0, 0), (UInt32.max, UInt32.max)])
  func costs(memoryKiB: UInt32, passes: UInt32) throws {
    var bytes = [UInt8](repeating: 0, count: PasscodeDerivation.count)
    bytes[0] = 1
    for (at, number) in [(1, memoryKiB), (5, passes), (9, 1)] {
      for index in 0..<4 { bytes[at + index] = UInt8(truncatingIfNeeded: number >> UInt32(8 * index)) }
    }
    #expect(throws: VaultError(.damaged, "")) { _ = try PasscodeDerivation.decode(bytes.span) }
    let least = PasscodeDerivation.costMin
    #expect(PasscodeDerivation.isAllowed(least) && PasscodeDerivation.isAllowed(PasscodeDerivation.costMax))
  }

  @Test("a salt that was edited, with a MAC that fits, is another passcode's")
  func editedSalt() throws {
    let scratch = try scratch()
    defer { scratch.end() }
    try forge(scratch) { keybag in keybag.derivation = (try? PasscodeDerivation(PasscodeDerivation.costMin)) }
    #expect(try unlockCode(scratch) == .wrongPasscode)
  }

  @Test("the derivation taken away, with a MAC that fits: the keys do not open without the passcode")
  func removedDerivation() throws {
    let scratch = try scratch()
    defer { scratch.end() }
    try forge(scratch) { $0.derivation = nil }
    let other = scratch.another()
    defer { other.close() }
    #expect(other.vaultCode { _ = try $0.find(query(), for: me) } == .wrongKey)
  }

  @Test("an older keybag beside a newer database is an older copy; accepting it takes the passcode")
  func olderKeybag() throws {
    let scratch = try scratch()
    defer { scratch.end() }
    let old = try scratch.home.read("vault/keybag")
    for text in ["5678", "9"] {
      try scratch.backend.changePasscode(from: passcode(text == "5678" ? "1234" : "5678"), to: passcode(text))
    }
    scratch.backend.close()
    try scratch.home.write("vault/keybag", old)
    let other = scratch.another()
    defer { other.close() }
    #expect(other.vaultCode { _ = try $0.find(query([.account: .text("dk")]), for: me) } == .olderCopy)
    #expect(other.vaultCode { _ = try $0.add(password("s", "a"), for: me) } == .olderCopy)
    #expect(other.vaultCode { try $0.acceptOlder(nil) } == .passcodeIsSet)
    #expect(other.vaultCode { try $0.acceptOlder(passcode("9")) } == .wrongPasscode)
    #expect(other.vaultCode { _ = try $0.find(query([.account: .text("dk")]), for: me) } == .olderCopy)
    try other.acceptOlder(passcode("1234"))
    try other.unlock(passcode("1234"))
    #expect(try other.find(query(), for: me).count == 7)
    _ = try other.add(password("s", "a"), for: me)
    #expect(try other.check().isClean)
  }

  @Test("an older database under a newer keybag is an older copy; it can be accepted")
  func olderDatabase() throws {
    let scratch = try scratch()
    defer { scratch.end() }
    let name = try #require(try scratch.home.fileNames().first { $0.hasSuffix(".db") })
    let old = try scratch.home.read(name)
    for text in ["5678", "9"] {
      try scratch.backend.changePasscode(from: passcode(text == "5678" ? "1234" : "5678"), to: passcode(text))
    }
    scratch.backend.close()
    try scratch.home.write(name, old)
    let other = scratch.another()
    defer { other.close() }
    #expect(other.vaultCode { _ = try $0.find(query([.account: .text("dk")]), for: me) } == .olderCopy)
    try other.acceptOlder(passcode("9"))
    try other.unlock(passcode("9"))
    #expect(try other.find(query(), for: me).count == 7)
  }

  @Test(
    "swapped rows and edited columns never answer for another",
    arguments: [
      "UPDATE items SET (meta, secret, ver, tags) = (SELECT meta, secret, ver, tags FROM items WHERE id = 2) WHERE id = 1",
      "UPDATE items SET class = 8 WHERE id = 1", "UPDATE items SET class = 9 WHERE id = 1",
      "UPDATE items SET secret = (SELECT secret FROM items WHERE id = 4) WHERE id = 1",
      "UPDATE items SET pk = (SELECT pk FROM items WHERE id = 7) || x'' WHERE id = 8",
    ])
  func editedRows(sql: String) throws {
    let scratch = try scratch()
    defer { scratch.end() }
    _ = try? Rows(scratch.home).run(sql)
    let other = scratch.another()
    defer { other.close() }
    try other.unlock(passcode("1234"))
    for item in try other.find(query(), for: me) {
      #expect(item.attributes[.account] == item.text.map { .text($0) })
    }
  }

  @Test("settings stand under the MAC")
  func settings() throws {
    let scratch = try scratch()
    defer { scratch.end() }
    var settings = LockSettings()
    #expect(try scratch.backend.status().settings == settings)
    settings.graceSeconds = 30
    settings.idleSeconds = 0
    try scratch.backend.setLockSettings(settings, passcode("1234"))
    #expect(try scratch.another().status().settings == settings)
    var wrong = settings
    wrong.graceSeconds = LockSettings.graceSecondsMax + 1
    #expect(scratch.backend.vaultCode { try $0.setLockSettings(wrong, passcode("1234")) } == .tooLarge)
    #expect(scratch.backend.vaultCode { try $0.setLockSettings(settings, passcode("1")) } == .wrongPasscode)
    #expect(scratch.backend.vaultCode { try $0.setLockSettings(settings, nil) } == .passcodeIsSet)
  }
}
