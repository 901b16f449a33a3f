internal import Foundation
internal import TestFixtures
internal import Testing

@testable internal import ThumbturnVault

/// What is in the way of a new vault is told before anything is made.
@Suite("The place of a new vault")
struct CreationPlaceTests {
  /// A path below `base` with `count` bytes, that is not there.
  private func path(below base: String, count: Int) -> String {
    var path = base
    while count - path.utf8.count > 101 { path += "/" + String(repeating: "n", count: 99) }
    return path + "/" + String(repeating: "m", count: count - path.utf8.count - 1)
  }

  private func make(_ location: VaultLocation) throws(VaultError) {
    try Vault(location: location).write(mayCreate: true) { (_) throws(VaultError) in }
  }

  @Test("the longest path that SQLite takes is taken, and works")
  func longestPath() throws {
    let home = try TemporaryHome()
    let folder = path(below: home.path, count: CreationPlace.vaultFolderCountMax)
    let location = VaultLocation(vaultFolder: folder, deviceFolder: home.path + "/device")
    try make(location)
    #expect(try Vault(location: location).status().isPresent)
  }

  @Test("a path one byte longer is refused, also behind a link, and nothing is made")
  func tooLong() throws {
    let home = try TemporaryHome()
    try FileManager.default.createDirectory(atPath: home.path + "/real", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: home.path + "/l", withDestinationPath: home.path + "/real")
    let real = path(below: home.path + "/real", count: CreationPlace.vaultFolderCountMax + 1)
    let linked = home.path + "/l" + real.dropFirst((home.path + "/real").count)
    #expect(linked.utf8.count < CreationPlace.vaultFolderCountMax)
    let device = path(below: home.path, count: CreationPlace.deviceFolderCountMax + 1)
    let name = home.path + "/" + String(repeating: "n", count: CreationPlace.nameCountMax + 1)
    for location in [
      VaultLocation(vaultFolder: real, deviceFolder: home.path + "/device"),
      VaultLocation(vaultFolder: linked, deviceFolder: home.path + "/device"),
      VaultLocation(vaultFolder: home.path + "/vault", deviceFolder: device),
      VaultLocation(vaultFolder: home.path + "/vault", deviceFolder: name),
      VaultLocation(vaultFolder: name, deviceFolder: home.path + "/device"),
    ] {
      #expect(throws: VaultError(.noPlace, "")) { try make(location) }
      #expect(try home.names(in: home.path) == ["l", "real"])
      #expect(try home.names(in: home.path + "/real") == [])
    }
  }

  @Test("a part of the path that is no folder is told as ever, and nothing is made")
  func notAFolder() throws {
    let home = try TemporaryHome()
    try Data().write(to: URL(fileURLWithPath: home.path + "/file"))
    #expect(throws: VaultError.self) { try make(VaultLocation(home: home.path + "/file/deeper")) }
    #expect(try home.names(in: home.path) == ["file"])
  }
}
