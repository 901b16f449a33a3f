internal import Synchronization
internal import ThumbturnCrypto

// The passcode of the vault (VAULT.md §2, §9). Order of locks: seat, attempts, writer lock; keys are derived before the
// writer lock is taken.
extension Vault {
  /// Opens the classes that need the passcode, in this process, until ``lock()`` or its end.
  ///
  /// Slow on purpose: a quarter of a second and more. Every try is counted before it is checked.
  ///
  /// - Throws: ``VaultError/Code/wrongPasscode``, ``VaultError/Code/lockedOut``, ``VaultError/Code/noPasscode``,
  ///   ``VaultError/Code/noVault``, ``VaultError/Code/seatTaken`` while an agent runs, and what opening throws.
  public func unlock(_ passcode: Passcode) throws(VaultError) {
    try ForkGate.pass { () throws(VaultError) in
      let (visit, checked) = try look()
      keep(try checked.keys(passcode).unlocked)
      visit.removeUnfinished()
    }
  }

  /// Wipes the class keys that are only in memory while the vault is unlocked, and moves the log into the database.
  ///
  /// No call that begins later finds a key, whatever this throws; those that run at this moment are waited for.
  ///
  /// - Throws: ``VaultError/Code/noPasscode``: without one nothing can be locked. ``VaultError/Code/writerBusy`` when a call
  ///   that had begun runs on for 5 seconds: its keys are wiped when it ends.
  public func lock() throws(VaultError) {
    try ForkGate.pass { () throws(VaultError) in
      // First of all: a keybag or device key that cannot be read now must not keep the keys here.
      let isOver = keep(here.object.unlocked.withLock { $0?.locked() })
      guard try visit().verified().keybag.derivation != nil else {
        throw VaultError(.noPasscode, "no passcode is set", part: .keybag)
      }
      guard isOver else { throw VaultError(.writerBusy, "a call that had begun still runs", part: .vaultFolder) }
    }
  }

  /// Forgets every key that a passcode has opened: the vault is as before its first unlock.
  package func forgetKeys() { _ = try? ForkGate.pass { keep(nil) } }

  /// The protection classes that a passcode has opened in this process.
  package var unlockedClasses: Set<ProtectionClass> { here.object.unlocked.withLock { $0?.classes ?? [] } }

  func visit() throws(VaultError) -> KeybagVisit {
    try KeybagVisit(location, held: here.object.heldSeat.withLock { $0 })
  }

  /// The present keybag, with the lock of the attempts. Who waited for that may find another keybag afterwards.
  func look() throws(VaultError) -> (KeybagVisit, PasscodeCheck) {
    for _ in 0..<3 {
      let visit = try visit()
      let checked = try PasscodeCheck(visit, surroundings, wrong: here.object.wrong.withLock { $0 })
      if try visit.isCurrent() { return (visit, checked) }
    }
    throw VaultError(.writerBusy, "the vault was exchanged again and again", part: .vaultFolder)
  }

  /// The open vault has contexts of the keys that were there when it was opened: it is closed, and opened anew with these.
  ///
  /// - Returns: Whether nobody uses the old one any more: calls that run at this moment end first, within the patience.
  @discardableResult
  private func keep(_ unlocked: UnlockedKeys?) -> Bool {
    let here = here.object
    weak var old: OpenVault?
    here.vault.withLock { opened in
      old = opened
      here.close(&opened)
      here.unlocked.withLock { $0 = unlocked }
    }
    let patience = Patience()
    while old != nil { guard patience.pause() else { return false } }
    return true
  }

  /// Takes the seat for good, as an agent does: no other process can use the vault until this one ends, or lets it go with
  /// ``giveSeat()``.
  ///
  /// - Throws: ``VaultError/Code/seatTaken`` when an agent holds it, or calls in other processes keep it for 5 seconds;
  ///   ``VaultError/Code/noVault``.
  package func holdSeat() throws(VaultError) {
    close()
    guard let folder = try Folder.open(location.vaultFolder, part: .vaultFolder),
      try folder.facts(of: Keybag.fileName) != nil
    else { throw VaultError(.noVault, "there is no vault yet", part: .vaultFolder) }
    let lock = try FileLock(in: folder, name: Seat.fileName, part: .seatLock, mode: .exclusive)
    let patience = Patience()
    while try !lock.take() {
      guard patience.pause() else {
        throw VaultError(.seatTaken, "another process holds the vault", part: .seatLock)
      }
    }
    let here = here.object
    here.heldSeat.withLock { $0 = lock }
    here.wrong.withLock { $0 = KnownWrongPasscodes() }
  }

  /// Lets the seat go, with every key.
  package func giveSeat() {
    let here = here.object
    forgetKeys()
    close()
    here.wrong.withLock { $0 = nil }
    here.heldSeat.withLock { lock in
      lock?.give()
      lock = nil
    }
  }

  /// Sets, changes or removes the passcode.
  ///
  /// Setting the first one, and whatever `rotates`, seals every record anew under new keys, so that no older copy of the
  /// vault's files opens what is there from now on. Others read meanwhile; who writes waits for at most 5 seconds. After a
  /// crash at any step the vault opens with the old passcode or with the new one.
  ///
  /// - Parameters:
  ///   - old: The present passcode; nil where there is none.
  ///   - new: The new one; nil removes it, and with it every item that needs one.
  ///   - rotates: Whether records are sealed anew in any case.
  ///   - drafting: What a record becomes under other keys.
  ///   - progress: Called now and then with the number of records sealed and that of all.
  /// - Throws: ``VaultError/Code/passcodeIsSet`` without the present one, ``VaultError/Code/noPasscode`` when none is set,
  ///   ``VaultError/Code/wrongPasscode``, ``VaultError/Code/lockedOut``, ``VaultError/Code/inTheWay`` when files sealed under
  ///   the old keys would stay, ``VaultError/Code/damaged`` when records are, ``VaultError/Code/writerBusy``.
  package func changePasscode(
    from old: Passcode?, to new: Passcode?, rotates: Bool = false,
    _ drafting: any RecordDrafting,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(VaultError) {
    try finishLastExchange(mayCreate: old == nil && new != nil)
    try ForkGate.pass { () throws(VaultError) in
      let (visit, checked) = try look()
      let keys = try checked.keys(replacing: old)
      let next = try NextPasscode(new, surroundings.cost)
      let lock = try WriterLock(in: visit.folder)
      try lock.take(Patience())
      defer { lock.give() }
      guard try lock.isCurrent(in: visit.folder), try visit.isCurrent() else {
        throw VaultError(.writerBusy, "the vault was exchanged meanwhile", part: .vaultFolder)
      }
      try requireFinished(checked.keybag, keys, visit.folder)
      guard checked.keybag.format.isWritable else {
        throw VaultError(.readOnly, "the vault has a newer format", part: .keybag)
      }
      let exchange = KeybagExchange(visit: visit, checked: checked, keys: keys, next: next, location: location)
      let kept: KeySet
      if rotates || old == nil {
        kept = try exchange.reseal(drafting, progress)
      } else {
        kept = try exchange.rewrap()
      }
      keep(new == nil ? nil : kept.unlocked)
    }
    // The second half of the change. It is made: whatever fails here, the next writer does it.
    try? write(mayCreate: false) { _ in }
  }

  /// Changes when the agent locks by itself.
  ///
  /// - Throws: ``VaultError/Code/tooLarge`` outside the limits, and as ``unlock(_:)``.
  package func setLockSettings(_ settings: LockSettings, _ passcode: Passcode?) throws(VaultError) {
    guard settings.isValid else { throw VaultError(.tooLarge, "a setting is outside its limits") }
    try replaceKeybag(passcode) { $0.settings = settings }
  }

  /// Takes an older copy of keybag or database for what is to be from now on: for who has put a backup back.
  ///
  /// - Throws: ``VaultError/Code/noPasscode``, ``VaultError/Code/passcodeIsSet`` without it, and as ``unlock(_:)``.
  package func acceptOlder(_ passcode: Passcode?) throws(VaultError) {
    try ForkGate.pass { () throws(VaultError) in
      let here = here.object
      here.vault.withLock { here.close(&$0) }
      here.seen.withLock { $0 = nil }
    }
    try replaceKeybag(passcode, followsHeader: true) { _ in }
  }

  private func replaceKeybag(
    _ passcode: Passcode?, followsHeader: Bool = false, _ change: (inout Keybag) -> Void
  ) throws(VaultError) {
    if !followsHeader { try finishLastExchange(mayCreate: false) }
    try ForkGate.pass { () throws(VaultError) in
      let (visit, checked) = try look()
      let keys = try checked.keys(replacing: passcode)
      let lock = try WriterLock(in: visit.folder)
      try lock.take(Patience())
      defer { lock.give() }
      guard try lock.isCurrent(in: visit.folder), try visit.isCurrent() else {
        throw VaultError(.writerBusy, "the vault was exchanged meanwhile", part: .vaultFolder)
      }
      let id: Identifier
      do throws(CryptoError) { id = try Identifier.random() } catch { throw VaultError(error) }
      var next = checked.keybag.next(id: id)
      change(&next)
      if !followsHeader { try requireFinished(checked.keybag, keys, visit.folder) }
      if followsHeader {
        let header = try OpenVault.header(of: checked.keybag, keys, in: visit.folder)
        next.number = max(next.number, header.keybagNumber + 1)
        next.predecessor = header.keybagID
      }
      try Removals.remove(checked.keybag, in: visit.folder, devicePath: location.deviceFolder)
      try visit.replace(with: next, under: ParentKeys(lockedDeviceKey: try checked.copyOfDeviceKey()))
    }
    try write(mayCreate: false) { _ in }
  }

  /// The header still has the predecessor's id when whoever exchanged the keybag was killed, or had no space, before the
  /// second half. A further exchange would leave a header that neither of the two knows: so the second half is made first.
  private func finishLastExchange(mayCreate: Bool) throws(VaultError) {
    try write(mayCreate: mayCreate) { _ in }
  }

  /// That it was, asked with the writer lock.
  private func requireFinished(_ keybag: Keybag, _ keys: KeySet, _ folder: Folder) throws(VaultError) {
    guard try OpenVault.header(of: keybag, keys, in: folder).keybagID == keybag.id else {
      throw VaultError(.writerBusy, "the vault was exchanged meanwhile", part: .vaultFolder)
    }
  }

  /// What the next try will find; a file that says nothing valid counts as five failures.
  func presentLockOut(_ keybag: Keybag) -> LockOut {
    let now = surroundings.moment()
    return (try? lockOut(keybag, now)) ?? LockOut(.assumed(now), now)
  }

  /// What is counted; nil when the file says nothing valid.
  private func lockOut(_ keybag: Keybag, _ now: BootMoment) throws(VaultError) -> LockOut? {
    guard let device = try Folder.open(location.deviceFolder, part: .deviceFolder),
      let deviceKey = try DeviceKey.read(keybag.deviceKeyID, in: device)
    else { return nil }
    return try AttemptsFile.present(in: device, deviceKey, keybag.vaultID, now)
  }
}
