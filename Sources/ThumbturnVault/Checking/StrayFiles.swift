/// Files that look like the vault's and are not named by its keybag.
enum StrayFiles {
  /// What lies in the two folders. The keybag is only asked for names: whether it is genuine is another question.
  static func find(_ location: VaultLocation, _ folder: Folder) throws(VaultError) -> [CheckFinding] {
    guard let descriptor = try folder.open(Keybag.fileName, as: .keybag) else { return [] }
    let bytes = try KeybagFile(descriptor: descriptor).read()
    let keybag = try Keybag(decoding: bytes.span)
    var findings: [CheckFinding] = []
    for name in try folder.names().sorted() where isDatabase(name) && name != keybag.databaseName {
      let path = "\(location.vaultFolder)/\(name)"
      findings.append(name.contains(SalvageFiles.keptMark) ? .keptFile(path: path) : .strayFile(path: path))
    }
    guard let device = try Folder.open(location.deviceFolder, part: .deviceFolder) else { return findings }
    for name in try device.names().sorted()
    where name.hasPrefix("d0-") && name != DeviceKey.fileName(keybag.deviceKeyID) {
      findings.append(.strayFile(path: "\(location.deviceFolder)/\(name)"))
    }
    return findings
  }

  private static func isDatabase(_ name: String) -> Bool {
    name == "reseal.tmp" || name.hasPrefix("vault-") && !["-wal", "-shm", "-journal"].contains { name.hasSuffix($0) }
  }
}
