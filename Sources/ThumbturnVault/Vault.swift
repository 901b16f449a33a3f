internal import Synchronization
internal import ThumbturnCrypto

/// The store on disk, used in this process (VAULT.md).
///
/// Knows records, protection classes, boxes and tags; what they mean is the keychain's. Synchronous; from any thread. Every
/// call takes the seat for its own duration and ends in bounded time: it waits at most ``waitSecondsMax`` for others.
public final class Vault: Sendable {
  /// How long a call waits for other threads and processes, in seconds.
  public static let waitSecondsMax = Int(Patience.seconds)

  /// Where it lies.
  public let location: VaultLocation
  /// In each process its own: a forked child opens anew, and never closes what its parent has open, which would free the
  /// parent's locks.
  let here = PerProcess { Opened() }
  let surroundings: VaultSurroundings

  final class Opened: Sendable {
    let vault = FairMutex<OpenVault?>(nil)
    /// What the last open vault had seen, for as long as this process lives.
    let seen = Mutex<(vaultID: Identifier, counter: UInt64)?>(nil)
    /// What a passcode has opened.
    let unlocked = Mutex<UnlockedKeys?>(nil)
    /// Wrong passcodes that were counted, in a process that keeps the seat.
    let wrong = Mutex<KnownWrongPasscodes?>(nil)
    /// The seat, in a process that keeps it.
    let heldSeat = Mutex<FileLock?>(nil)

    /// Closes it, and keeps in mind how far it was.
    func close(_ vault: inout OpenVault?) {
      if let vault { seen.withLock { $0 = (vault.keybag.vaultID, vault.lastCounter.load(ordering: .acquiring)) } }
      vault = nil
    }

    /// Refuses a vault that is behind the one that was open before.
    func check(_ vault: OpenVault) throws(VaultError) {
      guard let seen = seen.withLock({ $0 }), seen.vaultID == vault.keybag.vaultID,
        vault.lastCounter.load(ordering: .acquiring) < seen.counter
      else { return }
      throw VaultError(.olderCopy, "an older copy of the vault was put back", part: .database)
    }
  }

  /// Opens nothing yet: the first call does.
  public convenience init(location: VaultLocation) { self.init(location: location, VaultSurroundings()) }

  /// With other clocks and costs, for tests.
  package init(location: VaultLocation, _ surroundings: VaultSurroundings) {
    self.location = location
    self.surroundings = surroundings
  }

  /// Runs `body` with the records as they are now.
  ///
  /// - Throws: ``VaultError/Code/noVault`` when there is none, what opening throws, and what `body` throws.
  package func read<Result: Sendable>(
    _ body: (RecordReader) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    try ForkGate.pass { () throws(VaultError) in try readInGate(body) }
  }

  private func readInGate<Result: Sendable>(
    _ body: (RecordReader) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    let patience = Patience()
    for _ in 0..<3 {
      let vault = try sitDown(mayCreate: false, patience)
      defer { vault.seat.give() }
      let found: Swift.Result<Result, VaultError>
      do throws(VaultError) { found = .success(try vault.read(patience, body)) } catch { found = .failure(error) }
      // What was read while somebody wrote may be half of it, and its errors too.
      if try vault.isStill() {
        do throws(VaultError) { return try found.get() } catch { throw settle(error, vault) }
      }
      forget(vault)
    }
    throw VaultError(.writerBusy, "the database was changed again and again", part: .database)
  }

  /// Runs `body` in one transaction: all its changes are on the disk when this returns, or none when it throws.
  ///
  /// - Parameter mayCreate: Whether a vault is made where there is none.
  /// - Throws: ``VaultError/Code/writerBusy`` after 5 seconds, ``VaultError/Code/readOnly``, what opening throws, and what
  ///   `body` throws.
  package func write<Result: Sendable>(
    mayCreate: Bool, _ body: (RecordWriter) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    try ForkGate.pass { () throws(VaultError) in try writeInGate(mayCreate: mayCreate, body) }
  }

  private func writeInGate<Result: Sendable>(
    mayCreate: Bool, _ body: (RecordWriter) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    let patience = Patience()
    // Twice is enough for one exchange of the keybag; whoever exchanges it again and again gets an error.
    for _ in 0..<3 {
      let vault = try sitDown(mayCreate: mayCreate, patience)
      defer { vault.seat.give() }
      do throws(VaultError) {
        if let result = try vault.write(patience, body) { return result }
      } catch { throw settle(error, vault) }
      forget(vault)
    }
    throw VaultError(.writerBusy, "the vault was exchanged again and again", part: .vaultFolder)
  }

  /// What can be said without a secret. Makes nothing.
  public func status() throws(VaultError) -> VaultStatus {
    try ForkGate.pass { () throws(VaultError) in try statusInGate() }
  }

  private func statusInGate() throws(VaultError) -> VaultStatus {
    do throws(VaultError) {
      let patience = Patience()
      let vault = try sitDown(mayCreate: false, patience)
      defer { vault.seat.give() }
      let header = try vault.read(patience) { (reader) throws(VaultError) in try reader.header() }
      let lockOut = vault.keybag.derivation == nil ? nil : presentLockOut(vault.keybag)
      return VaultStatus(
        isPresent: true, itemCount: Int(header.rowCount),
        format: (Int(vault.format.major), Int(vault.format.minor)),
        vaultID: vault.keybag.vaultID.hyphenated,
        deviceKeyPath: "\(location.deviceFolder)/\(DeviceKey.fileName(vault.keybag.deviceKeyID))",
        hasPasscode: vault.keybag.derivation != nil, isSimulated: header.flags.contains(.simulated),
        openClasses: vault.openClasses,
        settings: vault.keybag.settings, failedAttempts: lockOut?.failures ?? 0,
        secondsToWait: lockOut?.secondsToWait ?? 0,
        writeRefusal: vault.writeRefusal?.reason, isMemoryLocked: vault.isMemoryLocked)
    } catch {
      guard error.code == .noVault else { throw error }
      return VaultStatus(isPresent: false)
    }
  }

  /// Makes a vault for a simulated sensor, where there is none.
  ///
  /// - Throws: ``VaultError/Code/inTheWay`` where there is one, and what making one throws.
  package func createSimulated() throws(VaultError) {
    try ForkGate.pass { () throws(VaultError) in
      let inTheWay = VaultError(.inTheWay, "there is a vault: what it was made for cannot be changed", part: .keybag)
      if let folder = try Folder.open(location.vaultFolder, part: .vaultFolder),
        try folder.facts(of: Keybag.fileName) != nil
      {
        throw inTheWay
      }
      try VaultCreation.run(at: location, Patience(), .simulated)
      // Another process may have been faster, or an earlier creation is finished now.
      guard try statusInGate().isSimulated else { throw inTheWay }
    }
  }

  /// Closes the connections, which moves the write-ahead log into the database. The next call opens again.
  public func close() {
    // In a child that was forked inside a call nothing of it is touched.
    try? ForkGate.pass {
      let here = here.object
      here.vault.withLock { here.close(&$0) }
    }
  }

  deinit { close() }

  /// The open vault with its seat taken.
  func sitDown(mayCreate: Bool, _ patience: Patience) throws(VaultError) -> OpenVault {
    let busy = VaultError(.writerBusy, "it was not free for 5 seconds", part: .vaultFolder)
    let here = here.object
    return try here.vault.withLock(patience, elseThrow: busy) {
      (opened: inout sending OpenVault?) throws(VaultError) -> OpenVault in
      if let vault = opened {
        try vault.seat.take()
        do throws(VaultError) {
          if try vault.isCurrent() { return vault }
        } catch {
          vault.seat.give()
          throw error
        }
        vault.seat.give()
        here.close(&opened)
      }
      let vault = try open(mayCreate: mayCreate, patience)
      do throws(VaultError) { try here.check(vault) } catch {
        vault.seat.give()
        throw error.naming(vault.keybag.databaseName)
      }
      opened = vault
      return vault
    }
  }

  private func open(mayCreate: Bool, _ patience: Patience) throws(VaultError) -> OpenVault {
    if let vault = try openExisting(mayCreate: mayCreate) { return vault }
    guard mayCreate else { throw VaultError(.noVault, "there is no vault yet", part: .vaultFolder) }
    try VaultCreation.run(at: location, patience)
    guard let vault = try openExisting(mayCreate: false) else {
      throw VaultError(.inputOutput, "the vault vanished after it was made", part: .vaultFolder)
    }
    return vault
  }

  private func openExisting(mayCreate: Bool) throws(VaultError) -> OpenVault? {
    guard let folder = try Folder.open(location.vaultFolder, part: .vaultFolder) else { return nil }
    if let vault = try openCurrent(folder) { return vault }
    // While a vault is being made its database is there before the keybag, and keybag.new with it.
    // Whoever may create finishes, clears away or refuses what an earlier creator announced.
    if mayCreate, try folder.facts(of: Keybag.newFileName) != nil { return nil }
    do throws(VaultError) { try VaultCreation.refuseOrphans(in: folder) } catch {
      // While one is being made its database is there before the keybag, and its creator holds the writer lock.
      guard error.code == .missing, let lock = try? WriterLock(in: folder) else { throw error }
      guard try lock.takeNow() else { return nil }
      defer { lock.give() }
      if try folder.facts(of: Keybag.fileName) == nil {
        // Nothing was stored in it, so nothing is missing: the next writer finishes or clears away what its creator left.
        guard try VaultCreation.isUnfinished(in: folder) else { throw error }
        return nil
      }
      return try openCurrent(folder)
    }
    return nil
  }

  /// Opens what the keybag names. Between reading it and opening its files another process may have exchanged it and
  /// removed them: then the new one is read.
  private func openCurrent(_ folder: Folder) throws(VaultError) -> OpenVault? {
    let here = here.object
    for _ in 0..<3 {
      let before = try folder.facts(of: Keybag.fileName)
      do throws(VaultError) {
        return try OpenVault.open(
          folder, at: location, unlocked: here.unlocked.withLock { $0 }, held: here.heldSeat.withLock { $0 })
      } catch {
        guard [.missing, .olderCopy, .wrongKey].contains(error.code),
          try folder.facts(of: Keybag.fileName) != before
        else { throw error }
      }
    }
    throw VaultError(.writerBusy, "the vault was exchanged again and again", part: .vaultFolder)
  }

  private func forget(_ vault: OpenVault) {
    let here = here.object
    here.vault.withLock { opened in
      if opened === vault { here.close(&opened) }
    }
  }

  /// After a failure of the disk nothing that is in memory is believed: the next call opens anew.
  func settle(_ error: VaultError, _ vault: OpenVault) -> VaultError {
    if [.inputOutput, .damaged, .diskFull].contains(error.code) { forget(vault) }
    return error.naming(vault.keybag.databaseName)
  }
}

extension VaultError {
  /// Names the database's file where SQLite's error could not.
  func naming(_ databaseName: String) -> VaultError {
    guard part == .database, fileName == nil else { return self }
    return VaultError(self, fileName: databaseName)
  }
}
