internal import ThumbturnCrypto

extension Vault {
  /// Looks at every record, and does what `request` allows with what it finds.
  ///
  /// Reads in one snapshot and without the writer lock, so that others go on; the lock is held only while damaged records
  /// are moved, or count and sum are accepted. When the structure is damaged nothing is changed: that takes a salvage.
  ///
  /// - Parameter progress: Called now and then with the number of rows read and that of all.
  /// - Throws: ``VaultError/Code/noVault``, ``VaultError/Code/wrongKey``, ``VaultError/Code/olderCopy`` and what opening
  ///   throws, but for a database that is damaged: that is a finding.
  package func check(
    _ request: CheckRequest, progress: (Int, Int) -> Void
  ) throws(VaultError) -> CheckReport {
    var (report, damaged) = try look(progress)
    // Before anything is changed: what fails afterwards must not hide what was done.
    let strayFiles = try ForkGate.pass { () throws(VaultError) in try self.strayFiles() }
    if !report.needsSalvage {
      let isMoving = !damaged.isEmpty && request.moves
      if isMoving, !request.movesMany, !CheckReport.mayMove(damaged.count, of: report.recordCount) {
        report.awaitingCount = damaged.count
      } else if isMoving || request.accepts && !report.isClean {
        let rows = isMoving ? damaged : []
        report.movedCount = try write(mayCreate: false) { (writer) throws(VaultError) in
          let count = try writer.moveToQuarantine(rows)
          if request.accepts { try writer.acceptRows() }
          return count
        }
        report.isAccepted = request.accepts
      }
    }
    report.findings += quarantineFindings() + strayFiles
    return report
  }

  /// The check itself, which changes nothing; the row ids of the damaged records too.
  private func look(_ progress: (Int, Int) -> Void) throws(VaultError) -> (CheckReport, [Int64]) {
    do throws(VaultError) {
      return try ForkGate.pass { () throws(VaultError) in
        let vault = try sitDown(mayCreate: false, Patience())
        defer { vault.seat.give() }
        do throws(VaultError) {
          var check = RowCheck(keybag: vault.keybag)
          try check.run(try vault.makeReader(), progress)
          guard try vault.isStill() else {
            throw VaultError(.writerBusy, "the database was changed meanwhile", part: .database)
          }
          return (check.report, check.damaged)
        } catch { throw settle(error, vault) }
      }
    } catch {
      guard error.code == .damaged, error.part == .database, error.fileName?.hasSuffix("-journal") != true else {
        throw error
      }
      var report = CheckReport()
      report.findings.append(.unreadable)
      return (report, [])
    }
  }

  private func strayFiles() throws(VaultError) -> [CheckFinding] {
    guard let folder = try Folder.open(location.vaultFolder, part: .vaultFolder) else { return [] }
    return try StrayFiles.find(location, folder)
  }

  /// Never an error: whatever keeps the quarantine from being read is a finding.
  private func quarantineFindings() -> [CheckFinding] {
    do throws(VaultError) {
      let count = try ForkGate.pass { () throws(VaultError) in
        try Folder.open(location.vaultFolder, part: .vaultFolder).map { (folder) throws(VaultError) in
          try Quarantine.count(in: folder)
        }
      }
      guard let count, count > 0 else { return [] }
      return [.quarantined(count: count)]
    } catch { return [.quarantineUnreadable] }
  }
}

/// One check of a database's content, in one snapshot.
struct RowCheck {
  let keybag: Keybag
  var report = CheckReport()
  var damaged: [Int64] = []
  private var keylessCount = 0
  private var mistypedCount = 0
  /// How many rows are read between two calls of the progress.
  private static let progressCount = 1_024

  /// SQLite's own check is one step: an hour is enough for hundreds of millions of records.
  private static let integritySecondsMax: Int64 = 3_600

  init(keybag: Keybag) { self.keybag = keybag }

  mutating func run(_ reader: RecordReader, _ progress: (Int, Int) -> Void) throws(VaultError) {
    reader.connection.clock.limitSeconds = Self.integritySecondsMax
    try reader.connection.execute("BEGIN")
    defer { try? reader.connection.execute("COMMIT") }
    let header = try reader.header()
    try header.check(against: keybag, reader.keys)
    let problemCount = try Self.integrity(reader.connection)
    do throws(VaultError) {
      try scan(reader, header, progress)
      let orphanCount = try RowScan(reader.connection).orphanBlobs().count
      if orphanCount > 0 { report.findings.append(.orphanBoxes(count: orphanCount)) }
    } catch {
      guard error.code == .damaged else { throw error }
      report.findings.append(.unreadable)
    }
    if problemCount + mistypedCount > 0 {
      report.findings.append(.structureDamaged(problemCount: problemCount + mistypedCount))
    }
  }

  private mutating func scan(
    _ reader: RecordReader, _ header: FreshnessHeader, _ progress: (Int, Int) -> Void
  ) throws(VaultError) {
    var found = header
    found.sum = .init(repeating: 0)
    found.rowCount = 0
    let total = Int(clamping: header.rowCount)
    let scan = try RowScan(reader.connection)
    try scan.forEach { (row) throws(VaultError) in
      found.add(try reader.keys.leaf(of: row))
      found.rowCount += 1
      if !row.hasRightTypes { mistypedCount += 1 }
      switch try reader.keys.verdict(row) {
      case .intact: break
      case .locked: keylessCount += 1
      case .damaged: if !isAwaitingRemoval(row, header) { note(row) }
      }
      report.recordCount += 1
      if report.recordCount.isMultiple(of: Self.progressCount) { progress(report.recordCount, total) }
    }
    if report.damagedCount > CheckReport.listedCountMax {
      report.findings.append(.moreDamagedRecords(count: report.damagedCount - CheckReport.listedCountMax))
    }
    if keylessCount > 0 { report.findings.append(.lockedRecords(count: keylessCount)) }
    let sumFound = found.sum
    let sumExpected = header.sum
    if found.rowCount != header.rowCount || !sumFound.span.equals(sumExpected.span) {
      report.findings.append(
        .recordsChanged(countExpected: total, countFound: report.recordCount))
    }
  }

  /// Whether the next writer deletes a record, because the keybag that killed its class is newer than the header: somebody
  /// removed the passcode and was stopped there. In quarantine it would outlive that.
  private func isAwaitingRemoval(_ row: RawRow, _ header: FreshnessHeader) -> Bool {
    guard header.keybagID != keybag.id, let number = row[.protection].byte else { return false }
    return ProtectionClass(rawValue: number).map { keybag.dead.contains($0) } ?? false
  }

  private mutating func note(_ row: RawRow) {
    damaged.append(row.id)
    report.damagedCount += 1
    guard report.damagedCount <= CheckReport.listedCountMax else { return }
    report.findings.append(.damagedRecord(uuid: row.identifier?.hyphenated ?? "", row: row.id))
  }

  /// How many problems SQLite sees, up to a hundred.
  private static func integrity(_ connection: borrowing Connection) throws(VaultError) -> Int {
    let problems = try connection.prepare("PRAGMA integrity_check")
    defer { problems.reset() }
    var count = 0
    do throws(VaultError) {
      while try problems.step() { if problems.text(0) != "ok" { count += 1 } }
    } catch {
      guard error.code == .damaged else { throw error }
      count += 1
    }
    return count
  }
}
