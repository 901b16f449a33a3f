internal import TestFixtures
internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnKeychain
@testable internal import ThumbturnVault

@Suite("Passcode")
struct PasscodeTests {
  private func item(_ account: String, _ protection: ProtectionClass) throws -> NewItem {
    NewItem(
      .genericPassword, [.service: .text("s"), .account: .text(account)], secret: try secret("secret of \(account)"),
      protectionClass: protection)
  }

  private func fill(_ backend: LocalBackend, _ classes: [ProtectionClass] = ProtectionClass.allCases) throws {
    for protection in classes { _ = try backend.add(item(protection.code, protection), for: me) }
  }

  private func text(_ backend: LocalBackend, _ account: String) throws -> String? {
    try backend.find(query([.account: .text(account)], limit: .count(1)), for: me).first?.text
  }

  @Test("set on a vault with items keeps them, and the old files are gone")
  func set() throws {
    let scratch = try LockedScratch()
    defer { scratch.end() }
    let open = ProtectionClass.allCases.filter { $0 != .whenPasscodeSetThisDeviceOnly }
    try fill(scratch.backend, open)
    let before = try scratch.home.fileNames()
    try scratch.backend.changePasscode(from: nil, to: passcode("1234"))
    for protection in open { #expect(try text(scratch.backend, protection.code) == "secret of \(protection.code)") }
    let found = try scratch.backend.find(query(), for: me)
    #expect(found.accounts == open.map { .text($0.code) })
    let after = try scratch.home.fileNames()
    for name in before where name.contains("vault-") || name.contains("d0-") {
      #expect(!after.contains(name), "\(name)")
    }
    #expect(after.filter { $0.hasSuffix(".db") }.count == 1)
    #expect(after.filter { $0.contains("d0-") }.count == 1)
    #expect(try scratch.backend.status().hasPasscode)
  }

  /// Class, and whether it opens before the first unlock, unlocked, locked.
  @Test(
    "each class has its own lifetime",
    arguments: [
      (ProtectionClass.whenUnlocked, [false, true, false]), (.afterFirstUnlock, [false, true, true]),
      (.always, [true, true, true]), (.whenUnlockedThisDeviceOnly, [false, true, false]),
      (.afterFirstUnlockThisDeviceOnly, [false, true, true]), (.alwaysThisDeviceOnly, [true, true, true]),
      (.whenPasscodeSetThisDeviceOnly, [false, true, false]),
    ])
  func lifetime(protection: ProtectionClass, opens: [Bool]) throws {
    let scratch = try LockedScratch()
    defer { scratch.end() }
    try scratch.backend.changePasscode(from: nil, to: passcode("1234"))
    _ = try scratch.backend.add(item("a", protection), for: me)
    let other = scratch.another()
    defer { other.close() }
    func expect(_ isOpen: Bool, _ place: Comment) throws {
      let wanted: KeychainError.Code? = isOpen ? nil : .interactionNotAllowed
      #expect(other.code { _ = try text($0, "a") } == wanted, place)
      #expect(
        other.code { _ = try $0.add(item("a", protection), for: me) } == (isOpen ? .duplicateItem : wanted), place)
      #expect(other.code { _ = try $0.find(query(), for: me) } == wanted, place)
      var change = ItemChange([.label: .text("l")])
      change.secret = try secret("secret of a")
      #expect(other.code { try $0.update(query(), with: change, for: me) } == wanted, place)
    }
    try expect(opens[0], "before the first unlock")
    try other.unlock(passcode("1234"))
    try expect(opens[1], "unlocked")
    try other.lock()
    try expect(opens[2], "locked")
    try other.delete(query(), for: me)
    #expect(other.code { _ = try $0.find(query(), for: me) } == .itemNotFound)
  }

  @Test("a wrong passcode opens nothing, and the right one does")
  func wrong() throws {
    let scratch = try LockedScratch()
    defer { scratch.end() }
    try scratch.backend.changePasscode(from: nil, to: passcode("1234"))
    try fill(scratch.backend)
    let other = scratch.another()
    defer { other.close() }
    #expect(other.vaultCode { try $0.unlock(passcode("1235")) } == .wrongPasscode)
    #expect(other.code { _ = try text($0, "ak") } == .interactionNotAllowed)
    #expect(try other.status().failedAttempts == 1)
    try other.unlock(passcode("1234"))
    #expect(try text(other, "akpu") == "secret of akpu")
    #expect(try other.status().failedAttempts == 0)
  }

  @Test("change: the old passcode opens nothing, the new one everything")
  func change() throws {
    for rotates in [false, true] {
      let scratch = try LockedScratch()
      defer { scratch.end() }
      try scratch.backend.changePasscode(from: nil, to: passcode("old"))
      try fill(scratch.backend)
      let database = try scratch.home.fileNames().filter { $0.hasSuffix(".db") }
      try scratch.backend.changePasscode(from: passcode("old"), to: passcode("new"), rotates: rotates)
      #expect((try scratch.home.fileNames().filter { $0.hasSuffix(".db") } != database) == rotates)
      let other = scratch.another()
      defer { other.close() }
      #expect(other.vaultCode { try $0.unlock(passcode("old")) } == .wrongPasscode)
      try other.unlock(passcode("new"))
      for protection in ProtectionClass.allCases {
        #expect(try text(other, protection.code) == "secret of \(protection.code)")
      }
      #expect(try other.check().isClean)
    }
  }

  @Test("remove: what needs a passcode is gone, also after the next one is set, the rest is open to all")
  func remove() throws {
    for rotates in [false, true] {
      let scratch = try LockedScratch()
      defer { scratch.end() }
      try scratch.backend.changePasscode(from: nil, to: passcode("1234"))
      try fill(scratch.backend)
      try scratch.backend.changePasscode(from: passcode("1234"), to: nil, rotates: rotates)
      let other = scratch.another()
      defer { other.close() }
      #expect(other.code { _ = try text($0, "akpu") } == .itemNotFound)
      #expect(
        other.code { _ = try $0.add(item("x", .whenPasscodeSetThisDeviceOnly), for: me) } == .authenticationFailed)
      #expect(try text(other, "ak") == "secret of ak")
      #expect(try other.check().isClean)
      #expect(try other.status().itemCount == 6)
      try other.changePasscode(from: nil, to: passcode("5678"))
      #expect(other.code { _ = try text($0, "akpu") } == .itemNotFound)
      _ = try other.add(item("akpu", .whenPasscodeSetThisDeviceOnly), for: me)
      #expect(try text(other, "akpu") == "secret of akpu")
    }
  }

  @Test("remove, stopped before the records are deleted: a check leaves them to the next writer, who deletes them")
  func removeHalfDone() throws {
    let scratch = try LockedScratch()
    defer { scratch.end() }
    try scratch.backend.changePasscode(from: nil, to: passcode("1234"))
    try fill(scratch.backend)
    scratch.backend.close()
    let database = try #require(try scratch.home.fileNames().first { $0.hasSuffix(".db") })
    let before = try scratch.home.read(database)
    try scratch.backend.changePasscode(from: passcode("1234"), to: nil)
    scratch.backend.close()
    try scratch.home.write(database, before)
    let other = scratch.another()
    defer { other.close() }
    let report = try other.check()
    #expect(report.findings.isEmpty && report.movedCount == 0, "\(report.findings)")
    #expect(other.code { _ = try text($0, "akpu") } == .itemNotFound)
    _ = try other.add(item("more", .whenUnlocked), for: me)
    #expect(try other.status().itemCount == 7)
    #expect(try other.check().findings.isEmpty)
    #expect(try !scratch.home.fileNames().contains { $0.contains("quarantine") })
    try other.changePasscode(from: nil, to: passcode("5678"))
  }

  @Test("two exchanges of the keybag after one whose second half was not made: the vault opens")
  func unfinishedTwice() throws {
    let scratch = try LockedScratch()
    defer { scratch.end() }
    try scratch.backend.changePasscode(from: nil, to: passcode("1"))
    _ = try scratch.backend.add(item("ak", .whenUnlocked), for: me)
    scratch.backend.close()
    let name = try #require(try scratch.home.fileNames().first { $0.hasSuffix(".db") })
    let database = try scratch.home.read(name)
    try scratch.backend.changePasscode(from: passcode("1"), to: passcode("2"))
    scratch.backend.close()
    // As if who changed it had been killed between the keybag and the transaction.
    try scratch.home.write(name, database)
    let other = scratch.another()
    defer { other.close() }
    try other.changePasscode(from: passcode("2"), to: passcode("3"))
    try other.unlock(passcode("3"))
    #expect(try text(other, "ak") == "secret of ak")
    other.close()
    try scratch.home.write(name, try scratch.home.read(name))
    let last = scratch.another()
    defer { last.close() }
    try last.setLockSettings(LockSettings(), passcode("3"))
    try last.changePasscode(from: passcode("3"), to: nil)
    #expect(try text(scratch.another(), "ak") == "secret of ak")
  }

  @Test("a keybag that never took its place is gone after the next write, and after the next unlock")
  func unfinished() throws {
    let scratch = try LockedScratch()
    defer { scratch.end() }
    try scratch.backend.changePasscode(from: nil, to: passcode("1234"))
    scratch.backend.close()
    let file = "vault/\(Keybag.nextFileName)"
    try scratch.home.write(file, [1, 2, 3])
    _ = try scratch.another().add(item("dk", .always), for: me)
    #expect(try !scratch.home.fileNames().contains(file))
    try scratch.home.write(file, [1, 2, 3])
    let other = scratch.another()
    defer { other.close() }
    try other.unlock(passcode("1234"))
    #expect(try !scratch.home.fileNames().contains(file))
    #expect(try text(other, "dk") == "secret of dk")
  }

  @Test("without the present passcode, or with one where none is set, nothing changes")
  func refusals() throws {
    let scratch = try LockedScratch()
    defer { scratch.end() }
    try fill(scratch.backend, [.whenUnlocked])
    #expect(scratch.backend.vaultCode { try $0.unlock(passcode("1")) } == .noPasscode)
    #expect(scratch.backend.vaultCode { try $0.lock() } == .noPasscode)
    #expect(scratch.backend.vaultCode { try $0.changePasscode(from: passcode("1"), to: passcode("2")) } == .noPasscode)
    #expect(scratch.backend.vaultCode { try $0.changePasscode(from: passcode("1"), to: nil) } == .noPasscode)
    try scratch.backend.changePasscode(from: nil, to: passcode("1"))
    #expect(scratch.backend.vaultCode { try $0.changePasscode(from: nil, to: passcode("2")) } == .passcodeIsSet)
    #expect(scratch.backend.vaultCode { try $0.changePasscode(from: nil, to: nil) } == .passcodeIsSet)
    #expect(scratch.backend.vaultCode { try $0.changePasscode(from: passcode("2"), to: nil) } == .wrongPasscode)
    #expect(try text(scratch.backend, "ak") == "secret of ak")
  }

  @Test("a passcode has 1 to 1,024 bytes")
  func sizes() throws {
    for count in [1, 1_024] { _ = try Passcode(secret([UInt8](repeating: 7, count: count))) }
    for count in [0, 1_025] {
      #expect(throws: VaultError(.tooLarge, "")) { _ = try Passcode(secret([UInt8](repeating: 7, count: count))) }
    }
  }

  @Test("after the passcode was set, an older keybag with its device key opens nothing that is there")
  func olderKeybag() throws {
    let scratch = try LockedScratch()
    defer { scratch.end() }
    try fill(scratch.backend, [.whenUnlocked, .always])
    scratch.backend.close()
    let keybag = try scratch.home.read("vault/keybag")
    let deviceName = try #require(try scratch.home.fileNames().first { $0.contains("device/d0-") })
    let deviceKey = try scratch.home.read(deviceName)
    try scratch.backend.changePasscode(from: nil, to: passcode("1234"))
    scratch.backend.close()
    try scratch.home.write("vault/keybag", keybag)
    try scratch.home.write(deviceName, deviceKey)
    let thief = scratch.another()
    defer { thief.close() }
    #expect(thief.vaultCode { _ = try $0.find(query(), for: me) } == .missing)
    #expect(thief.vaultCode { try $0.unlock(passcode("1234")) } == .noPasscode)
  }

  @Test("another process that has the vault open sees the exchange: it goes on with the new passcode")
  func otherProcess() throws {
    let scratch = try LockedScratch()
    defer { scratch.end() }
    try fill(scratch.backend, [.whenUnlocked, .always])
    let other = scratch.another()
    defer { other.close() }
    #expect(try text(other, "ak") == "secret of ak")
    try scratch.backend.changePasscode(from: nil, to: passcode("1234"))
    #expect(other.code { _ = try text($0, "ak") } == .interactionNotAllowed)
    #expect(try text(other, "dk") == "secret of dk")
    try other.unlock(passcode("1234"))
    try scratch.backend.changePasscode(from: passcode("1234"), to: passcode("5678"))
    #expect(try text(other, "ak") == "secret of ak")
    try scratch.backend.changePasscode(from: passcode("5678"), to: passcode("9"), rotates: true)
    #expect(other.code { _ = try text($0, "ak") } == .interactionNotAllowed)
  }

  @Test("records that are damaged stop a rotation before anything is exchanged")
  func damaged() throws {
    let scratch = try LockedScratch()
    defer { scratch.end() }
    try fill(scratch.backend, [.whenUnlocked, .always])
    scratch.backend.close()
    try Rows(scratch.home).run("UPDATE items SET meta = zeroblob(100) WHERE id = 1")
    let before = try scratch.home.fileNames()
    #expect(scratch.backend.vaultCode { try $0.changePasscode(from: nil, to: passcode("1")) } == .damaged)
    scratch.backend.close()
    #expect(try Set(scratch.home.fileNames()).subtracting(before).filter { !$0.contains("lock") } == [])
    #expect(try !scratch.another().status().hasPasscode)
  }

  @Test("large secrets and hundreds of items of every class survive a rotation byte for byte")
  func many() throws {
    let scratch = try LockedScratch()
    defer { scratch.end() }
    try scratch.backend.changePasscode(from: nil, to: passcode("1"))
    let large = [UInt8](repeating: 0xA5, count: 1_000_000)
    _ = try scratch.backend.add(
      NewItem(.genericPassword, [.account: .text("large")], secret: secret(large)), for: me)
    for index in 0..<300 {
      _ = try scratch.backend.add(password("s\(index % 7)", "a\(index)", "secret \(index)"), for: me)
    }
    let before = try scratch.backend.find(query(), for: me)
    try scratch.backend.changePasscode(from: passcode("1"), to: passcode("2"), rotates: true)
    let after = try scratch.backend.find(query(), for: me)
    #expect(after.map(\.reference) == before.map(\.reference))
    #expect(after.map(\.attributes) == before.map(\.attributes))
    #expect(after.map(\.text) == before.map(\.text))
    #expect(try scratch.backend.find(query([.service: .text("s3")]), for: me).count == 43)
    #expect(try scratch.backend.check().isClean)
  }
}
