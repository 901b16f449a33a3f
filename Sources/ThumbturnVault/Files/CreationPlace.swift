internal import Glibc
internal import ThumbturnCrypto

/// Whether a vault can be made in a place, asked before anything is: what only shows later leaves half of one.
struct CreationPlace {
  /// Bytes of the vault folder's path, links resolved. SQLite takes 512 for a file and keeps 8 of them for the names beside
  /// it; the longest name that we give a database has 46.
  static let vaultFolderCountMax = 512 - 8 - 46 - 1
  /// Bytes of the device folder's path: what the kernel takes, less the end of the string.
  static let deviceFolderCountMax = 4_095
  /// Bytes of one name in a path: what Linux's file systems take.
  static let nameCountMax = 255
  /// What a new vault needs on the disk in bytes, twice: database, log, shared memory and keybag have some 130,000.
  static let freeBytesMin: UInt64 = 262_144

  let path: String
  let part: VaultError.Part

  /// That both folders can be made, and a vault in them.
  static func check(_ location: VaultLocation) throws(VaultError) {
    try checkProc()
    try CreationPlace(path: location.vaultFolder, part: .vaultFolder).check(countMax: vaultFolderCountMax)
    try CreationPlace(path: location.deviceFolder, part: .deviceFolder).check(countMax: deviceFolderCountMax)
  }

  /// SQLite gets paths, which we take from /proc so that no link is followed a second time.
  private static func checkProc() throws(VaultError) {
    do throws(SystemError) {
      let root = try system_openat(system_currentFolder, "/", flags: O_RDONLY | O_DIRECTORY)
      defer { system_close(root) }
      guard try system_path(of: root) == "/" else { throw SystemError.missing }
    } catch .missing {
      throw VaultError.noProc(.vaultFolder)
    } catch { throw VaultError(error, part: .vaultFolder) }
  }

  private func check(countMax: Int) throws(VaultError) {
    guard path.utf8.count <= Self.deviceFolderCountMax,
      path.split(separator: "/").allSatisfy({ $0.utf8.count <= Self.nameCountMax })
    else { throw VaultError(.noPlace, "the path is too long", part: part) }
    // What cannot be asked, the making of the first folder tells, before it makes anything.
    guard let (folder, rest) = deepestFolder() else { return }
    defer { system_close(folder) }
    do {
      let real = try system_path(of: folder)
      guard real.utf8.count + rest.utf8.count <= countMax else {
        throw VaultError(.noPlace, "the path is too long", part: part)
      }
      guard try system_freeBytes(folder) >= Self.freeBytesMin else {
        throw VaultError(.diskFull, "no space left on the disk", part: part)
      }
    } catch let error as VaultError { throw error } catch {
      throw VaultError(.inputOutput, "the folder cannot be asked", part: part)
    }
  }

  /// The deepest folder of the path that is there, open, and the rest of the path, which begins with a slash or is empty.
  private func deepestFolder() -> (Int32, rest: String)? {
    var end = path.endIndex
    while true {
      let there = path[..<end]
      do throws(SystemError) {
        // Without permission to read it: a folder that one may pass is enough.
        let flags = Int32(O_RDONLY) | O_DIRECTORY | system_pathOnly
        return (
          try system_openat(system_currentFolder, there.isEmpty ? "/" : String(there), flags: flags),
          String(path[end...])
        )
      } catch {
        guard error == .missing, let slash = there.lastIndex(of: "/") else { return nil }
        end = slash
      }
    }
  }
}

extension VaultError {
  /// The proc file system is not there.
  static func noProc(_ part: Part) -> VaultError {
    VaultError(.inputOutput, "the proc file system is not mounted at /proc", part: part)
  }
}
