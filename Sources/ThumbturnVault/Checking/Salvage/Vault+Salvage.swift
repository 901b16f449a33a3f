extension Vault {
  /// Finds every record of the database that still opens, whether SQLite can read the file or not: keybag and device key
  /// are enough. Replaces the database only when `confirmed` is what it finds.
  ///
  /// The writer lock is held meanwhile, and given back before anybody is asked: first call it with nil, then with the
  /// report that was agreed to.
  ///
  /// - Parameter confirmed: What a person agreed to; nil only looks.
  /// - Returns: What was found; with ``SalvageReport/isReplaced`` when it was put in place.
  /// - Throws: ``VaultError/Code/noVault``, ``VaultError/Code/damaged`` when nothing in the file opens, ``VaultError/Code/writerBusy``,
  ///   ``VaultError/Code/wrongKey``, ``VaultError/Code/olderCopy``.
  package func salvage(replacing confirmed: SalvageReport?) throws(VaultError) -> SalvageReport {
    close()
    return try ForkGate.pass { () throws(VaultError) in try salvageInGate(confirmed) }
  }

  private func salvageInGate(_ confirmed: SalvageReport?) throws(VaultError) -> SalvageReport {
    guard let folder = try Folder.open(location.vaultFolder, part: .vaultFolder),
      let descriptor = try folder.open(Keybag.fileName, as: .keybag)
    else { throw VaultError(.noVault, "there is no vault yet", part: .vaultFolder) }
    let file = try KeybagFile(descriptor: descriptor)
    let seat = try Seat(folder, path: location.vaultFolder, keybag: file)
    try seat.take()
    defer { seat.give() }
    let opened = try OpenKeybag(try file.read(), devicePath: location.deviceFolder)
    let lock = try WriterLock(in: folder)
    try lock.take(Patience())
    defer { lock.give() }
    guard try lock.isCurrent(in: folder), try seat.isCurrent() else {
      throw VaultError(.writerBusy, "the vault was exchanged meanwhile", part: .vaultFolder)
    }
    do throws(VaultError) { return try salvage(opened, folder, replacing: confirmed) } catch {
      throw error.naming(opened.keybag.databaseName)
    }
  }

  private func salvage(
    _ opened: OpenKeybag, _ folder: Folder, replacing confirmed: SalvageReport?
  ) throws(VaultError) -> SalvageReport {
    let keybag = opened.keybag
    guard keybag.format.isWritable else { throw VaultError(.readOnly, "the vault has a newer format", part: .keybag) }
    if try SalvageFiles.isUnfinished(keybag, in: folder) {
      try SalvageFiles.checkUnfinished(keybag, try RecordKeys(opened.keys, keybag), in: folder)
      var report = SalvageReport()
      try exchange(keybag, folder, &report)
      return report
    }
    let name = keybag.databaseName
    try DatabaseFile.check(name, in: folder)
    let log = try folder.open(name + "-wal", as: .database)
    let source = try PageSource(
      try Connection(path: try folder.resolvedPath() + "/" + name, .normal),
      log: try log.map { (descriptor) throws(VaultError) in try LogFile(descriptor) })
    let salvage = try Salvage(source, try RecordKeys(opened.keys, keybag))
    try salvage.header?.check(against: keybag, salvage.keys)
    guard salvage.header != nil || !salvage.winners.isEmpty else {
      throw VaultError(.damaged, "nothing in it opens with the keys of this vault", part: .database)
    }
    guard let confirmed, confirmed == salvage.report else { return salvage.report }
    do throws(VaultError) {
      try SalvagedDatabase.make(salvage, keybag, in: folder)
      var report = salvage.report
      try exchange(keybag, folder, &report)
      return report
    } catch {
      SalvageFiles.discard(keybag, in: folder)
      throw error
    }
  }

  private func exchange(_ keybag: Keybag, _ folder: Folder, _ report: inout SalvageReport) throws(VaultError) {
    let kept = try SalvageFiles.exchange(keybag, in: folder)
    report.keptPath = kept.map { "\(location.vaultFolder)/\($0)" }
    report.isReplaced = true
  }
}
