internal import Foundation
internal import TestFixtures
internal import Testing
internal import ThumbturnCrypto

@testable internal import ThumbturnVault

/// What a creator that was killed leaves behind, at each of its steps (VAULT.md §2).
@Suite("Creating a vault")
struct CreationTests {
  private func make(_ home: TemporaryHome) throws {
    let vault = Vault(location: home.location)
    try vault.write(mayCreate: true) { (_) throws(VaultError) in }
    vault.close()
  }

  private func isWhole(_ home: TemporaryHome) throws -> Bool {
    let vault = try home.names(in: home.location.vaultFolder)
    let device = try home.names(in: home.location.deviceFolder)
    return vault.filter { !$0.hasSuffix(".lock") }.count == 2 && vault.contains("keybag") && device.count == 1
  }

  private func path(_ home: TemporaryHome, _ name: String) -> String { home.location.vaultFolder + "/" + name }

  /// The umask is the process's, so each runs in a process of its own.
  @Test("makes one keybag, one database, one device key")
  func fresh() async throws {
    await #expect(processExitsWith: .success) { try CreationTests.makeUnder(mask: 0o000) }
    await #expect(processExitsWith: .success) { try CreationTests.makeUnder(mask: 0o777) }
  }

  private static func makeUnder(mask: mode_t) throws {
    let home = try TemporaryHome()
    _ = umask(mask)
    try Vault(location: home.location).write(mayCreate: true) { (_) throws(VaultError) in }
    for folder in [home.location.vaultFolder, home.location.deviceFolder] {
      let facts = try FileManager.default.attributesOfItem(atPath: folder)
      try #require(facts[.posixPermissions] as? Int == 0o700)
      for name in try home.names(in: folder) {
        let facts = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
        try #require(facts[.posixPermissions] as? Int == 0o600, "\(name)")
      }
    }
  }

  @Test("killed before the keybag had its name: there is no vault yet; the next creator finishes, with the same keys")
  func finishes() throws {
    let home = try TemporaryHome()
    try make(home)
    let before = try home.files()
    try FileManager.default.moveItem(atPath: path(home, "keybag"), toPath: path(home, "keybag.new"))
    let vault = Vault(location: home.location)
    #expect(throws: VaultError(.noVault, "")) { try vault.read { (_) throws(VaultError) in } }
    #expect(try !vault.status().isPresent)
    try make(home)
    #expect(try isWhole(home))
    #expect(try home.files()["vault/keybag"] == before["vault/keybag"])
  }

  @Test("a database with records whose keybag has only its second name, or that nobody announced, is no missing vault")
  func recordsWithoutKeybag() throws {
    let home = try TemporaryHome()
    let vault = Vault(location: home.location)
    try vault.write(mayCreate: true) { (writer) throws(VaultError) in try LockTests.insertOne(writer) }
    vault.close()
    try FileManager.default.moveItem(atPath: path(home, "keybag"), toPath: path(home, "keybag.new"))
    #expect(throws: VaultError(.missing, "")) { try vault.read { (_) throws(VaultError) in } }
    try FileManager.default.removeItem(atPath: path(home, "keybag.new"))
    #expect(throws: VaultError(.missing, "")) { try vault.read { (_) throws(VaultError) in } }
  }

  @Test("killed between the keybag's two names: the vault is there, and the next writer removes the second name")
  func twoNames() throws {
    let home = try TemporaryHome()
    try make(home)
    try FileManager.default.linkItem(atPath: path(home, "keybag"), toPath: path(home, "keybag.new"))
    try make(home)
    #expect(try isWhole(home))
  }

  /// An announcement without wraps, as it stands before the device key is made.
  private func announce(_ home: TemporaryHome) throws -> (keybag: Keybag, parents: SharedSecret) {
    let folder = try Folder.make(home.location.vaultFolder, part: .vaultFolder)
    let parents = try ParentKeys.random()
    let keybag = Keybag(
      vaultID: try Identifier.random(), number: 1, id: try Identifier.random(), predecessor: .none,
      deviceKeyID: try Identifier.random(), keySetID: try Identifier.random(), wraps: [], dead: [])
    let file = try keybag.file(under: parents)
    try folder.write(file.span, to: Keybag.newFileName, as: .keybag)
    return (keybag, SharedSecret(try SecretBytes(copying: parents.deviceKey.bytes)))
  }

  @Test("killed after the announcement: nothing of it stays")
  func announcementOnly() throws {
    let home = try TemporaryHome()
    _ = try announce(home)
    try make(home)
    #expect(try isWhole(home))
  }

  @Test(
    "killed after the device key, with and without a half-made database: nothing of either stays",
    arguments: [
      [], [".new"], [".new", ".new-journal"], [".new", ".new-wal", ".new-shm"],
    ] as [[String]])
  func deviceKeyMade(suffixes: [String]) throws {
    let home = try TemporaryHome()
    let (keybag, key) = try announce(home)
    let device = try Folder.make(home.location.deviceFolder, part: .deviceFolder)
    try key.withBytes { try DeviceKey.create(keybag.deviceKeyID, $0, in: device) }
    let folder = try #require(try Folder.open(home.location.vaultFolder, part: .vaultFolder))
    for suffix in suffixes {
      try folder.write([1, 2, 3].span, to: "vault-\(keybag.keySetID.hexadecimal)\(suffix)", as: .database)
    }
    try make(home)
    #expect(try isWhole(home))
    #expect(try home.files().keys.allSatisfy { !$0.contains(keybag.keySetID.hexadecimal) })
    // A device key is never removed: the new vault has it.
    #expect(try device.facts(of: DeviceKey.fileName(keybag.deviceKeyID)) != nil)
  }

  @Test("killed while the device key was written: its temporary file goes")
  func temporaryDeviceKey() throws {
    let home = try TemporaryHome()
    let (keybag, _) = try announce(home)
    let device = try Folder.make(home.location.deviceFolder, part: .deviceFolder)
    try device.write([1].span, to: DeviceKey.temporaryName(keybag.deviceKeyID), as: .deviceKey)
    try make(home)
    #expect(try isWhole(home))
  }

  @Test("a forged announcement removes neither database nor device key")
  func forgedAnnouncement() throws {
    let home = try TemporaryHome()
    try make(home)
    let real = try Keybag(decoding: Array(try #require(try home.files()["vault/keybag"])).span)
    let forger = try ParentKeys.random()
    var forged = real
    forged.wraps = []
    let file = try forged.file(under: forger)
    try FileManager.default.removeItem(atPath: path(home, "keybag"))
    let folder = try #require(try Folder.open(home.location.vaultFolder, part: .vaultFolder))
    try folder.write(file.span, to: Keybag.newFileName, as: .keybag)
    let before = try home.files()
    #expect(throws: VaultError(.wrongKey, "")) { try make(home) }
    #expect(try home.files() == before)
  }

  /// The announcement of a vault, as somebody may have copied it while the vault was made, in the place of its keybag.
  private func replayAnnouncement(_ home: TemporaryHome) throws {
    let whole = try #require(try home.files()["vault/keybag"])
    let bytes = Array(whole)
    var keybag = try Keybag(decoding: bytes.span)
    keybag.wraps = []
    let device = try #require(try Folder.open(home.location.deviceFolder, part: .deviceFolder))
    guard let key = try DeviceKey.read(keybag.deviceKeyID, in: device) else { throw VaultError(.missing, "no key") }
    let file = try keybag.file(under: try ParentKeys(deviceKey: key))
    try FileManager.default.removeItem(atPath: path(home, "keybag"))
    let folder = try #require(try Folder.open(home.location.vaultFolder, part: .vaultFolder))
    try folder.write(file.span, to: Keybag.newFileName, as: .keybag)
  }

  @Test("a replayed announcement removes neither a database with records nor the device key, and is no missing vault")
  func replayedAnnouncement() throws {
    let home = try TemporaryHome()
    let vault = Vault(location: home.location)
    try vault.write(mayCreate: true) { (writer) throws(VaultError) in try LockTests.insertOne(writer) }
    vault.close()
    try replayAnnouncement(home)
    let names = try home.names(in: home.location.vaultFolder)
    let device = try home.files().filter { $0.key.hasPrefix("device/") }
    #expect(throws: VaultError(.missing, "")) { try make(home) }
    #expect(throws: VaultError(.missing, "")) { try Vault(location: home.location).read { (_) throws(VaultError) in } }
    #expect(
      try home.names(in: home.location.vaultFolder).filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == names)
    #expect(try home.files().filter { $0.key.hasPrefix("device/") } == device)
  }

  @Test("killed between database and keybag: the empty database goes, the device key is used again")
  func emptyDatabase() throws {
    let home = try TemporaryHome()
    try make(home)
    let device = try home.files().filter { $0.key.hasPrefix("device/") }
    try replayAnnouncement(home)
    try make(home)
    #expect(try isWhole(home))
    #expect(try home.files().filter { $0.key.hasPrefix("device/") } == device)
  }

  @Test("a damaged announcement is named and left alone")
  func damagedAnnouncement() throws {
    let home = try TemporaryHome()
    let folder = try Folder.make(home.location.vaultFolder, part: .vaultFolder)
    try folder.write([1, 2, 3].span, to: Keybag.newFileName, as: .keybag)
    do {
      try make(home)
      Issue.record("made a vault")
    } catch let error as VaultError {
      #expect(error.code == .damaged)
      #expect(home.location.path(of: error) == path(home, "keybag.new"))
    }
  }

  @Test("16 threads and 4 openings make one vault")
  func threads() async throws {
    let home = try TemporaryHome()
    let vaults = (0..<4).map { _ in Vault(location: home.location) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<16 {
        group.addTask { try vaults[index % 4].write(mayCreate: true) { (_) throws(VaultError) in } }
      }
      try await group.waitForAll()
    }
    #expect(try isWhole(home) || home.names(in: home.location.vaultFolder).contains { $0.hasSuffix("-wal") })
    #expect(try home.names(in: home.location.deviceFolder).count == 1)
  }
}
